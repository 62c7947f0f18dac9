using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Binary;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Binary;

/// <summary>Every value against System.IO.BinaryWriter, which is the specification.</summary>
public class BinaryBodyWriterTests
{
    private delegate void Save(ref BinaryBodyWriter writer);

    private static readonly (string Name, Save Ours, Action<BinaryWriter> Theirs)[] Values = [.. All()];

    public static TheoryData<string> Names() => new(Values.Select(v => v.Name));

    private static IEnumerable<(string, Save, Action<BinaryWriter>)> All()
    {
        foreach (bool v in new[] { false, true })
            yield return ($"bool {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (byte v in new byte[] { 0, 1, 127, 128, 255 })
            yield return ($"byte {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (sbyte v in new sbyte[] { -128, -1, 0, 127 })
            yield return ($"sbyte {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (short v in new short[] { short.MinValue, -1, 0, 258, short.MaxValue })
            yield return ($"short {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (ushort v in new ushort[] { 0, 258, ushort.MaxValue })
            yield return ($"ushort {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (int v in new[] { int.MinValue, -1, 0, 0x01020304, int.MaxValue })
            yield return ($"int {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (uint v in new[] { 0u, 0x01020304u, uint.MaxValue })
            yield return ($"uint {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (long v in new[] { long.MinValue, -1, 0, 0x0102030405060708, long.MaxValue })
            yield return ($"long {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (ulong v in new[] { 0ul, 0x0102030405060708ul, ulong.MaxValue })
            yield return ($"ulong {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (float v in new[] { 0f, -0f, 1.5f, float.NaN, float.NegativeInfinity, float.Epsilon, BitConverter.Int32BitsToSingle(0x7F800001) })
            yield return ($"float {BitConverter.SingleToInt32Bits(v):X}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (double v in new[] { 0d, -0d, Math.PI, double.NaN, double.PositiveInfinity, double.Epsilon, BitConverter.Int64BitsToDouble(0x7FF0000000000001) })
            yield return ($"double {BitConverter.DoubleToInt64Bits(v):X}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (decimal v in new[] { 0m, -0.0m, 1.20m, decimal.MaxValue, decimal.MinValue, 0.0000000000000000000000000001m })
            yield return ($"decimal {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (char v in new[] { '\0', 'a', '\u007F', '\u0080', '\u07FF', '\u0800', '\uD7FF', '\uE000', '\uFFFF' })
            yield return ($"char {(int)v:X}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        foreach (int v in new[] { 0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 268435455, 268435456, int.MaxValue, -1, int.MinValue })
            yield return ($"7-bit int {v}", (ref BinaryBodyWriter w) => w.Write7BitEncodedInt(v), w => w.Write7BitEncodedInt(v));
        foreach (long v in new[] { 0, 127, 128, int.MaxValue, 1L << 35, (1L << 56) - 1, 1L << 62, long.MaxValue, -1, long.MinValue })
            yield return ($"7-bit long {v}", (ref BinaryBodyWriter w) => w.Write7BitEncodedInt64(v), w => w.Write7BitEncodedInt64(v));
        foreach (byte[] v in new[] { [], new byte[] { 1, 2, 3 }, new byte[1000] })
            yield return ($"bytes {v.Length}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));

        // The values that BinaryWriter has no method for, as docs/wire/binary.md composes them of those it has.
        foreach (DateTimeKind kind in Enum.GetValues<DateTimeKind>())
        {
            var v = new DateTime(2026, 11, 20, 9, 30, 15, kind);
            yield return ($"DateTime {kind}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v.ToBinary()));
        }

        foreach (DateTime v in new[] { DateTime.MinValue, DateTime.MaxValue })
            yield return ($"DateTime {v.Ticks}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v.ToBinary()));
        foreach (DateTimeOffset v in new[] { DateTimeOffset.MinValue, DateTimeOffset.MaxValue, new(2026, 11, 20, 9, 30, 15, TimeSpan.FromMinutes(-570)) })
        {
            yield return ($"DateTimeOffset {v.Ticks}", (ref BinaryBodyWriter w) => w.Write(v), w =>
            {
                w.Write(v.Ticks);
                w.Write((short)v.Offset.TotalMinutes);
            });
        }

        foreach (TimeSpan v in new[] { TimeSpan.MinValue, TimeSpan.Zero, TimeSpan.MaxValue })
            yield return ($"TimeSpan {v.Ticks}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v.Ticks));
        foreach (Guid v in new[] { Guid.Empty, new Guid("00112233-4455-6677-8899-aabbccddeeff") })
            yield return ($"Guid {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v.ToByteArray()));
        yield return ("byte block", (ref BinaryBodyWriter w) => w.WriteBytes([1, 2, 3]), w =>
        {
            w.Write(3);
            w.Write(new byte[] { 1, 2, 3 });
        });
        yield return ("count", (ref BinaryBodyWriter w) => w.WriteCount(258), w => w.Write(258));
        yield return ("nullable string", (ref BinaryBodyWriter w) => w.WriteNullable("x"), w =>
        {
            w.Write(true);
            w.Write("x");
        });
        yield return ("null string", (ref BinaryBodyWriter w) => w.WriteNullable(null), w => w.Write(false));
#if !FORMATTERS_NETSTANDARD
        foreach (Half v in new[] { Half.Zero, Half.NaN, (Half)1.5 })
            yield return ($"Half {v}", (ref BinaryBodyWriter w) => w.Write(v), w => w.Write(v));
        yield return ("DateOnly", (ref BinaryBodyWriter w) => w.Write(DateOnly.MaxValue), w => w.Write(DateOnly.MaxValue.DayNumber));
        yield return ("TimeOnly", (ref BinaryBodyWriter w) => w.Write(TimeOnly.MaxValue), w => w.Write(TimeOnly.MaxValue.Ticks));
        yield return ("Int128", (ref BinaryBodyWriter w) => w.Write(Int128.MinValue), w =>
        {
            w.Write(0ul);
            w.Write(0x8000000000000000ul);
        });
        yield return ("UInt128", (ref BinaryBodyWriter w) => w.Write(UInt128.MaxValue - 1), w =>
        {
            w.Write(ulong.MaxValue - 1);
            w.Write(ulong.MaxValue);
        });
#endif
    }

    private static byte[] WithBinaryWriter(Action<BinaryWriter> save)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        save(writer);
        writer.Flush();
        return stream.ToArray();
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_Value_GivesBinaryWritersBytes(string name)
    {
        (_, Save ours, Action<BinaryWriter> theirs) = Values.Single(v => v.Name == name);
        byte[] expected = WithBinaryWriter(theirs);

        var buffer = new ArrayBufferWriter<byte>();
        var writer = new BinaryBodyWriter(buffer);
        ours(ref writer);
        Assert.Equal(expected.Length, writer.BytesWritten);
        writer.Flush();
        Assert.Equal(expected, buffer.WrittenSpan.ToArray());

        var stingy = new StingyBufferWriter();
        writer = new BinaryBodyWriter(stingy);
        ours(ref writer);
        ours(ref writer);
        writer.Flush();
        Assert.Equal([.. expected, .. expected], stingy.ToArray());

        var exact = new byte[expected.Length];
        writer = new BinaryBodyWriter(exact);
        ours(ref writer);
        writer.Flush();
        Assert.Equal(expected.Length, writer.BytesWritten);
        Assert.Equal(expected, exact);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_SpanOneByteTooSmall_ThrowsAndWritesNothingBeyond(string name)
    {
        (_, Save ours, Action<BinaryWriter> theirs) = Values.Single(v => v.Name == name);
        int needed = WithBinaryWriter(theirs).Length;
        Skip.If(needed == 0, "nothing is smaller than no bytes.");
        var array = new byte[needed + 8];
        array.AsSpan(needed - 1).Fill(0xEE);
        Assert.Throws<ArgumentException>(() =>
        {
            var writer = new BinaryBodyWriter(array.AsSpan(0, needed - 1));
            ours(ref writer);
        });
        Assert.All(array[(needed - 1)..], b => Assert.Equal(0xEE, b));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Write_RandomText_GivesBinaryWritersBytes(int seed)
    {
        var random = new Random(seed);
        var buffer = new ArrayBufferWriter<byte>();
        for (int i = 0; i < 40_000; i++)
        {
            int charCount = random.Next(20) == 0 ? random.Next(5_000) : random.Next(70);
            string text = RandomText.Next(random, charCount, validOnly: false);
            byte[] expected = WithBinaryWriter(w => w.Write(text));

            buffer.Clear();
            var writer = new BinaryBodyWriter(buffer);
            writer.Write(text);
            writer.Flush();
            Assert.True(expected.AsSpan().SequenceEqual(buffer.WrittenSpan), $"seed {seed}, text {i} of {charCount} characters");

            // A span of exactly the length, with a guard behind it.
            var exact = new byte[expected.Length + 64];
            exact.AsSpan(expected.Length).Fill(0xEE);
            writer = new BinaryBodyWriter(exact.AsSpan(0, expected.Length));
            writer.Write(text);
            Assert.True(expected.AsSpan().SequenceEqual(exact.AsSpan(0, expected.Length)), $"seed {seed}, text {i}, exact span");
            Assert.True(exact.AsSpan(expected.Length).IndexOfAnyExcept((byte)0xEE) < 0, $"seed {seed}, text {i} was written past its end");
        }
    }

    [Fact]
    public void Write_EveryLength_StaysInsideItsRoom()
    {
        for (int charCount = 0; charCount <= 300; charCount++)
        {
            foreach (char c in "aü東")
            {
                string text = new(c, charCount);
                byte[] expected = WithBinaryWriter(w => w.Write(text));
                // Room for the fast path, and a guard behind the room it may use.
                int room = 5 + (3 * charCount);
                var array = new byte[room + 64];
                array.AsSpan(room).Fill(0xEE);
                var writer = new BinaryBodyWriter(array.AsSpan(0, room));
                writer.Write(text);
                Assert.Equal(expected, array[..(int)writer.BytesWritten]);
                Assert.True(array.AsSpan(room).IndexOfAnyExcept((byte)0xEE) < 0);
            }
        }
    }

    [Fact]
    public void Write_Null_IsUnexpectedNull()
    {
        foreach (Action write in new Action[]
        {
            () => new BinaryBodyWriter(new byte[10]).Write((string)null!),
            () => new BinaryBodyWriter(new byte[10]).Write((byte[])null!),
        })
            Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Assert.Throws<MessageFormatException>(write).Code);
    }

    [Fact]
    public void Limits_OfADefaultWriterAndReader_AreTheDefault()
    {
        Assert.Same(FormatterLimits.Default, default(BinaryBodyWriter).Limits);
        Assert.Same(FormatterLimits.Default, default(BinaryBodyReader).Limits);
    }

    [Fact]
    public void Write_Surrogate_ThrowsArgumentException() =>
        Assert.Throws<ArgumentException>(() =>
        {
            var writer = new BinaryBodyWriter(new byte[10]);
            writer.Write('\uD800');
        });

    [Theory]
    [InlineData("", 0xD800, "")]
    [InlineData("abcdefghijk", 0xDC00, "lmn")]
    [InlineData("😀", 0xDC00, "")]
    public void Write_LoneSurrogateWhenRefused_ThrowsBadText(string before, int surrogate, string after)
    {
        string text = before + (char)surrogate + after; // an attribute cannot carry it
        MessageFormatException e = Assert.Throws<MessageFormatException>(() =>
        {
            var writer = new BinaryBodyWriter(new byte[100], FormatterLimits.Default with { RefuseInvalidText = true });
            writer.Write(text);
        });
        Assert.Equal(MessageFormatErrorCode.BadText, e.Code);
    }

    [Fact]
    public void Write_PairedSurrogateWhenLoneOnesAreRefused_IsWritten()
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new BinaryBodyWriter(buffer, FormatterLimits.Default with { RefuseInvalidText = true });
        writer.Write("a😀b");
        writer.Flush();
        Assert.Equal(Bytes.Hex("06 61 F09F9880 62"), buffer.WrittenSpan.ToArray());
    }

    [Fact]
    public void Write_BodyBeyondLimit_ThrowsLimitExceeded()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = 1000 };
        var buffer = new ArrayBufferWriter<byte>();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() =>
        {
            var writer = new BinaryBodyWriter(buffer, limits);
            for (int i = 0; i < 1001; i++)
                writer.Write((byte)i);
            writer.Flush();
        });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
        Assert.False(e.IsPoison);
    }

    /// <summary>Breaks the contract of buffer writers: its spans have four bytes, whatever is asked for.</summary>
    private sealed class ShortBufferWriter : IBufferWriter<byte>
    {
        public byte[] Guarded { get; } = new byte[64];

        public void Advance(int count)
        {
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => Guarded.AsMemory(0, 4);

        public Span<byte> GetSpan(int sizeHint = 0) => Guarded.AsSpan(0, 4);
    }

    [Fact]
    public void Write_BufferWriterGivesLessThanAsked_ThrowsAndWritesNothingBeyond()
    {
        var output = new ShortBufferWriter();
        Assert.Throws<InvalidOperationException>(() =>
        {
            var writer = new BinaryBodyWriter(output);
            writer.Write(long.MaxValue);
        });
        Assert.All(output.Guarded, b => Assert.Equal(0, b));
    }

    [Fact]
    public void WriteCount_BeyondLimit_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            var writer = new BinaryBodyWriter(new byte[10]);
            writer.WriteCount(-1);
        });
        MessageFormatException e = Assert.Throws<MessageFormatException>(() =>
        {
            var writer = new BinaryBodyWriter(new byte[10], FormatterLimits.Default with { MaxElementCount = 5 });
            writer.WriteCount(6);
        });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
    }
}
