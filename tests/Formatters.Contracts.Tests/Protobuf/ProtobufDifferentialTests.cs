using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests.Protobuf;

// Within the namespace: its types go before those of the namespace around this one.
using Formatters.Contracts.Tests.Versioned;

/// <summary>Generated protobuf contracts against those found by reflection, which are tested against Google.Protobuf: bytes, acceptance, errors.</summary>
public class ProtobufDifferentialTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    /// <summary>The number of values of every payload. What both sides share, JudgeTests judges.</summary>
    internal static readonly int ValueCount = TestScale.Values(100);

    // Options with a codec of their own are those for which there is no generated code.

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.MessageContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.MessageContract, n),
#endif
        [nameof(Encodings)] = n => Run(Encodings.MessageContract, n),
        [nameof(Nullables)] = n => Run(Nullables.MessageContract, n),
        [nameof(Collections)] = n => Run(Collections.MessageContract, n),
        [nameof(Further)] = n => Run(Further.MessageContract, n),
        [nameof(FurtherOld)] = n => Run(FurtherOld.MessageContract, n),
#if !NETFRAMEWORK
        [nameof(FurtherRecord)] = n => Run(FurtherRecord.MessageContract, n),
#endif
        [nameof(NeedsVersion)] = n => Run(NeedsVersion.MessageContract, n),
        [nameof(Absent)] = n => Run(Absent.MessageContract, n),
        [nameof(Derived)] = n => Run(Derived.MessageContract, n),
        [nameof(Positional)] = n => Run(Positional.MessageContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.MessageContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.MessageContract, n),
        [nameof(Required)] = n => Run(Required.MessageContract, n),
        [nameof(Empty)] = n => Run(Empty.MessageContract, n),
        [nameof(Node)] = n => Run(Node.MessageContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.MessageContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.MessageContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.MessageContract, n),
        [nameof(Wide)] = n => Run(Wide.MessageContract, n),
        [nameof(Flat)] = n => Run(Flat.MessageContract, n),
        [nameof(HasFlat)] = n => Run(HasFlat.MessageContract, n),
        [nameof(GeneratedOrder)] = n => Run(GeneratedOrder.MessageContract, n),
        [nameof(OptIn)] = n => Run(OptIn.MessageContract, n),
        [nameof(OptInDerived)] = n => Run(OptInDerived.MessageContract, n),
        [nameof(OptInPart)] = n => Run(OptInPart.MessageContract, n),
        [nameof(VersionedOfBinary)] = n => Run(VersionedOfBinary.MessageContract, n),
        [nameof(Marked)] = n => Run(Marked.MessageContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.MessageContract, n),
        [nameof(CalledBase)] = n => Run(CalledBase.MessageContract, n),
        [nameof(CalledStruct)] = n => Run(CalledStruct.MessageContract, n),
        [nameof(Drawing)] = n => Run(Drawing.MessageContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.MessageContract, n),
        [nameof(Shape)] = n => Run(Shape.MessageContract, n),
        [nameof(HasPet)] = n => Run(HasPet.MessageContract, n),
        [nameof(IPet)] = n => Run(ProtobufContracts.Pet, n),
        [nameof(HasOneof)] = n => Run(HasOneof.MessageContract, n),
        [nameof(NeedsOneof)] = n => Run(NeedsOneof.MessageContract, n),
        [nameof(PositionalOneof)] = n => Run(PositionalOneof.MessageContract, n),
        [nameof(HasCases)] = n => Run(HasCases.MessageContract, n),
        [nameof(FlatCases)] = n => Run(FlatCases.MessageContract, n),
        [nameof(PositionalCases)] = n => Run(PositionalCases.MessageContract, n),
        [nameof(Unpacked)] = n => Run(Unpacked.MessageContract, n),
        [nameof(HasAmount)] = n => Run(HasAmount.MessageContract, n),
        ["List<Place>"] = n => Run(ProtobufContracts.Places, n),
        ["Dictionary<string, Point?>"] = n => Run(ProtobufContracts.PointsByName, n),
        ["int[][]"] = n => Run(ProtobufContracts.Jagged, n),
        ["int[,]"] = n => Run(ProtobufContracts.Grid, n),
        ["Node, by a context"] = n => Run(ProtobufContracts.NodeAgain, n),
        ["(int, Point)"] = n => Run(ProtobufContracts.Pair, n),
        ["string"] = n => Run(ProtobufContracts.Text, n),
        ["Guid"] = n => Run(ProtobufContracts.Guid, n),
        [nameof(Concurrents)] = n => Run(Concurrents.MessageContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.MessageContract, n),
        [nameof(Vectors)] = n => Run(Vectors.MessageContract, n),
        [nameof(Declared)] = n => Run(Declared.MessageContract, n),
        [nameof(Invoice)] = n => Run(Invoice.MessageContract, n),
    };

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    /// <summary>A number that is beyond its member is refused at its first byte, however many it has.</summary>
    [Fact]
    public void NumbersBeyondTheirMember_AreRefusedAtTheirFirstByte()
    {
        Check<Scalars>(Scalars.MessageContract, 2, 3, 4, 5, 13);
#if !FORMATTERS_NETSTANDARD
        Check<NetScalars>(NetScalars.MessageContract, 2, 3);
#endif

        static void Check<T>(MessageContract<T> contract, params int[] members)
        {
            var pair = new FormatterPair<T>(new ProtobufFormatter<T>(contract), new ProtobufFormatter<T>(ByReflection.Protobuf));
            foreach (int member in members)
            {
                foreach (int byteCount in Enumerable.Range(3, 7)) // 2^20 and more, 2^62 and more
                {
                    byte[] body = [(byte)(member << 3), .. Enumerable.Repeat((byte)0xFF, byteCount - 1), 0x7F];
                    string? error = pair.CheckBody(body);
                    Assert.True(error is null || error.StartsWith("BadValue 1 ", StringComparison.Ordinal), error);
                    Assert.True(error is not null || typeof(T) != typeof(Scalars) || byteCount > 3 && member is 3 or 4, $"{member}, {byteCount}");
                }
            }
        }
    }

    private static int Run<T>(MessageContract<T> contract, int count)
    {
        var pair = new FormatterPair<T>(new ProtobufFormatter<T>(contract), new ProtobufFormatter<T>(ByReflection.Protobuf))
        {
            RefusesPrefixes = false,
            Canonical = new FormatterPair<T>(new ProtobufFormatter<T>(contract, new ProtobufOptions { IsCanonical = true }), new ProtobufFormatter<T>(ByReflection.Protobuf with { IsCanonical = true })),
        };
        byte[] other = [];
        return pair.CheckRandomValues(Seed, count, body =>
        {
            pair.CheckBody([.. other, .. body]); // two bodies are one message, in which the fields of both are merged
            other = body;
        });
    }
}
