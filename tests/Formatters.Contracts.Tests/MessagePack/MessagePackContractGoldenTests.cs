using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Security.Cryptography;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.MessagePack;

/// <summary>The bytes that MessagePack-CSharp wrote for types with its own attributes (tests/golden/messagepack/README.md), by generated contracts.</summary>
public sealed class MessagePackContractGoldenTests
{
    public static TheoryData<string> Contracts => new(Properties().Select(static p => p.Name).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Contracts))]
    public void Bytes_are_those_of_MessagePack_CSharp(string contract)
    {
        PropertyInfo property = Properties().Single(p => p.Name == contract);
        MethodInfo check = typeof(MessagePackContractGoldenTests).GetMethod(nameof(Check), BindingFlags.NonPublic | BindingFlags.Static)!;
        check.MakeGenericMethod(property.PropertyType.GetGenericArguments()[0]).Invoke(null, BindingFlags.DoNotWrapExceptions, null, [property.GetValue(null)], null);
    }

    private static IEnumerable<PropertyInfo> Properties() =>
        typeof(PeerContracts).GetProperties(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public).Where(static p => p.PropertyType.IsGenericType);

    private static void Check<T>(MessageContract<T> contract)
    {
        var golden = File.ReadLines(Path.Combine(Golden.Directory("messagepack"), "messagepack-csharp.tsv")).Select(static line => line.Split('\t')).ToDictionary(static p => p[0], static p => p[1]);
        var formatter = new MessagePackFormatter<T>(contract);
        PeerCase[] cases = [.. PeerCase.All().Where(static c => c.Type == typeof(T))];
        Assert.NotEmpty(cases);
        foreach (PeerCase peerCase in cases)
        {
            byte[] body = formatter.Write((T)peerCase.Payload);
            string expected = PeerCase.Differences.GetValueOrDefault(peerCase.Name, golden[peerCase.Name]);
            Assert.Equal(expected, expected.StartsWith("sha256 ", StringComparison.Ordinal) ? "sha256 " + Convert.ToHexString(SHA256.HashData(body)) : Convert.ToHexString(body));
            Assert.Equal(body, formatter.Write(formatter.Read(body)));
        }
    }
}

[MessageContractFor(typeof(Numbered), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Named), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Keyed), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Contracted), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Positional), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Pair), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Empty), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(IShape), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(int), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(long), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(ulong), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(uint), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(short), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(ushort), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(sbyte), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(byte), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(bool), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(double), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(float), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(char), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(string), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(byte[]), Name = "Bytes", Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(DateTime), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(DateTimeOffset), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(TimeSpan), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(decimal), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Guid), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(BigInteger), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Uri), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Version), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Small), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Big), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(int[]), Name = "Ints", Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(List<byte>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(int?[]), Name = "NullableInts", Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(int[,]), Name = "Matrix", Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(int[,,]), Name = "Cube", Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(ReadOnlyMemory<byte>), Name = "Memory", Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(HashSet<string>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Stack<int>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(IEnumerable<int>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Dictionary<Guid, int>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(SortedDictionary<string, int>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(KeyValuePair<int, string>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof(Tuple<int, string, double>), Formats = ContractFormats.MessagePack)]
[MessageContractFor(typeof((int, int, int, int, int, int, int, int, int)), Name = "Nine", Formats = ContractFormats.MessagePack)]
internal static partial class PeerContracts;
