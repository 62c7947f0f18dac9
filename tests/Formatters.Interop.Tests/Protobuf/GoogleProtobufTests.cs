using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Protobuf;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Google.Protobuf;
using Xunit;
using Xunit.Abstractions;
using Peer = Formatters.Interop;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>Google.Protobuf with the classes that protoc made of our schema: the same bytes for the same values, and the same reading of damaged ones.</summary>
/// <remarks>FORMATTERS_DIFFERENTIAL_COUNT sets how many of each.</remarks>
public sealed class GoogleProtobufTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    private static readonly FormatterLimits Limits = FormatterLimits.Default with { MaxDepth = 100 };

    private static readonly ProtobufFormatter<Everything> ByReflection = new(new ProtobufOptions { Limits = Limits, UseGeneratedContract = false });

    private static readonly ProtobufFormatter<Everything> Generated = new(GeneratedContracts.Everything, new ProtobufOptions { Limits = Limits });

    private static int Count { get; } = TestScale.Count("FORMATTERS_DIFFERENTIAL_COUNT", full: 2_000, quick: 500, night: 200_000);

    [Fact]
    public void The_schema_is_that_of_the_peer()
    {
        string text = ProtobufSchema.Export<Everything>("formatters.interop");
        string file = Path.Combine(Golden.Directory("."), "..", "Formatters.Interop.Tests", "Protobuf", "peer.proto");
        if (Environment.GetEnvironmentVariable("UPDATE_PROTO") == "1")
            File.WriteAllText(file, "// What ProtobufSchema prints for the payloads of ProtobufPayloads.cs: a test compares them; UPDATE_PROTO=1 writes it.\n" + text);
        Assert.Equal(text, File.ReadAllText(file)[(File.ReadAllText(file).IndexOf('\n', StringComparison.Ordinal) + 1)..]);
    }

    [Fact]
    public void Delimited_bodies_are_those_of_WriteDelimitedTo()
    {
        var payloads = new RandomPayloads(new Random(Seed));
        var ours = new MemoryStream();
        var theirs = new MemoryStream();
        List<string> bodies = [];
        for (int i = 0; i < 100; i++)
        {
            Everything payload = payloads.Next();
            Generated.WriteDelimited(ours, payload);
            byte[] body = Generated.Write(payload);
            Peer.Everything.Parser.ParseFrom(body).WriteDelimitedTo(theirs);
            bodies.Add(Convert.ToHexString(body));
        }

        Assert.Equal(Convert.ToHexString(theirs.ToArray()), Convert.ToHexString(ours.ToArray()));
        theirs.Position = ours.Position = 0;
        Assert.Equal(bodies, Generated.ReadAllDelimited(theirs).Select(payload => Convert.ToHexString(Generated.Write(payload))));
        Assert.Equal(bodies, bodies.Select(_ => Convert.ToHexString(Peer.Everything.Parser.ParseDelimitedFrom(ours).ToByteArray())));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Random_values_have_the_bytes_of_Google_Protobuf(bool isGenerated)
    {
        ProtobufFormatter<Everything> formatter = isGenerated ? Generated : ByReflection;
        Everything? over = null;
        var payloads = new RandomPayloads(new Random(Seed));
        long byteCount = 0;
        for (int i = 0; i < Count; i++)
        {
            byte[] body = formatter.Write(payloads.Next());
            Peer.Everything peer = Peer.Everything.Parser.ParseFrom(body);
            Assert.Equal(Convert.ToHexString(peer.ToByteArray()), Convert.ToHexString(body));
            Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(formatter.Write(formatter.Read(body))));
            over ??= formatter.Read(body);
            formatter.Read(body, ref over);
            Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(formatter.Write(over)));
            byteCount += body.Length;
        }

        output.WriteLine($"seed {Seed}: {Count} values, {byteCount / Count} bytes on average.");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Damaged_bodies_are_read_as_Google_Protobuf_reads_them(bool isGenerated)
    {
        ProtobufFormatter<Everything> formatter = isGenerated ? Generated : ByReflection;
        var random = new Random(Seed + 1);
        var payloads = new RandomPayloads(random, sparseness: 16);
        var explained = new SortedDictionary<string, int>(StringComparer.Ordinal);
        var unexplained = new List<string>();
        int refused = 0, same = 0;
        for (int i = 0; i < Count; i++)
        {
            byte[] damaged = Mutation.Damage(random, formatter.Write(payloads.Next()));
            string? difference = Compare(formatter, damaged, explained, ref refused, ref same);
            if (difference is not null)
                unexplained.Add(difference + ": " + Convert.ToHexString(damaged));
        }

        output.WriteLine($"seed {Seed + 1}: {Count} damaged bodies, {refused} refused by both, {same} read the same by both, " + string.Join(", ", explained.Select(static e => $"{e.Value} {e.Key}")));
        Assert.True(unexplained.Count == 0, $"{unexplained.Count} unexplained differences:\n" + string.Join("\n", unexplained.Take(10)));
        Assert.True(refused > 0 && same > 0, "The damage is all of one kind.");
    }

    private static string? Compare(ProtobufFormatter<Everything> formatter, byte[] damaged, SortedDictionary<string, int> explained, ref int refused, ref int same)
    {
        Everything? ours = null;
        MessageFormatException? error = null;
        Peer.Everything? peer = null;
        try
        {
            ours = formatter.Read(damaged);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        try
        {
            peer = Peer.Everything.Parser.ParseFrom(damaged);
        }
        catch (InvalidProtocolBufferException)
        {
        }

        if (peer is null)
        {
            refused += error is null ? 0 : 1;
            return error is null ? "read by us alone" : null;
        }

        if (error is not null)
        {
            string? reason = GoogleProtobufDifferences.ExplainRefusal(error, peer);
            if (reason is null)
                return "refused by us alone, " + error.Message;
            explained[reason] = explained.GetValueOrDefault(reason) + 1;
            return null;
        }

        if (GoogleProtobufDifferences.TakeLastTime(peer, damaged))
            explained["a time in several fields"] = explained.GetValueOrDefault("a time in several fields") + 1;
        GoogleProtobufDifferences.Normalize(peer);
        Peer.Everything again = Peer.Everything.Parser.ParseFrom(formatter.Write(ours!));
        if (!again.Equals(peer))
            return "read otherwise";
        same++;
        return null;
    }
}
