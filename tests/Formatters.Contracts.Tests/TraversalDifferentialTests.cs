using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Formatters.Orders;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>Generated contracts against those found by reflection, in a format of the traversal: bytes, acceptance, errors.</summary>
public abstract class TraversalDifferentialTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    /// <summary>The number of values of every payload. What both sides share, JudgeTests judges.</summary>
    internal static readonly int ValueCount = TestScale.Values(100);

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    private static readonly Dictionary<string, Func<TraversalDifferentialTests, int, int>> All = new()
    {
        [nameof(Scalars)] = (tests, n) => tests.Run<Scalars>(n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = (tests, n) => tests.Run<NetScalars>(n),
#endif
        [nameof(Nullables)] = (tests, n) => tests.Run<Nullables>(n),
        [nameof(Collections)] = (tests, n) => tests.Run<Collections>(n),
        [nameof(Derived)] = (tests, n) => tests.Run<Derived>(n),
        [nameof(Positional)] = (tests, n) => tests.Run<Positional>(n),
        [nameof(RecordStruct)] = (tests, n) => tests.Run<RecordStruct>(n),
        [nameof(ReadOnlyPoint)] = (tests, n) => tests.Run<ReadOnlyPoint>(n),
        [nameof(Required)] = (tests, n) => tests.Run<Required>(n),
        [nameof(ReadOnlyFields)] = (tests, n) => tests.Run<ReadOnlyFields>(n),
        [nameof(Node)] = (tests, n) => tests.Run<Node>(n),
        [nameof(HasBoxes)] = (tests, n) => tests.Run<HasBoxes>(n),
        [nameof(Picky)] = (tests, n) => tests.Run<Picky>(n),
        [nameof(PickySetter)] = (tests, n) => tests.Run<PickySetter>(n),
        [nameof(HasOwn)] = (tests, n) => tests.Run<HasOwn>(n),
        [nameof(Outer.Inner)] = (tests, n) => tests.Run<Outer.Inner>(n),
        [nameof(Wide)] = (tests, n) => tests.Run<Wide>(n),
        [nameof(GeneratedOrder)] = (tests, n) => tests.Run<GeneratedOrder>(n),
        [nameof(OptInRecord)] = (tests, n) => tests.Run<OptInRecord>(n),
        [nameof(SmallStructs)] = (tests, n) => tests.Run<SmallStructs>(n),
        [nameof(MarkedStruct)] = (tests, n) => tests.Run<MarkedStruct>(n),
        [nameof(XmlOrdered)] = (tests, n) => tests.Run<XmlOrdered>(n),
        [nameof(HasMoney)] = (tests, n) => tests.Run<HasMoney>(n),
        [nameof(CalledRecord)] = (tests, n) => tests.Run<CalledRecord>(n),
#if !NETFRAMEWORK
        [nameof(Sequences)] = (tests, n) => tests.RunMutants(CollectionTests.SampleSequences, n),
        [nameof(FurtherValues)] = (tests, n) => tests.RunMutants(CollectionTests.SampleFurtherValues, n),
        [nameof(ObjectCollections)] = (tests, n) => tests.RunMutants(CollectionTests.SampleObjects, n),
#endif
        [nameof(Drawing)] = (tests, n) => tests.Run<Drawing>(n),
        [nameof(Shape)] = (tests, n) => tests.Run<Shape>(n),
        [nameof(OldDrawing)] = (tests, n) => tests.Run<OldDrawing>(n),
        [nameof(HasPet)] = (tests, n) => tests.Run<HasPet>(n),
        [nameof(IPet)] = (tests, n) => tests.Run<IPet>(n, typeof(UnionContracts), "Pet"),
        ["Box<string>"] = (tests, n) => tests.Run<Box<string>>(n, typeof(ContextContracts), "BoxOfString"),
        ["List<Place>"] = (tests, n) => tests.Run<List<Place>>(n, typeof(ContextContracts), "Places"),
        ["Dictionary<string, Point?>"] = (tests, n) => tests.Run<Dictionary<string, Point?>>(n, typeof(ContextContracts), "PointsByName"),
        ["int[][]"] = (tests, n) => tests.Run<int[][]>(n, typeof(ContextContracts), "Jagged"),
        ["OwnBody"] = (tests, n) => tests.Run<OwnBody>(n, typeof(ContextContracts), "OwnBody"),
        ["Node, by a context"] = (tests, n) => tests.Run<Node>(n, typeof(ContextContracts), "NodeAgain"),
        ["(int, string)"] = (tests, n) => tests.Run<(int, string)>(n, typeof(ContextContracts), "Pair"),
        ["string"] = (tests, n) => tests.Run<string>(n, typeof(ContextContracts), "Text"),
        [nameof(Concurrents)] = (tests, n) => tests.Run<Concurrents>(n),
        [nameof(PositionalDerived)] = (tests, n) => tests.Run<PositionalDerived>(n),
        [nameof(HasPart)] = (tests, n) => tests.Run<HasPart>(n),
        [nameof(Vectors)] = (tests, n) => tests.Run<Vectors>(n),
        [nameof(Declared)] = (tests, n) => tests.Run<Declared>(n),
        [nameof(Invoice)] = (tests, n) => tests.Run<Invoice>(n),
        [nameof(Segments)] = (tests, n) => tests.Run<Segments>(n),
        [nameof(GeneratedClassicOrder)] = (tests, n) => tests.RunMutants(ClassicOrder(), n),
        [nameof(HasFormatted)] = (tests, n) => tests.RunMutants(new HasFormatted(), n),
    };

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](this, ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    [Fact]
    public void DuplicateKey_IsAnErrorOfItsEntry()
    {
        FormatterPair<Dictionary<string, Point?>> pair = PairOf<Dictionary<string, Point?>>(typeof(ContextContracts), "PointsByName");
        byte[] body = pair.Write(new Dictionary<string, Point?> { ["a"] = new Point(), ["b"] = new Point() });
        body[Array.IndexOf(body, (byte)'b')] = (byte)'a';
        Assert.Contains("[1] ", pair.CheckBody(body), StringComparison.Ordinal);
    }

    /// <summary>Makes the two formatters of a type.</summary>
    /// <param name="contracts">The class that has the generated contract.</param>
    /// <param name="name">The name of the contract, without that of the format before it.</param>
    internal abstract FormatterPair<T> PairOf<T>(Type contracts, string name);

    /// <summary>The value of a property, which the generator has made.</summary>
    private protected static MessageContract<T> Contract<T>(Type contracts, string propertyName) =>
        (MessageContract<T>)contracts.GetProperty(propertyName, BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)!.GetValue(null)!;

    private static GeneratedClassicOrder ClassicOrder()
    {
        byte[] body = new HandCodedFormatter<Order>().Write(SampleOrders.Create(1, 3, SampleText.Mixed));
        return new BinaryBodyFormatter<GeneratedClassicOrder>(GeneratedClassicOrder.MessageContract).Read(body);
    }

    private int RunMutants<T>(T value, int count) => PairOf<T>(typeof(T), "MessageContract").CheckOne(value, Seed, count);

    private int Run<T>(int count) => Run<T>(count, typeof(T), "MessageContract");

    private int Run<T>(int count, Type contracts, string name) => PairOf<T>(contracts, name).CheckRandomValues(Seed, count);
}
