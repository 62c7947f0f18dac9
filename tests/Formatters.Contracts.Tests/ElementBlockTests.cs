#if !FORMATTERS_NETSTANDARD
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Runtime.InteropServices;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Arrays and lists whose elements are copied at once have the bytes of elements that are written one by one, and the same errors.</summary>
public class ElementBlockTests
{
    /// <summary>Around the widths of vectors, and beyond a pooled buffer.</summary>
    private static readonly int[] Counts = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 20_000];

    public static TheoryData<string> Formats => ["binary", "binary, reflection", "versioned", "versioned, reflection"];

    [Theory]
    [MemberData(nameof(Formats))]
    public void Elements_have_the_bytes_of_single_ones(string format)
    {
        foreach (int count in Counts)
        {
            Blocks blocks = Blocks.Create(new Random(count), count);
            byte[] body = Of<Blocks>(format).Write(blocks);

            // A versioned body has the same elements within its byte counts.
            if (format.StartsWith("binary", StringComparison.Ordinal))
                Assert.Equal(Expected(blocks), body);
            Blocks anew = Of<Blocks>(format).Read(body);
            Assert.Equal(body, Of<Blocks>(format).Write(anew));
            Assert.Equal(Expected(blocks), Expected(anew));

            // Over objects of another length, and of the same.
            Blocks existing = Blocks.Create(new Random(0), 10);
            List<int> numbers = existing.Numbers;
            Of<Blocks>(format).Read(body, ref existing!);
            Assert.Same(numbers, existing.Numbers);
            Assert.Equal(Expected(blocks), Expected(existing));
            double[] doubles = existing.Doubles;
            Of<Blocks>(format).Read(body, ref existing!);
            Assert.Same(doubles, existing.Doubles);
            Assert.Equal(Expected(blocks), Expected(existing));
        }
    }

    [Theory]
    [InlineData(nameof(Checked.Bools), 1, 0x02, 33)]
    [InlineData(nameof(Checked.Times), 8, 0x3F, 9)]
    [InlineData(nameof(Checked.Days), 4, 0x7F, 17)]
    [InlineData(nameof(Checked.Clocks), 8, 0x7F, 5)]
    public void An_invalid_element_is_named(string member, int size, byte highByte, int count)
    {
        var value = new Checked
        {
            Bools = new bool[member == nameof(Checked.Bools) ? count : 0],
            Times = [.. new DateTime[member == nameof(Checked.Times) ? count : 0]],
            Days = new DateOnly[member == nameof(Checked.Days) ? count : 0],
            Clocks = new TimeOnly[member == nameof(Checked.Clocks) ? count : 0],
        };
        byte[] body = Of<Checked>("binary").Write(value);
        int start = 4 * (1 + Array.IndexOf([nameof(Checked.Bools), nameof(Checked.Times), nameof(Checked.Days), nameof(Checked.Clocks)], member));
        foreach (int index in new[] { 0, 1, count / 2, count - 1 })
        {
            byte[] damaged = [.. body];
            damaged[start + ((index + 1) * size) - 1] = highByte;
            foreach (string format in new[] { "binary", "binary, reflection" })
            {
                MessageFormatException e = Assert.Throws<MessageFormatException>(() => Of<Checked>(format).Read(damaged));
                Assert.Equal(MessageFormatErrorCode.BadValue, e.Code);
                Assert.Equal($"Checked.{member}[{index}]", e.MemberPath);
                Assert.Equal(start + (index * size), e.ByteOffset);

                var existing = new Checked { Bools = new bool[count] };
                Assert.Throws<MessageFormatException>(() => Of<Checked>(format).Read(damaged, ref existing!));
            }
        }
    }

    [Fact]
    public void A_bool_of_another_byte_is_written_as_one()
    {
        byte[] odd = new byte[40];
        odd[7] = 0xFF;
        odd[39] = 2;
        var value = new Checked { Bools = MemoryMarshal.Cast<byte, bool>(odd).ToArray() };

        Checked read = Of<Checked>("binary").Read(Of<Checked>("binary").Write(value));

        Assert.Equal([7, 39], read.Bools.Select((b, i) => b ? i : -1).Where(i => i >= 0));
        Assert.Equal(1, MemoryMarshal.Cast<bool, byte>(read.Bools)[7]);
    }

    [Fact]
    public void An_array_of_the_other_sign_is_written_as_declared()
    {
        var value = new Blocks { Signed = (int[])(object)new uint[] { uint.MaxValue, 1 } };

        Assert.Equal([-1, 1], Of<Blocks>("binary").Read(Of<Blocks>("binary").Write(value)).Signed);
        Assert.Equal([-1, 1], Of<Blocks>("binary, reflection").Read(Of<Blocks>("binary, reflection").Write(value)).Signed);
    }

    [Fact]
    public void A_body_above_the_limit_is_refused()
    {
        Blocks value = Blocks.Create(new Random(1), 1000);
        int byteCount = Of<Blocks>("binary").Write(value).Length;
        foreach (bool isGenerated in new[] { true, false })
        {
            var exact = new BinaryBodyOptions { UseGeneratedContract = isGenerated, Limits = new FormatterLimits { MaxBodyByteCount = byteCount } };
            Assert.Equal(byteCount, new BinaryBodyFormatter<Blocks>(exact).Write(value).Length);
            var below = new BinaryBodyOptions { UseGeneratedContract = isGenerated, Limits = new FormatterLimits { MaxBodyByteCount = byteCount - 1 } };
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<Blocks>(below).Write(value));
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Structs_have_the_bytes_of_their_members(string format)
    {
        foreach (int count in new[] { 0, 1, 3, 1000 })
        {
            Structs value = Structs.Create(new Random(count), count);
            byte[] body = Of<Structs>(format).Write(value);
            if (format == "binary")
                Assert.Equal(new BinaryBodyFormatter<Structs>(ByReflection.Binary).Write(value), body);
            if (format == "versioned")
                Assert.Equal(new VersionedFormatter<Structs>(ByReflection.Versioned).Write(value), body);
            Structs read = Of<Structs>(format).Read(body);
            Assert.Equal(value.Points, read.Points);
            Assert.Equal(value.Padded, read.Padded);
            Assert.Equal(value.Turned, read.Turned);
            Assert.Equal(value.Pairs, read.Pairs);
            Assert.Equal(value.Vectors, read.Vectors);
            Assert.Equal(value.Properties, read.Properties);
            Assert.Equal(value.Computed, read.Computed);
            PointXyz[] points = read.Points;
            List<(int, long)> pairs = read.Pairs;
            points.AsSpan().Clear();
            pairs.Add((0, 0));
            Of<Structs>(format).Read(body, ref read!);
            Assert.Same(points, read.Points);
            Assert.Equal(value.Points, read.Points);
            Assert.Same(pairs, read.Pairs);
            Assert.Equal(value.Pairs, read.Pairs);
        }
    }

    [Fact]
    public void Structs_count_for_the_depth_and_are_named_where_a_body_ends()
    {
        Structs value = Structs.Create(new Random(1), 2);
        byte[] body = Of<Structs>("binary").Write(value);
        foreach (bool isGenerated in new[] { true, false })
        {
            var options = new BinaryBodyOptions { UseGeneratedContract = isGenerated, Limits = new FormatterLimits { MaxDepth = 1 } };
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<Structs>(options).Read(body));
            Assert.Equal((MessageFormatErrorCode.DepthExceeded, "Structs.Points[0]"), (e.Code, e.MemberPath));
            e = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<Structs>(options).Write(value));
            Assert.Equal((MessageFormatErrorCode.DepthExceeded, "Structs.Points[0]"), (e.Code, e.MemberPath));
            e = Assert.Throws<MessageFormatException>(() => Of<Structs>(isGenerated ? "binary" : "binary, reflection").Read(body[..20]));
            Assert.Equal((MessageFormatErrorCode.Truncated, "Structs.Points"), (e.Code, e.MemberPath));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Versioned_structs_of_another_version_among_others_are_read(bool isGenerated)
    {
        // A list of three: the one in the middle is as long as the others, and has the first member and two unknown ones.
        byte[] body = Convert.FromHexString("34000000" + "0107" + "2E000000" + "03000000"
            + "0A00000002330100000002000000" + "0A00000004031203000000999999" + "0A00000002330500000006000000");
        var formatter = new VersionedFormatter<Rows>(new VersionedOptions { UseGeneratedContract = isGenerated });
        (int, int)[] expected = [(1, 2), (3, 0), (5, 6)];

        Assert.Equal(expected, formatter.Read(body).Items.Select(static row => (row.A, row.B)));

        var existing = new Rows { Items = new(10) { new Row { A = 7, B = 8 } } };
        List<Row> items = existing.Items;
        formatter.Read(body, ref existing!);
        Assert.Same(items, existing.Items);
        Assert.Equal(expected, items.Select(static row => (row.A, row.B)));

        // Refused in the middle: the list has nothing that neither the body nor the list had.
        body[33] = 0x04;
        items.RemoveRange(1, 2);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body, ref existing!));
        Assert.Equal((MessageFormatErrorCode.MemberMismatch, "Rows.Items[1].A"), (e.Code, e.MemberPath));
        Assert.True(items.Count <= 1);
    }

    private static MessageFormatter<T> Of<T>(string format)
    {
        bool isGenerated = !format.EndsWith("reflection", StringComparison.Ordinal);
        return format.StartsWith("binary", StringComparison.Ordinal)
            ? new BinaryBodyFormatter<T>(new BinaryBodyOptions { UseGeneratedContract = isGenerated })
            : new VersionedFormatter<T>(new VersionedOptions { UseGeneratedContract = isGenerated });
    }

    /// <summary>Writes the elements one by one.</summary>
    private static byte[] Expected(Blocks value)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        Write(value.Bools, writer.Write);
        Write(value.Bytes, writer.Write);
        Write(value.Shorts, writer.Write);
        Write(value.Signed, writer.Write);
        Write(value.Numbers, writer.Write);
        Write(value.Longs, writer.Write);
        Write(value.Floats, writer.Write);
        Write(value.Doubles, writer.Write);
        Write(value.Halves, writer.Write);
        Write(value.Kinds, kind => writer.Write((ushort)kind));
        Write(value.Times, time => writer.Write(time.ToBinary()));
        Write(value.Days, day => writer.Write(day.DayNumber));
        Write(value.Clocks, clock => writer.Write(clock.Ticks));
        Write(value.Spans, span => writer.Write(span.Ticks));
        Write(value.Ids, id => writer.Write(id.ToByteArray()));
        Write(value.Wide, wide =>
        {
            writer.Write((long)wide);
            writer.Write((long)(wide >> 64));
        });
        writer.Flush();
        return stream.ToArray();

        void Write<T>(IEnumerable<T> elements, Action<T> write)
        {
            writer.Write(elements.Count());
            foreach (T element in elements)
                write(element);
        }
    }
}

public enum BlockKind : ushort
{
    None,
    Last = ushort.MaxValue,
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public sealed partial class Blocks
{
    [MessageMember(1)]
    public bool[] Bools { get; set; } = [];

    [MessageMember(2)]
    public List<byte> Bytes { get; set; } = [];

    [MessageMember(3)]
    public IList<short> Shorts { get; set; } = [];

    [MessageMember(4)]
    public int[] Signed { get; set; } = [];

    [MessageMember(5)]
    public List<int> Numbers { get; set; } = [];

    [MessageMember(6)]
    public IReadOnlyList<ulong> Longs { get; set; } = [];

    [MessageMember(7)]
    public List<float> Floats { get; set; } = [];

    [MessageMember(8)]
    public double[] Doubles { get; set; } = [];

    [MessageMember(9)]
    public Half[] Halves { get; set; } = [];

    [MessageMember(10)]
    public List<BlockKind> Kinds { get; set; } = [];

    [MessageMember(11)]
    public List<DateTime> Times { get; set; } = [];

    [MessageMember(12)]
    public DateOnly[] Days { get; set; } = [];

    [MessageMember(13)]
    public TimeOnly[] Clocks { get; set; } = [];

    [MessageMember(14)]
    public TimeSpan[] Spans { get; set; } = [];

    [MessageMember(15)]
    public List<Guid> Ids { get; set; } = [];

    [MessageMember(16)]
    public Int128[] Wide { get; set; } = [];

    /// <summary>Creates collections of random elements of any bits.</summary>
    internal static Blocks Create(Random random, int count)
    {
        return new Blocks
        {
            Bools = Make(() => random.Next(2) == 0),
            Bytes = [.. Make(() => (byte)random.Next())],
            Shorts = [.. Make(() => (short)random.Next())],
            Signed = Make(() => random.Next(int.MinValue, int.MaxValue)),
            Numbers = [.. Make(() => random.Next(int.MinValue, int.MaxValue))],
            Longs = [.. Make(() => (ulong)random.NextInt64(long.MinValue, long.MaxValue))],
            Floats = [.. Make(() => BitConverter.Int32BitsToSingle(random.Next(int.MinValue, int.MaxValue)))],
            Doubles = Make(() => BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue))),
            Halves = Make(() => BitConverter.Int16BitsToHalf((short)random.Next())),
            Kinds = [.. Make(() => (BlockKind)random.Next(ushort.MaxValue + 1))],
            Times = [.. Make(() => new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), random.Next(8) == 0 ? DateTimeKind.Local : (DateTimeKind)random.Next(2)))],
            Days = Make(() => DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber + 1))),
            Clocks = Make(() => new TimeOnly(random.NextInt64(TimeOnly.MaxValue.Ticks + 1))),
            Spans = Make(() => new TimeSpan(random.NextInt64(long.MinValue, long.MaxValue))),
            Ids = [.. Make(Guid.NewGuid)],
            Wide = Make(() => new Int128((ulong)random.NextInt64(), (ulong)random.NextInt64(long.MinValue, long.MaxValue))),
        };

        T[] Make<T>(Func<T> next) => [.. Enumerable.Range(0, count).Select(_ => next())];
    }
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class Rows
{
    [MessageMember(1)]
    public List<Row> Items { get; set; } = [];
}

public struct Row
{
    [MessageMember(1)]
    public int A { get; set; }

    [MessageMember(2)]
    public int B { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public sealed partial class Structs
{
    [MessageMember(1)]
    public PointXyz[] Points { get; set; } = [];

    [MessageMember(2)]
    public List<PaddedStruct> Padded { get; set; } = [];

    [MessageMember(3)]
    public TurnedStruct[] Turned { get; set; } = [];

    [MessageMember(4)]
    public List<(int, long)> Pairs { get; set; } = [];

    [MessageMember(5)]
    public Vector3[] Vectors { get; set; } = [];

    [MessageMember(6)]
    public List<PropertyStruct> Properties { get; set; } = [];

    [MessageMember(7)]
    public ComputedStruct[] Computed { get; set; } = [];

    internal static Structs Create(Random random, int count)
    {
        return new Structs
        {
            Points = Make(() => new PointXyz { X = random.NextSingle(), Y = random.Next(), Z = (ushort)random.Next() }),
            Padded = [.. Make(() => new PaddedStruct { Small = (byte)random.Next(), Large = random.NextInt64() })],
            Turned = Make(() => new TurnedStruct { First = random.Next(), Second = random.Next() }),
            Pairs = [.. Make(() => (random.Next(), random.NextInt64()))],
            Vectors = Make(() => new Vector3(random.NextSingle(), random.NextSingle(), random.NextSingle())),
            Properties = [.. Make(() => new PropertyStruct { X = random.NextSingle(), Y = random.Next(), Day = (DayOfWeek)random.Next(7) })],
            Computed = Make(() => new ComputedStruct { First = random.Next(), Second = random.Next(), Third = random.Next() }),
        };

        T[] Make<T>(Func<T> next) => [.. Enumerable.Range(0, count).Select(_ => next())];
    }
}

/// <summary>In memory as in a body.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
public struct PointXyz
{
    [MessageMember(1)]
    public float X;

    [MessageMember(2)]
    public int Y;

    [MessageMember(3)]
    public ushort Z;
}

/// <summary>In memory as in a body, with properties, a number of an enum among them.</summary>
public struct PropertyStruct
{
    [MessageMember(1)]
    public float X { get; set; }

    [MessageMember(2)]
    public DayOfWeek Day { get; set; }

    [MessageMember(3)]
    public int Y { get; set; }
}

/// <summary>In memory as in a body, but for properties with code.</summary>
public struct ComputedStruct
{
    private int _first;

    [MessageMember(1)]
    public int First
    {
        readonly get => ~_first;
        set => _first = ~value;
    }

    [MessageMember(2)]
    public int Second { readonly get; set => field = value & 0x7FFF; }

    [MessageMember(3)]
    public int Third { get => field + 1; set => field = value - 1; }
}

/// <summary>In memory with a gap.</summary>
public struct PaddedStruct
{
    [MessageMember(1)]
    public byte Small;

    [MessageMember(2)]
    public long Large;
}

/// <summary>In memory in another order.</summary>
[StructLayout(LayoutKind.Explicit)]
public struct TurnedStruct
{
    [MessageMember(1), FieldOffset(4)]
    public int First;

    [MessageMember(2), FieldOffset(0)]
    public int Second;
}

[MessageContract(Formats = ContractFormats.Binary)]
public sealed partial class Checked
{
    public bool[] Bools { get; set; } = [];

    public List<DateTime> Times { get; set; } = [];

    public DateOnly[] Days { get; set; } = [];

    public TimeOnly[] Clocks { get; set; } = [];
}
#endif
