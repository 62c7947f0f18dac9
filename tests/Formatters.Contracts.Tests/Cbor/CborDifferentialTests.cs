using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The generated traversal in CBOR against that by reflection: bytes, acceptance, errors.</summary>
public class CborDifferentialTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    /// <summary>The number of values of every payload; more by the environment variable.</summary>
    internal static readonly int ValueCount = TestScale.Values(600);

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.CborContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.CborContract, n),
#endif
        [nameof(Nullables)] = n => Run(Nullables.CborContract, n),
        [nameof(Collections)] = n => Run(Collections.CborContract, n),
        [nameof(Derived)] = n => Run(Derived.CborContract, n),
        [nameof(Positional)] = n => Run(Positional.CborContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.CborContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.CborContract, n),
        [nameof(Required)] = n => Run(Required.CborContract, n),
        [nameof(ReadOnlyFields)] = n => Run(ReadOnlyFields.CborContract, n),
        [nameof(Node)] = n => Run(Node.CborContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.CborContract, n),
        [nameof(Picky)] = n => Run(Picky.CborContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.CborContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.CborContract, n),
        [nameof(Outer.Inner)] = n => Run(Outer.Inner.CborContract, n),
        [nameof(Wide)] = n => Run(Wide.CborContract, n),
        [nameof(GeneratedOrder)] = n => Run(GeneratedOrder.CborContract, n),
        [nameof(OptInRecord)] = n => Run(OptInRecord.CborContract, n),
        [nameof(MarkedStruct)] = n => Run(MarkedStruct.CborContract, n),
        [nameof(XmlOrdered)] = n => Run(XmlOrdered.CborContract, n),
        [nameof(HasMoney)] = n => Run(HasMoney.CborContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.CborContract, n),
#if !NETFRAMEWORK
        [nameof(Sequences)] = n => RunMutants(Sequences.CborContract, CollectionTests.SampleSequences, n),
        [nameof(FurtherValues)] = n => RunMutants(FurtherValues.CborContract, CollectionTests.SampleFurtherValues, n),
        [nameof(ObjectCollections)] = n => RunMutants(ObjectCollections.CborContract, CollectionTests.SampleObjects, n),
#endif
        [nameof(Drawing)] = n => Run(Drawing.CborContract, n),
        [nameof(Shape)] = n => Run(Shape.CborContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.CborContract, n),
        [nameof(HasPet)] = n => Run(HasPet.CborContract, n),
        [nameof(IPet)] = n => Run(UnionContracts.CborPet, n),
        ["Box<string>"] = n => Run(ContextContracts.CborBoxOfString, n),
        ["List<Place>"] = n => Run(ContextContracts.CborPlaces, n),
        ["Dictionary<string, Point?>"] = n => Run(ContextContracts.CborPointsByName, n),
        ["int[][]"] = n => Run(ContextContracts.CborJagged, n),
        ["OwnBody"] = n => Run(ContextContracts.CborOwnBody, n),
        ["Node, by a context"] = n => Run(ContextContracts.CborNodeAgain, n),
        ["(int, string)"] = n => Run(ContextContracts.CborPair, n),
        ["string"] = n => Run(ContextContracts.CborText, n),
        [nameof(Concurrents)] = n => Run(Concurrents.CborContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.CborContract, n),
        [nameof(HasPart)] = n => Run(HasPart.CborContract, n),
        [nameof(Vectors)] = n => Run(Vectors.CborContract, n),
        [nameof(Declared)] = n => Run(Declared.CborContract, n),
        [nameof(Invoice)] = n => Run(Invoice.CborContract, n),
        [nameof(GeneratedClassicOrder)] = n => RunMutants(GeneratedClassicOrder.CborContract, ClassicOrder(), n),
        [nameof(HasFormatted)] = n => RunMutants(HasFormatted.CborContract, new HasFormatted(), n),
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

    private static int RunMutants<T>(CborContract<T> contract, T value, int count) => PairOf(contract).CheckOne(value, Seed, count);

    private static int Run<T>(CborContract<T> contract, int count) => PairOf(contract).CheckRandomValues(Seed, count);

    private static FormatterPair<T> PairOf<T>(CborContract<T> contract) => new(new CborFormatter<T>(contract), new CborFormatter<T>(options: ByReflection.Cbor));
}
