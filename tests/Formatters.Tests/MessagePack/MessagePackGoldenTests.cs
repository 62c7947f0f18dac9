using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.MessagePack;

/// <summary>Bytes that MessagePack-CSharp wrote for the same values: tests/golden/messagepack/README.md says how.</summary>
public sealed class MessagePackGoldenTests
{
    private static readonly Dictionary<string, PeerCase> Known = PeerCase.All().ToDictionary(static peerCase => peerCase.Name);

    public static TheoryData<string, string> Bodies()
    {
        var bodies = new TheoryData<string, string>();
        foreach (string line in File.ReadLines(Path.Combine(Golden.Directory("messagepack"), "messagepack-csharp.tsv")))
        {
            string[] parts = line.Split('\t');
            if (Known.ContainsKey(parts[0]))
                bodies.Add(parts[0], parts[1]);
        }

        return bodies;
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Bytes_are_those_of_MessagePack_CSharp(string name, string expected)
    {
        PeerCase peerCase = Known[name];
        byte[] body = peerCase.Write();
        expected = PeerCase.Differences.GetValueOrDefault(name, expected);
        Assert.Equal(expected, expected.StartsWith("sha256 ", StringComparison.Ordinal) ? "sha256 " + Convert.ToHexString(SHA256.HashData(body)) : Convert.ToHexString(body));
        object read = peerCase.ReadBack(body);
        Assert.Equal(body, peerCase.WriteAgain(read));
    }

    [Fact]
    public void Every_value_has_its_bytes()
    {
        var written = File.ReadLines(Path.Combine(Golden.Directory("messagepack"), "messagepack-csharp.tsv")).Select(static line => line.Split('\t')[0]).ToHashSet();
        Assert.Empty(Known.Keys.Except(written));
    }
}
