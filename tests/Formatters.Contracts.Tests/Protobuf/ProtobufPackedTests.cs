using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Protobuf;
using Formatters.Tests.Support;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>Packed numbers are read and written at once, with the bytes, values and errors of one element at a time.</summary>
public class ProtobufPackedTests
{
    private static readonly ProtobufFormatter<PackedRow>[] Formatters =
        [new(PackedRow.MessageContract), new(ByReflection.Protobuf)];

    /// <summary>The members of <see cref="PackedRow"/>, in the order of their numbers.</summary>
    private static readonly Member[] Members =
    [
        new(static (ref r) => r.ReadInt32(), static row => row.Ints),
        new(static (ref r) => r.ReadInt32(), static row => row.IntList),
        new(static (ref r) => r.ReadUInt32(), static row => row.UInts),
        new(static (ref r) => r.ReadInt64(), static row => row.Longs),
        new(static (ref r) => (decimal)r.ReadUInt64(), static row => row.ULongs),
        new(static (ref r) => r.ReadBool() ? 1 : 0, static row => row.Bools),
        new(static (ref r) => InRange(r.ReadInt32(), short.MinValue, short.MaxValue), static row => row.Shorts),
        new(static (ref r) => InRange(r.ReadUInt32(), 0, ushort.MaxValue), static row => row.UShorts),
        new(static (ref r) => InRange(r.ReadInt32(), sbyte.MinValue, sbyte.MaxValue), static row => row.SBytes),
        new(static (ref r) => InRange(r.ReadUInt32(), 0, char.MaxValue), static row => row.Chars),
        new(static (ref r) => r.ReadSInt32(), static row => row.ZigZags),
        new(static (ref r) => r.ReadSInt64(), static row => row.LongZigZags),
        new(static (ref r) => InRange(r.ReadSInt32(), short.MinValue, short.MaxValue), static row => row.ShortZigZags),
        new(static (ref r) => r.ReadInt32(), static row => row.Enums),
        new(static (ref r) => InRange(r.ReadUInt32(), 0, byte.MaxValue), static row => row.ByteEnums),
        new(static (ref r) => r.ReadSFixed32(), static row => row.Floats.Select(BitConverterBits)),
        new(static (ref r) => r.ReadSFixed64(), static row => row.Doubles.Select(BitConverter.DoubleToInt64Bits)),
        new(static (ref r) => r.ReadSFixed32(), static row => row.FixedInts),
        new(static (ref r) => r.ReadFixed64(), static row => row.FixedULongs),
        new(static (ref r) => InRange(r.ReadFixed32(), 0, ushort.MaxValue), static row => row.FixedUShorts),
    ];

    private delegate decimal? ReadOne(ref ProtobufBodyReader reader);

    [Fact]
    public void Elements_OfAnyCount_AreThoseReadOneAtATime()
    {
        int seed = TestScale.Seed(20261128);
        for (int number = 1; number <= Members.Length; number++)
        {
            for (int count = 0; count <= 70; count++)
            {
                var random = new Random(seed + (number * 100) + count);
                Check(number, Elements(number, count, random, 1));
                Check(number, Elements(number, count, random, 70));
            }
        }
    }

    [Fact]
    public void Elements_OfBodiesCutOrDamaged_HaveTheErrorsOfOneAtATime()
    {
        int seed = TestScale.Seed(20261129);
        for (int number = 1; number <= Members.Length; number++)
        {
            var random = new Random(seed + number);
            foreach (int count in new[] { 1, 9, 20, 40 })
            {
                byte[] elements = Elements(number, count, random, random.Next(2) * 69 + 1);
                for (int length = 0; length < elements.Length; length++)
                    Check(number, elements[..length]);
                for (int i = 0; i < 60; i++)
                {
                    byte[] damaged = (byte[])elements.Clone();
                    for (int j = random.Next(12); j >= 0; j--)
                        damaged[random.Next(damaged.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
                    Check(number, damaged);
                }
            }
        }
    }

    [Fact]
    public void Elements_AtTheBoundsOfEachSize_AreWrittenAndRead()
    {
        long[] bounds = [.. Enumerable.Range(0, 64).SelectMany(static i => new[] { (1L << i) - 1, 1L << i, -(1L << i), -(1L << i) - 1 })];
        var row = new PackedRow
        {
            Ints = [.. bounds.Select(static b => (int)b)],
            IntList = [.. bounds.Reverse().Select(static b => (int)b)],
            UInts = [.. bounds.Select(static b => (uint)b)],
            Longs = bounds,
            ULongs = [.. bounds.Select(static b => (ulong)b)],
            Bools = [.. bounds.Select(static b => (b & 4) == 0)],
            Shorts = [.. bounds.Select(static b => (short)b)],
            UShorts = [.. bounds.Select(static b => (ushort)b)],
            SBytes = [.. bounds.Select(static b => (sbyte)b)],
            Chars = [.. bounds.Select(static b => (char)b)],
            ZigZags = [.. bounds.Select(static b => (int)b)],
            LongZigZags = [.. bounds],
            ShortZigZags = [.. bounds.Select(static b => (short)b)],
            Enums = [.. bounds.Select(static b => (DayOfWeek)(int)b)],
            ByteEnums = [.. bounds.Select(static b => (ByteEnum)(byte)b)],
            Floats = [.. bounds.Select(static b => (float)b)],
            Doubles = [.. bounds.Select(static b => (double)b)],
            FixedInts = [.. bounds.Select(static b => (int)b)],
            FixedULongs = [.. bounds.Select(static b => (ulong)b)],
            FixedUShorts = [.. bounds.Select(static b => (ushort)b)],
        };
        byte[] expected = WriteOneAtATime(row);
        foreach (ProtobufFormatter<PackedRow> formatter in Formatters)
        {
            Assert.Equal(expected, formatter.Write(row));
            Assert.Equal(expected, formatter.Write(formatter.Read(expected)));
        }
    }

    [Fact]
    public void Elements_InSeveralFields_PackedOrNot_AreOneCollection()
    {
        byte[] body =
        [
            0x0A, 3, 1, 2, 3, 0x08, 4, 0x0A, 0, 0x0A, 2, 0xAC, 0x02, 0x12, 1, 9, 0x10, 8, 0x12, 2, 7, 6, 0x0A, 1, 5,
        ];
        foreach (ProtobufFormatter<PackedRow> formatter in Formatters)
        {
            PackedRow read = formatter.Read(body);
            Assert.Equal([1, 2, 3, 4, 300, 5], read.Ints);
            Assert.Equal([9, 8, 7, 6], read.IntList);
            foreach (int length in new[] { 0, 3, 6, 100 })
            {
                var over = new PackedRow { Ints = new int[length], IntList = [.. new int[length]] };
                int[] array = over.Ints;
                formatter.Read(body, ref over);
                Assert.Equal([1, 2, 3, 4, 300, 5], over.Ints);
                Assert.Equal([9, 8, 7, 6], over.IntList);
                Assert.Equal(length == 6, ReferenceEquals(array, over.Ints));
            }
        }
    }

    /// <summary>Each element is charged once, and an array of the right length is filled in place.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(1000)]
    [InlineData(1024)]
    [InlineData(3000)]
    public void StringsAndTimes_OfAnyCount_AreReadIntoArrays(int count)
    {
        var row = new PackedRow
        {
            Texts = [.. Enumerable.Range(0, count).Select(static i => ((char)('a' + (i % 26))).ToString())],
            Times = [.. Enumerable.Range(0, count).Select(static i => new DateTime(2026, 11, 28, 0, 0, 0, DateTimeKind.Utc).AddMilliseconds(i))],
        };
        foreach (ProtobufFormatter<PackedRow> formatter in Formatters)
        {
            byte[] body = formatter.Write(row);
            PackedRow read = formatter.Read(body);
            Assert.Equal(row.Texts, read.Texts);
            Assert.Equal(row.Times, read.Times);
            foreach (int length in new[] { 0, 1, count, count + 1 })
            {
                var over = new PackedRow { Texts = new string[length], Times = new DateTime[length] };
                DateTime[] times = over.Times;
                formatter.Read(body, ref over);
                Assert.Equal(row.Texts, over.Texts);
                Assert.Equal(row.Times, over.Times);
                Assert.Equal(length == count, ReferenceEquals(times, over.Times));
            }

            // Another field between: the elements of both parts, in their order.
            byte[] twice = [.. body, 0xF8, 0x07, 0x01, .. body];
            Assert.Equal(row.Texts.Concat(row.Texts), formatter.Read(twice).Texts);
            Assert.Equal(row.Times.Concat(row.Times), formatter.Read(twice).Times);
        }
    }

    /// <summary>Times are read by words away from the end of the body, in all forms that a message of two fields may have.</summary>
    [Fact]
    public void Times_InAnyForm_AreThoseOfTheirFields()
    {
        var forms = new List<(byte[] Message, long Seconds, int Nanos)>
        {
            ([], 0, 0),
            ([0x08, 5], 5, 0),
            ([0x10, 100], 0, 100),
            ([0x08, 5, 0x10, 100], 5, 100),
            ([0x10, 100, 0x08, 5], 5, 100),
            ([0x08, 5, 0x08, 6], 6, 0),
            ([0x10, 100, 0x10, 0xC8, 0x01], 0, 200),
            ([0x08, 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 5, 0),
            ([0x08, 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x10, 100], 5, 100),
            ([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], -1, 0),
            ([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x10, 0x80, 0xC2, 0xD7, 0x2F], -1, 100_000_000),
            ([0x08, 0x80, 0x80, 0x80, 0x80, 0x10, 0x10, 0x80, 0xC2, 0xD7, 0x2F], 1L << 32, 100_000_000),
            ([0x08, 5, 0x10, 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 5, 0),
            ([0x08, 5, 0x20, 1], 5, 0),
        };
        var epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        foreach ((byte[] message, long seconds, int nanos) in forms)
        {
            foreach (int after in new[] { 0, 1, 5, 20 })
            {
                // After it: a string.
                byte[] body = [.. Tag(22), (byte)message.Length, .. message, .. Tag(21), (byte)after, .. new byte[after]];
                DateTime expected = epoch.AddSeconds(seconds).AddTicks(nanos / 100);
                Assert.All(Formatters, f => Assert.Equal([expected], f.Read(body).Times));
                for (int length = 0; length < message.Length; length++)
                {
                    byte[] cut = [.. Tag(22), (byte)length, .. message[..length], .. Tag(21), (byte)after, .. new byte[after]];
                    string[] outcomes = [.. Formatters.Select(f => Outcome(f, cut))];
                    Assert.Equal(outcomes[0], outcomes[1]);
                    Assert.Equal(Outcome(Formatters[0], [.. Tag(22), (byte)length, .. message[..length]]), outcomes[0]);
                }
            }
        }

        static string Outcome(ProtobufFormatter<PackedRow> formatter, byte[] body)
        {
            try
            {
                return formatter.Read(body).Times[0].ToString("O");
            }
            catch (MessageFormatException e)
            {
                return $"{e.Code} {e.ByteOffset} {e.MemberPath}";
            }
        }
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void Read_OfPackedNumbers_AllocatesOnlyTheArrayOrList()
    {
        ProtobufFormatter<PackedRow> formatter = Formatters[0];
        byte[] ints = formatter.Write(new PackedRow { Ints = [.. Enumerable.Range(0, 10_000)] });
        byte[] list = formatter.Write(new PackedRow { IntList = [.. Enumerable.Range(0, 10_000)] });
        long empty = Allocated([]);
        Assert.InRange(Allocated(ints) - empty, 40_000, 40_100);
        Assert.InRange(Allocated(list) - empty, 40_000, 40_100);

        long Allocated(byte[] body)
        {
            formatter.Read(body);
            long before = GC.GetAllocatedBytesForCurrentThread();
            formatter.Read(body);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }
#endif

    private static void Check(int number, byte[] elements)
    {
        Member member = Members[number - 1];
        byte[] body = [.. Tag(number), .. Varint((ulong)elements.Length), .. elements];
        int start = body.Length - elements.Length;
        string name = $"member {number}: {string.Concat(body.Select(static b => b.ToString("X2")))}";
        (decimal[] values, long errorOffset) = OneAtATime(member.Read, elements);
        bool isWhole = number < 16 || elements.Length % (number is 17 or 19 ? 8 : 4) == 0;
        foreach (ProtobufFormatter<PackedRow> formatter in Formatters)
        {
            PackedRow? over = formatter.Read(WriteOneAtATime(new PackedRow { Ints = [1, 2], IntList = [3, 4, 5], ULongs = [6], Doubles = [7] }));
            if (errorOffset < 0 && isWhole)
            {
                PackedRow read = formatter.Read(body);
                Assert.True(values.SequenceEqual(member.Get(read)), name);
                formatter.Read(body, ref over);
                Assert.True(values.SequenceEqual(member.Get(over)), name);
                byte[] written = formatter.Write(read);
                Assert.True(written.AsSpan().SequenceEqual(WriteOneAtATime(read)), name);
                continue;
            }

            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            MessageFormatException overError = Assert.Throws<MessageFormatException>(() => formatter.Read(body, ref over));
            Assert.Equal((e.Code, e.ByteOffset, e.MemberPath), (overError.Code, overError.ByteOffset, overError.MemberPath));
            if (isWhole)
            {
                Assert.True(start + errorOffset == e.ByteOffset, $"{name}: {e}");
                Assert.True(e.MemberPath!.EndsWith($"[{values.Length}]", StringComparison.Ordinal), $"{name}: {e}");
            }
        }
    }

    private static (decimal[] Values, long ErrorOffset) OneAtATime(ReadOne read, byte[] elements)
    {
        var reader = new ProtobufBodyReader(elements);
        var values = new List<decimal>();
        while (reader.BytesRemaining > 0)
        {
            int offset = reader.ByteOffset;
            try
            {
                if (read(ref reader) is not decimal value)
                    return ([.. values], offset);
                values.Add(value);
            }
            catch (MessageFormatException e)
            {
                return ([.. values], e.ByteOffset);
            }
        }

        return ([.. values], -1);
    }

    /// <summary>Writes packed fields with the methods of the writer for one value.</summary>
    private static byte[] WriteOneAtATime(PackedRow row)
    {
        var body = new List<byte>();
        for (int number = 1; number <= Members.Length; number++)
        {
            byte[] buffer = new byte[4096];
            var writer = new ProtobufBodyWriter(buffer.AsSpan());
            foreach (decimal value in Members[number - 1].Get(row))
            {
                switch (number)
                {
                    case 11 or 13:
                        writer.WriteSInt32((int)value);
                        break;
                    case 12:
                        writer.WriteSInt64((long)value);
                        break;
                    case 16 or 18:
                        writer.WriteSFixed32((int)value);
                        break;
                    case 17:
                        writer.WriteSFixed64((long)value);
                        break;
                    case 19:
                        writer.WriteFixed64((ulong)value);
                        break;
                    case 20:
                        writer.WriteFixed32((uint)value);
                        break;
                    default:
                        writer.WriteUInt64(value < 0 ? (ulong)(long)value : (ulong)value);
                        break;
                }
            }

            if (writer.BytesWritten == 0)
                continue;
            body.AddRange(Tag(number));
            body.AddRange(Varint((ulong)writer.BytesWritten));
            body.AddRange(buffer.AsSpan(0, (int)writer.BytesWritten).ToArray());
        }

        return [.. body];
    }

    /// <summary>Creates packed elements: varints of up to a number of bits, or any bytes of fixed size.</summary>
    private static byte[] Elements(int number, int count, Random random, int maxBits)
    {
        var bytes = new List<byte>();
        for (int i = 0; i < count; i++)
        {
            if (number >= 16)
            {
                byte[] element = new byte[number is 17 or 19 ? 8 : 4];
                random.NextBytes(element);
                if (number == 20)
                    element[2] = element[3] = 0;
                bytes.AddRange(element);
                continue;
            }

            int rangeBits = number switch { 7 => 15, 8 or 10 => 16, 9 => 7, 13 => 16, 15 => 8, _ => 64 };
            ulong value = ((ulong)random.Next() << 33) ^ ((ulong)random.Next() << 8) ^ (ulong)random.Next();
            int bits = maxBits == 1 ? 7 : random.Next(4) == 0 ? random.Next(64) : random.Next(20);
            bytes.AddRange(Varint(value & ((1UL << Math.Min(bits, rangeBits == 64 ? 63 : rangeBits)) - 1)));
            if (rangeBits == 64 && random.Next(30) == 0 && maxBits > 1)
                bytes.AddRange(Varint(~value)); // ten bytes
            if (random.Next(30) == 0 && maxBits > 1)
                bytes.AddRange([0x85, 0x80, 0x00]); // longer than needed
        }

        return [.. bytes];
    }

    private static byte[] Tag(int number) => Varint(((ulong)number << 3) | 2);

    private static byte[] Varint(ulong value)
    {
        byte[] bytes = new byte[10];
        ProtobufEncoding.TryWriteVarint(bytes, value, out int byteCount);
        return bytes[..byteCount];
    }

    private static decimal? InRange(long value, long min, long max) => value < min || value > max ? null : value;

    private static int BitConverterBits(float value) => BitConverter.ToInt32(BitConverter.GetBytes(value), 0);

    private sealed class Member(ReadOne read, Func<PackedRow, System.Collections.IEnumerable> values)
    {
        internal ReadOne Read => read;

        internal IEnumerable<decimal> Get(PackedRow row) => values(row).Cast<object>().Select(static value => value switch
        {
            bool flag => flag ? 1m : 0m,
            char unit => unit,
            Enum constant => Convert.ToDecimal(Convert.ChangeType(constant, Enum.GetUnderlyingType(constant.GetType()))),
            _ => Convert.ToDecimal(value),
        });
    }
}

public enum ByteEnum : byte
{
    None,
}

/// <summary>Packed numbers of all types and encodings.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class PackedRow
{
    [MessageMember(1)] public int[] Ints { get; set; } = [];
    [MessageMember(2)] public List<int> IntList { get; set; } = [];
    [MessageMember(3)] public uint[] UInts { get; set; } = [];
    [MessageMember(4)] public long[] Longs { get; set; } = [];
    [MessageMember(5)] public List<ulong> ULongs { get; set; } = [];
    [MessageMember(6)] public bool[] Bools { get; set; } = [];
    [MessageMember(7)] public short[] Shorts { get; set; } = [];
    [MessageMember(8)] public List<ushort> UShorts { get; set; } = [];
    [MessageMember(9)] public sbyte[] SBytes { get; set; } = [];
    [MessageMember(10)] public char[] Chars { get; set; } = [];
    [MessageMember(11, Encoding = MemberEncoding.ZigZag)] public int[] ZigZags { get; set; } = [];
    [MessageMember(12, Encoding = MemberEncoding.ZigZag)] public List<long> LongZigZags { get; set; } = [];
    [MessageMember(13, Encoding = MemberEncoding.ZigZag)] public short[] ShortZigZags { get; set; } = [];
    [MessageMember(14)] public List<DayOfWeek> Enums { get; set; } = [];
    [MessageMember(15)] public ByteEnum[] ByteEnums { get; set; } = [];
    [MessageMember(16)] public float[] Floats { get; set; } = [];
    [MessageMember(17)] public List<double> Doubles { get; set; } = [];
    [MessageMember(18, Encoding = MemberEncoding.Fixed)] public int[] FixedInts { get; set; } = [];
    [MessageMember(19, Encoding = MemberEncoding.Fixed)] public List<ulong> FixedULongs { get; set; } = [];
    [MessageMember(20, Encoding = MemberEncoding.Fixed)] public List<ushort> FixedUShorts { get; set; } = [];
    [MessageMember(21)] public string[] Texts { get; set; } = [];
    [MessageMember(22)] public DateTime[] Times { get; set; } = [];
}
