using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Binary;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Reflection;

public partial class ReflectionFormatterTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_DamagedMember_NamesItAndItsOffset(bool compiled)
    {
        BinaryBodyFormatter<Order> formatter = Engines.Make<Order>(compiled, options: BinaryBodyOptions.Default with { UseOwnBodies = false });
        Order order = SampleOrders.Create();
        ((LineItem)order.LineItems[3]!).Name = "needle";
        byte[] body = formatter.Write(order);
        int offset = body.AsSpan().IndexOf("needle"u8);
        body[offset] = 0xFF;
        AssertError(formatter, body, MessageFormatErrorCode.BadText, offset, "Order.LineItems[3].Name");
        body[offset] = (byte)'n';
        AssertError(formatter, [.. body, 0], MessageFormatErrorCode.TrailingBytes, body.Length, null);

        BinaryBodyFormatter<Dictionary<int, bool>> dictionary = Engines.Make<Dictionary<int, bool>>(compiled);
        AssertError(dictionary, Bytes.Hex("02000000 0700000001 0700000000"), MessageFormatErrorCode.DuplicateKey, 9, "Dictionary<int, bool>[1]");
        AssertError(dictionary, Bytes.Hex("FFFFFFFF"), MessageFormatErrorCode.BadLength, 0, "Dictionary<int, bool>");
        AssertError(Engines.Make<List<int>>(compiled), Bytes.Hex("FFFFFF7F 00"), MessageFormatErrorCode.Truncated, 5, "List<int>");
        AssertError(Engines.Make<Nullables>(compiled), Bytes.Hex("02"), MessageFormatErrorCode.BadValue, 0, "Nullables.Number");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_TypeThatRefusesTheValue_GivesTheTypedError(bool compiled)
    {
        BinaryBodyFormatter<Picky> formatter = Engines.Make<Picky>(compiled);
        Assert.Equal(2, formatter.Read(Bytes.Hex("01000000 02000000")).Set);
        MessageFormatException e = AssertError(formatter, Bytes.Hex("FFFFFFFF 02000000"), MessageFormatErrorCode.BadValue, 8, "Picky");
        Assert.IsType<ArgumentOutOfRangeException>(e.InnerException);
        Assert.True(e.IsPoison);
        e = AssertError(formatter, Bytes.Hex("01000000 FFFFFFFF"), MessageFormatErrorCode.BadValue, 8, "Picky.Set");
        Assert.IsType<InvalidOperationException>(e.InnerException);
        Assert.False(e.IsPoison);
        AssertError(Engines.Make<Holds<BadOwn>>(compiled), Bytes.Hex("05000000"), MessageFormatErrorCode.BadValue, 4, "Holds<BadOwn>.Value");
        Assert.Throws<NotSupportedException>(() => Engines.Make<BadGetter>(compiled).Write(new BadGetter()));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_ElementsWithoutBytes_AreBoundedForTheBodyAsAWhole(bool compiled)
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxElementCount = 1000 };
        BinaryBodyFormatter<List<Empty>> one = Engines.Make<List<Empty>>(compiled, limits);
        Assert.Equal(1000, one.Read(Bytes.Hex("E8030000")).Count);
        AssertError(one, Bytes.Hex("E9030000"), MessageFormatErrorCode.LimitExceeded, 0, "List<Empty>");
        AssertError(
            Engines.Make<List<Empty[]>>(compiled, limits), Bytes.Hex("03000000 F4010000 F4010000 01000000"), MessageFormatErrorCode.LimitExceeded, 12, "List<Empty[]>[2]");
    }

    [Fact]
    public void Read_MutatedBodies_EnginesAgreeOnValueOrError()
    {
        const int Seed = 20261121;
        var random = new Random(Seed);
        int failed = 0;
        failed += Mutate(
            new Collections
            {
                Array = [1, 2], List = ["a", "béé"], NullableElements = ["a", null], Structs = [new Point { X = 1, Y = 2 }], Objects = [new Place { Name = "n" }],
                Jagged = [[1], []], Map = new() { [Colour.Red] = "r", [Colour.Blue] = null }, MaybeNumbers = [1, null], Pairs = [new(1, "one")],
                Tuple = (1, "t", null), Enums = [Wide.Far], Numbers = [1, 2],
            },
            random);
        failed += Mutate(new Nullables { Number = 5, Text = "x", Address = new Point { X = 1 }, Place = new Place { Name = "p" }, Bytes = [9], List = [1] }, random);
        failed += Mutate(new Scalars { Decimal = 1.5m, Char = 'é', Text = "text", DateTime = new DateTime(1, DateTimeKind.Local) }, random);
        failed += Mutate(new Positional(1, "two", [3]) { Optional = "o" }, random);
        failed += Mutate(new Node { Next = new Node(), Children = [new(), new() { Next = new() }] }, random);
        failed += Mutate(new Picky(1) { Set = 5 }, random);
        failed += Mutate(new HasOwn { Owns = [new(), new()] }, random);
        Assert.True(failed > 5000, $"Seed {Seed}: only {failed} mutants failed.");
    }

    private static int Mutate<T>(T value, Random random)
    {
        BinaryBodyFormatter<T> compiled = Engines.Make<T>(true);
        BinaryBodyFormatter<T> plain = Engines.Make<T>(false);
        byte[] good = compiled.Write(value);
        Assert.Equal(good, plain.Write(value));
        T existing = compiled.Read(good);
        int failed = 0;
        for (int i = 0; i < 3000; i++)
        {
            byte[] body = Mutant.Of(good, random);
            (byte[]? bytes, string? error) = Mutant.Outcome(() => compiled.Write(compiled.Read(body)));
            (byte[]? plainBytes, string? plainError) = Mutant.Outcome(() => plain.Write(plain.Read(body)));
            (byte[]? overBytes, string? overError) = Mutant.Outcome(() =>
            {
                T target = existing;
                compiled.Read(body, ref target);
                return compiled.Write(target);
            });
            string hex = Convert.ToHexString(body);
            Assert.True(error == plainError && error == overError, $"{typeof(T).Name} {hex}: {error} / {plainError} / {overError}");
            Assert.Equal(bytes, plainBytes);
            Assert.Equal(bytes, overBytes);
            if (error is not null)
                failed++;
            if (overError is not null)
                existing = compiled.Read(good);
        }

        return failed;
    }

    private static MessageFormatException AssertError<T>(BinaryBodyFormatter<T> formatter, byte[] body, MessageFormatErrorCode code, int offset, string? path)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((code, offset, path), (e.Code, e.ByteOffset, e.MemberPath));
        return e;
    }

    private sealed class Picky
    {
        private int _set;

        public Picky(int made) => Made = made >= 0 ? made : throw new ArgumentOutOfRangeException(nameof(made));

        public int Made { get; }

        public int Set
        {
            get => _set;
            set => _set = value >= 0 ? value : throw new InvalidOperationException("Negative.");
        }
    }

    private sealed class BadOwn : IBinaryBody
    {
        public void Save(ref BinaryBodyWriter writer) => writer.Write(0);

        public void Load(ref BinaryBodyReader reader) => throw new InvalidCastException(reader.ReadInt32().ToString(System.Globalization.CultureInfo.InvariantCulture));
    }

    private sealed class BadGetter
    {
        public int Value
        {
            get => throw new NotSupportedException();
            set => _ = value;
        }
    }
}
