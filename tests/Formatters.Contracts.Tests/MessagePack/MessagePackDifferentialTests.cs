using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>Generated MessagePack contracts against those found by reflection, which are tested against other libraries: bytes, acceptance, errors.</summary>
public class MessagePackDifferentialTests(ITestOutputHelper output)
{
    private const int Seed = 20261121;

    /// <summary>The number of values of every payload; more by the environment variable.</summary>
    internal static readonly int ValueCount =
        int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_TEST_VALUES"), NumberStyles.None, CultureInfo.InvariantCulture, out int count) ? count : 600;

    // Options with a codec of their own are those for which there is no generated code.
    private static readonly MessagePackOptions ByReflection = MessagePackOptions.Default.WithCodec(new NoCodec());

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

    private static int RunMutants<T>(MessagePackContract<T> contract, T value, int count)
    {
        var pair = new Pair<T>(contract);
        byte[] body = pair.CheckValue(value);
        pair.CheckPrefixes(body);
        return pair.Mutate(body, new Random(Seed), count);
    }

    private static int Run<T>(MessagePackContract<T> contract, int count)
    {
        var pair = new Pair<T>(contract);
        var values = new RandomValues(Seed);
        var random = new Random(Seed);
        T? over = default;
        int failed = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] body = pair.CheckValue(values.Next<T>());
            T target = over is null || i % 7 == 0 ? pair.Generated.Read(body) : over;
            pair.Generated.Read(body, ref target);
            Assert.Equal(body, pair.Generated.Write(target));
            over = target;
            if (i < 20)
                pair.CheckPrefixes(body);
            if (i % 50 == 0)
                failed += pair.Mutate(body, random, 50);
        }

        return failed;
    }

    private sealed class Pair<T>(MessagePackContract<T> contract)
    {
        private readonly MessagePackFormatter<T> _reflection = new(null, ByReflection);
        private readonly MessagePackFormatter<T> _canonical = new(contract, null, isCanonical: true);
        private readonly MessagePackFormatter<T> _canonicalReflection = new(null, ByReflection with { IsCanonical = true });

        internal MessagePackFormatter<T> Generated { get; } = new(contract);

        internal byte[] CheckValue(T value)
        {
            byte[] body = _reflection.Write(value);
            Assert.Equal(body, Generated.Write(value));
            Assert.Equal(body, _reflection.Write(Generated.Read(body)));
            byte[] canonical = _canonicalReflection.Write(value);
            Assert.Equal(canonical, _canonical.Write(value));
            Assert.Equal(canonical, _canonical.Write(Generated.Read(canonical)));
            return body;
        }

        internal void CheckPrefixes(byte[] body)
        {
            for (int byteCount = 0; byteCount < body.Length; byteCount++)
            {
                byte[] prefix = body.AsSpan(0, byteCount).ToArray();
                MessageFormatException e = Assert.Throws<MessageFormatException>(() => Generated.Read(prefix));
                Assert.Equal((MessageFormatErrorCode.Truncated, byteCount), (e.Code, (int)e.ByteOffset));
                Assert.Equal(Mutant.Outcome(() => _reflection.Write(_reflection.Read(prefix))).Error, Mutant.Outcome(() => Generated.Write(Generated.Read(prefix))).Error);
            }
        }

        internal int Mutate(byte[] good, Random random, int count)
        {
            int failed = 0;
            for (int i = 0; i < count; i++)
            {
                byte[] body = Mutant.Of(good, random);
                (byte[]? expected, string? expectedError) = Mutant.Outcome(() => _reflection.Write(_reflection.Read(body)));
                (byte[]? bytes, string? error) = Mutant.Outcome(() => Generated.Write(Generated.Read(body)));
                (byte[]? overBytes, string? overError) = Mutant.Outcome(() =>
                {
                    T target = Generated.Read(good);
                    Generated.Read(body, ref target);
                    return Generated.Write(target);
                });
                string hex = Convert.ToHexString(body);
                Assert.True(error == expectedError && overError == expectedError, $"{typeof(T).Name} {hex}: {expectedError} / {error} / {overError}");
                Assert.True(expected is null || expected.AsSpan().SequenceEqual(bytes), hex);
                Assert.True(expected is null || expected.AsSpan().SequenceEqual(overBytes), hex);
                failed += error is null ? 0 : 1;
            }

            return failed;
        }
    }

    private sealed class Nothing;

    private sealed class NoCodec : MessagePackCodec<Nothing>
    {
        public override void Write(ref MessagePackBodyWriter writer, Nothing value) => writer.WriteNil();

        public override Nothing Read(ref MessagePackBodyReader reader, Nothing? existing = null) => reader.TryReadNil() ? new Nothing() : new Nothing();
    }
}
