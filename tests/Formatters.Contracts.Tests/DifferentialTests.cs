using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>Generated contracts against the reflection formatter, which is tested against System.IO.BinaryWriter: bytes, acceptance, errors.</summary>
public class DifferentialTests(ITestOutputHelper output)
{
    /// <summary>The number of values of every payload. What both sides share, JudgeTests judges.</summary>
    internal static readonly int ValueCount = TestScale.Values(100);

    private static readonly int Seed = TestScale.Seed(20261121);

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.MessageContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.MessageContract, n),
#endif
        [nameof(Nullables)] = n => Run(Nullables.MessageContract, n),
        [nameof(Collections)] = n => Run(Collections.MessageContract, n),
        [nameof(Derived)] = n => Run(Derived.MessageContract, n),
        [nameof(Positional)] = n => Run(Positional.MessageContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.MessageContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.MessageContract, n),
        [nameof(Required)] = n => Run(Required.MessageContract, n),
        [nameof(ReadOnlyFields)] = n => Run(ReadOnlyFields.MessageContract, n),
        [nameof(Node)] = n => Run(Node.MessageContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.MessageContract, n),
        [nameof(Picky)] = n => Run(Picky.MessageContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.MessageContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.MessageContract, n),
        [nameof(Outer.Inner)] = n => Run(Outer.Inner.MessageContract, n),
        [nameof(Wide)] = n => Run(Wide.MessageContract, n),
        [nameof(GeneratedOrder)] = n => Run(GeneratedOrder.MessageContract, n),
        [nameof(GeneratedClassicOrder)] = n => RunOrders(n),
        [nameof(OptIn)] = n => Run(OptIn.MessageContract, n),
        [nameof(OptInDerived)] = n => Run(OptInDerived.MessageContract, n),
        [nameof(OptInRecord)] = n => Run(OptInRecord.MessageContract, n),
        [nameof(Marked)] = n => Run(Marked.MessageContract, n),
        [nameof(MarkedStruct)] = n => Run(MarkedStruct.MessageContract, n),
        [nameof(PrivateTypes)] = n => Run(PrivateTypes.MessageContract, n),
        [nameof(Hiding)] = n => Run(Hiding.MessageContract, n),
        [nameof(XmlOrdered)] = n => Run(XmlOrdered.MessageContract, n),
        [nameof(HasMoney)] = n => Run(HasMoney.MessageContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.MessageContract, n),
#if !NETFRAMEWORK
        [nameof(Sequences)] = n => RunMutants(Sequences.MessageContract, CollectionTests.SampleSequences, n),
        [nameof(FurtherValues)] = n => RunMutants(FurtherValues.MessageContract, CollectionTests.SampleFurtherValues, n),
        [nameof(ObjectCollections)] = n => RunMutants(ObjectCollections.MessageContract, CollectionTests.SampleObjects, n),
#endif
        [nameof(Concurrents)] = n => Run(Concurrents.MessageContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.MessageContract, n),
        [nameof(HasPart)] = n => Run(HasPart.MessageContract, n),
        [nameof(Vectors)] = n => Run(Vectors.MessageContract, n),
        [nameof(Declared)] = n => Run(Declared.MessageContract, n),
        [nameof(Invoice)] = n => Run(Invoice.MessageContract, n),
        [nameof(Drawing)] = n => Run(Drawing.MessageContract, n),
        [nameof(Shape)] = n => Run(Shape.MessageContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.MessageContract, n),
        [nameof(HasPet)] = n => Run(HasPet.MessageContract, n),
        [nameof(IPet)] = n => Run(UnionContracts.Pet, n),
        ["Box<string>"] = n => Run(ContextContracts.BoxOfString, n),
        ["List<Place>"] = n => Run(ContextContracts.Places, n),
        ["Dictionary<string, Point?>"] = n => Run(ContextContracts.PointsByName, n),
        ["int[][]"] = n => Run(ContextContracts.Jagged, n),
        ["OwnBody"] = n => Run(ContextContracts.OwnBody, n),
        ["Node, by a context"] = n => Run(ContextContracts.NodeAgain, n),
        ["(int, string)"] = n => Run(ContextContracts.Pair, n),
        ["string"] = n => Run(ContextContracts.Text, n),
    };

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    [Fact]
    public void Orders_HaveTheBytesOfTheHandCodedOnes()
    {
        var handCoded = new HandCodedFormatter<Order>();
        var generated = new BinaryBodyFormatter<GeneratedOrder>(GeneratedOrder.MessageContract);
        var classic = new BinaryBodyFormatter<GeneratedClassicOrder>(GeneratedClassicOrder.MessageContract);
        foreach (SampleText text in Enum.GetValues<SampleText>())
        {
            foreach (int count in new[] { 0, 1, 5, 50, 500 })
            {
                Order order = SampleOrders.Create(count, count, text);
                byte[] body = handCoded.Write(order);
                Assert.Equal(body, generated.Write(GeneratedOrder.From(order)));
                Assert.Equal(body, generated.Write(generated.Read(body)));
                Assert.Equal(body, classic.Write(classic.Read(body)));
                Assert.True(order.ContentEquals(handCoded.Read(generated.Write(generated.Read(body)))));
            }
        }
    }

    private static int RunOrders(int count)
    {
        byte[] body = new HandCodedFormatter<Order>().Write(SampleOrders.Create(1, 3, SampleText.Mixed));
        return PairOf(GeneratedClassicOrder.MessageContract).CheckMutants(body, new Random(Seed), count);
    }

    private static int RunMutants<T>(MessageContract<T> contract, T value, int count) => PairOf(contract).CheckOne(value, Seed, count);

    private static int Run<T>(MessageContract<T> contract, int count) => PairOf(contract).CheckRandomValues(Seed, count);

    private static FormatterPair<T> PairOf<T>(MessageContract<T> contract) => new(new BinaryBodyFormatter<T>(contract), new BinaryBodyFormatter<T>(ByReflection.Binary));
}
