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

    /// <summary>The number of values of every payload; more by the environment variable.</summary>
    internal static readonly int ValueCount = TestScale.Values(600);

    // Options with a codec of their own are those for which there is no generated code.

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.ProtobufContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.ProtobufContract, n),
#endif
        [nameof(Encodings)] = n => Run(Encodings.ProtobufContract, n),
        [nameof(Nullables)] = n => Run(Nullables.ProtobufContract, n),
        [nameof(Collections)] = n => Run(Collections.ProtobufContract, n),
        [nameof(Further)] = n => Run(Further.ProtobufContract, n),
        [nameof(FurtherOld)] = n => Run(FurtherOld.ProtobufContract, n),
#if !NETFRAMEWORK
        [nameof(FurtherRecord)] = n => Run(FurtherRecord.ProtobufContract, n),
#endif
        [nameof(NeedsVersion)] = n => Run(NeedsVersion.ProtobufContract, n),
        [nameof(Absent)] = n => Run(Absent.ProtobufContract, n),
        [nameof(Derived)] = n => Run(Derived.ProtobufContract, n),
        [nameof(Positional)] = n => Run(Positional.ProtobufContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.ProtobufContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.ProtobufContract, n),
        [nameof(Required)] = n => Run(Required.ProtobufContract, n),
        [nameof(Empty)] = n => Run(Empty.ProtobufContract, n),
        [nameof(Node)] = n => Run(Node.ProtobufContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.ProtobufContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.ProtobufContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.ProtobufContract, n),
        [nameof(Wide)] = n => Run(Wide.ProtobufContract, n),
        [nameof(Flat)] = n => Run(Flat.ProtobufContract, n),
        [nameof(HasFlat)] = n => Run(HasFlat.ProtobufContract, n),
        [nameof(GeneratedOrder)] = n => Run(GeneratedOrder.ProtobufContract, n),
        [nameof(OptIn)] = n => Run(OptIn.ProtobufContract, n),
        [nameof(OptInDerived)] = n => Run(OptInDerived.ProtobufContract, n),
        [nameof(OptInPart)] = n => Run(OptInPart.ProtobufContract, n),
        [nameof(VersionedOfBinary)] = n => Run(VersionedOfBinary.ProtobufContract, n),
        [nameof(Marked)] = n => Run(Marked.ProtobufContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.ProtobufContract, n),
        [nameof(CalledBase)] = n => Run(CalledBase.ProtobufContract, n),
        [nameof(CalledStruct)] = n => Run(CalledStruct.ProtobufContract, n),
        [nameof(Drawing)] = n => Run(Drawing.ProtobufContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.ProtobufContract, n),
        [nameof(Shape)] = n => Run(Shape.ProtobufContract, n),
        [nameof(HasPet)] = n => Run(HasPet.ProtobufContract, n),
        [nameof(IPet)] = n => Run(ProtobufContracts.ProtobufPet, n),
        [nameof(HasOneof)] = n => Run(HasOneof.ProtobufContract, n),
        [nameof(NeedsOneof)] = n => Run(NeedsOneof.ProtobufContract, n),
        [nameof(PositionalOneof)] = n => Run(PositionalOneof.ProtobufContract, n),
        [nameof(Unpacked)] = n => Run(Unpacked.ProtobufContract, n),
        [nameof(HasAmount)] = n => Run(HasAmount.ProtobufContract, n),
        ["List<Place>"] = n => Run(ProtobufContracts.ProtobufPlaces, n),
        ["Dictionary<string, Point?>"] = n => Run(ProtobufContracts.ProtobufPointsByName, n),
        ["int[][]"] = n => Run(ProtobufContracts.ProtobufJagged, n),
        ["int[,]"] = n => Run(ProtobufContracts.ProtobufGrid, n),
        ["Node, by a context"] = n => Run(ProtobufContracts.ProtobufNodeAgain, n),
        ["(int, Point)"] = n => Run(ProtobufContracts.ProtobufPair, n),
        ["string"] = n => Run(ProtobufContracts.ProtobufText, n),
        ["Guid"] = n => Run(ProtobufContracts.ProtobufGuid, n),
        [nameof(Concurrents)] = n => Run(Concurrents.ProtobufContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.ProtobufContract, n),
        [nameof(Vectors)] = n => Run(Vectors.ProtobufContract, n),
        [nameof(Declared)] = n => Run(Declared.ProtobufContract, n),
        [nameof(Invoice)] = n => Run(Invoice.ProtobufContract, n),
    };

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    private static int Run<T>(ProtobufContract<T> contract, int count)
    {
        var pair = new FormatterPair<T>(new ProtobufFormatter<T>(contract), new ProtobufFormatter<T>(null, ByReflection.Protobuf))
        {
            RefusesPrefixes = false,
            Canonical = new FormatterPair<T>(new ProtobufFormatter<T>(contract, null, isCanonical: true), new ProtobufFormatter<T>(null, ByReflection.Protobuf with { IsCanonical = true })),
        };
        byte[] other = [];
        return pair.CheckRandomValues(Seed, count, body =>
        {
            pair.CheckBody([.. other, .. body]); // two bodies are one message, in which the fields of both are merged
            other = body;
        });
    }
}
