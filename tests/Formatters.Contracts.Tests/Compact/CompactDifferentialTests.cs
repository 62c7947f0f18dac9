using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The generated traversal in the compact format against that by reflection: bytes, acceptance, errors.</summary>
public class CompactDifferentialTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    /// <summary>The number of values of every payload; more by the environment variable.</summary>
    internal static readonly int ValueCount = TestScale.Values(600);

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.CompactContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.CompactContract, n),
#endif
        [nameof(Nullables)] = n => Run(Nullables.CompactContract, n),
        [nameof(Collections)] = n => Run(Collections.CompactContract, n),
        [nameof(Derived)] = n => Run(Derived.CompactContract, n),
        [nameof(Positional)] = n => Run(Positional.CompactContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.CompactContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.CompactContract, n),
        [nameof(Required)] = n => Run(Required.CompactContract, n),
        [nameof(ReadOnlyFields)] = n => Run(ReadOnlyFields.CompactContract, n),
        [nameof(Node)] = n => Run(Node.CompactContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.CompactContract, n),
        [nameof(Picky)] = n => Run(Picky.CompactContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.CompactContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.CompactContract, n),
        [nameof(Outer.Inner)] = n => Run(Outer.Inner.CompactContract, n),
        [nameof(Wide)] = n => Run(Wide.CompactContract, n),
        [nameof(GeneratedOrder)] = n => Run(GeneratedOrder.CompactContract, n),
        [nameof(OptInRecord)] = n => Run(OptInRecord.CompactContract, n),
        [nameof(MarkedStruct)] = n => Run(MarkedStruct.CompactContract, n),
        [nameof(XmlOrdered)] = n => Run(XmlOrdered.CompactContract, n),
        [nameof(HasMoney)] = n => Run(HasMoney.CompactContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.CompactContract, n),
#if !NETFRAMEWORK
        [nameof(Sequences)] = n => RunMutants(Sequences.CompactContract, CollectionTests.SampleSequences, n),
        [nameof(FurtherValues)] = n => RunMutants(FurtherValues.CompactContract, CollectionTests.SampleFurtherValues, n),
        [nameof(ObjectCollections)] = n => RunMutants(ObjectCollections.CompactContract, CollectionTests.SampleObjects, n),
#endif
        [nameof(Drawing)] = n => Run(Drawing.CompactContract, n),
        [nameof(Shape)] = n => Run(Shape.CompactContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.CompactContract, n),
        [nameof(HasPet)] = n => Run(HasPet.CompactContract, n),
        [nameof(IPet)] = n => Run(UnionContracts.CompactPet, n),
        ["Box<string>"] = n => Run(ContextContracts.CompactBoxOfString, n),
        ["List<Place>"] = n => Run(ContextContracts.CompactPlaces, n),
        ["Dictionary<string, Point?>"] = n => Run(ContextContracts.CompactPointsByName, n),
        ["int[][]"] = n => Run(ContextContracts.CompactJagged, n),
        ["OwnBody"] = n => Run(ContextContracts.CompactOwnBody, n),
        ["Node, by a context"] = n => Run(ContextContracts.CompactNodeAgain, n),
        ["(int, string)"] = n => Run(ContextContracts.CompactPair, n),
        ["string"] = n => Run(ContextContracts.CompactText, n),
        [nameof(Concurrents)] = n => Run(Concurrents.CompactContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.CompactContract, n),
        [nameof(HasPart)] = n => Run(HasPart.CompactContract, n),
        [nameof(Vectors)] = n => Run(Vectors.CompactContract, n),
        [nameof(Declared)] = n => Run(Declared.CompactContract, n),
        [nameof(Invoice)] = n => Run(Invoice.CompactContract, n),
        [nameof(GeneratedClassicOrder)] = n => RunMutants(GeneratedClassicOrder.CompactContract, ClassicOrder(), n),
        [nameof(HasFormatted)] = n => RunMutants(HasFormatted.CompactContract, new HasFormatted(), n),
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

    private static int RunMutants<T>(CompactContract<T> contract, T value, int count) => PairOf(contract).CheckOne(value, Seed, count);

    private static int Run<T>(CompactContract<T> contract, int count) => PairOf(contract).CheckRandomValues(Seed, count);

    private static FormatterPair<T> PairOf<T>(CompactContract<T> contract) => new(new CompactFormatter<T>(contract), new CompactFormatter<T>(options: ByReflection.Compact));
}
