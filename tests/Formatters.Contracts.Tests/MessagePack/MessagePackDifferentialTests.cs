using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>Generated MessagePack contracts against those found by reflection, which are tested against other libraries: bytes, acceptance, errors.</summary>
public class MessagePackDifferentialTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    /// <summary>The number of values of every payload; more by the environment variable.</summary>
    internal static readonly int ValueCount = TestScale.Values(600);

    // Options with a codec of their own are those for which there is no generated code.

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.MessagePackContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.MessagePackContract, n),
#endif
        [nameof(Nullables)] = n => Run(Nullables.MessagePackContract, n),
        [nameof(Collections)] = n => Run(Collections.MessagePackContract, n),
        [nameof(Derived)] = n => Run(Derived.MessagePackContract, n),
        [nameof(Positional)] = n => Run(Positional.MessagePackContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.MessagePackContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.MessagePackContract, n),
        [nameof(Required)] = n => Run(Required.MessagePackContract, n),
        [nameof(ReadOnlyFields)] = n => Run(ReadOnlyFields.MessagePackContract, n),
        [nameof(Node)] = n => Run(Node.MessagePackContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.MessagePackContract, n),
        [nameof(Picky)] = n => Run(Picky.MessagePackContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.MessagePackContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.MessagePackContract, n),
        [nameof(Outer.Inner)] = n => Run(Outer.Inner.MessagePackContract, n),
        [nameof(Wide)] = n => Run(Wide.MessagePackContract, n),
        [nameof(GeneratedOrder)] = n => Run(GeneratedOrder.MessagePackContract, n),
        [nameof(OptInRecord)] = n => Run(OptInRecord.MessagePackContract, n),
        [nameof(MarkedStruct)] = n => Run(MarkedStruct.MessagePackContract, n),
        [nameof(XmlOrdered)] = n => Run(XmlOrdered.MessagePackContract, n),
        [nameof(HasMoney)] = n => Run(HasMoney.MessagePackContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.MessagePackContract, n),
#if !NETFRAMEWORK
        [nameof(Sequences)] = n => RunMutants(Sequences.MessagePackContract, CollectionTests.SampleSequences, n),
        [nameof(FurtherValues)] = n => RunMutants(FurtherValues.MessagePackContract, CollectionTests.SampleFurtherValues, n),
        [nameof(ObjectCollections)] = n => RunMutants(ObjectCollections.MessagePackContract, CollectionTests.SampleObjects, n),
#endif
        [nameof(Drawing)] = n => Run(Drawing.MessagePackContract, n),
        [nameof(Shape)] = n => Run(Shape.MessagePackContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.MessagePackContract, n),
        [nameof(HasPet)] = n => Run(HasPet.MessagePackContract, n),
        [nameof(IPet)] = n => Run(UnionContracts.MessagePackPet, n),
        ["Box<string>"] = n => Run(ContextContracts.MessagePackBoxOfString, n),
        ["List<Place>"] = n => Run(ContextContracts.MessagePackPlaces, n),
        ["Dictionary<string, Point?>"] = n => Run(ContextContracts.MessagePackPointsByName, n),
        ["int[][]"] = n => Run(ContextContracts.MessagePackJagged, n),
        ["OwnBody"] = n => Run(ContextContracts.MessagePackOwnBody, n),
        ["Node, by a context"] = n => Run(ContextContracts.MessagePackNodeAgain, n),
        ["(int, string)"] = n => Run(ContextContracts.MessagePackPair, n),
        ["string"] = n => Run(ContextContracts.MessagePackText, n),
        [nameof(Concurrents)] = n => Run(Concurrents.MessagePackContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.MessagePackContract, n),
        [nameof(HasPart)] = n => Run(HasPart.MessagePackContract, n),
        [nameof(Vectors)] = n => Run(Vectors.MessagePackContract, n),
        [nameof(Declared)] = n => Run(Declared.MessagePackContract, n),
        [nameof(Invoice)] = n => Run(Invoice.MessagePackContract, n),
        [nameof(GeneratedClassicOrder)] = n => RunMutants(GeneratedClassicOrder.MessagePackContract, ClassicOrder(), n),
        [nameof(HasFormatted)] = n => RunMutants(HasFormatted.MessagePackContract, new HasFormatted(), n),
    };

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    private static GeneratedClassicOrder ClassicOrder()
    {
        byte[] body = new HandCodedFormatter<Order>().Write(SampleOrders.Create(1, 3, SampleText.Mixed));
        return new ContractFormatter<GeneratedClassicOrder>(GeneratedClassicOrder.MessageContract).Read(body);
    }

    private static int RunMutants<T>(MessagePackContract<T> contract, T value, int count) => PairOf(contract).CheckOne(value, Seed, count);

    private static int Run<T>(MessagePackContract<T> contract, int count) => PairOf(contract).CheckRandomValues(Seed, count);

    private static FormatterPair<T> PairOf<T>(MessagePackContract<T> contract) =>
        new(new MessagePackFormatter<T>(contract), new MessagePackFormatter<T>(null, ByReflection.MessagePack))
        {
            Canonical = new FormatterPair<T>(new MessagePackFormatter<T>(contract, null, isCanonical: true), new MessagePackFormatter<T>(null, ByReflection.MessagePack with { IsCanonical = true })),
        };
}
