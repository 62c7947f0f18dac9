using System;
using System.Linq;
using System.Text;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>The first and the last of what contracts allow: numbers of members, lengths of names, and counts of elements at the limit.</summary>
public class BoundaryTests
{
    /// <summary>Names around the lengths that fit into the first byte: 23 bytes in CBOR, 31 in MessagePack, 39 in the compact format.</summary>
    [Theory]
    [InlineData("MessagePack", 0x87, 0xA0, 31, 0xD9)]
    [InlineData("CBOR", 0xA7, 0x60, 23, 0x78)]
    [InlineData("compact", 0xC7, 0x80, 39, 0xD1)]
    public void Names_OfEveryWidth_AreKeys(string format, byte mapHeader, int shortText, int maxShort, int longText)
    {
        var value = new LongNames
        {
            Z = 1,
            Y2345678901234567890123 = 2,
            X23456789012345678901234 = 3,
            W234567890123456789012345678901 = 4,
            V2345678901234567890123456789012 = 5,
            B23456789012345678901234567890123456789 = 6,
            A234567890123456789012345678901234567890 = 7,
        };
        (string Name, int Value)[] members =
        [
            (nameof(LongNames.Z), 1),
            (nameof(LongNames.Y2345678901234567890123), 2),
            (nameof(LongNames.X23456789012345678901234), 3),
            (nameof(LongNames.W234567890123456789012345678901), 4),
            (nameof(LongNames.V2345678901234567890123456789012), 5),
            (nameof(LongNames.B23456789012345678901234567890123456789), 6),
            (nameof(LongNames.A234567890123456789012345678901234567890), 7),
        ];
        Assert.Equal([1, 23, 24, 31, 32, 39, 40], members.Select(static member => member.Name.Length));
        byte[] body = [mapHeader, .. members.SelectMany(Entry)];
        // The first name that is too long for that, with a first byte as if it were not.
        int tooLong = Array.FindIndex(members, member => member.Name.Length > maxShort);
        byte[] bad =
        [
            (byte)(mapHeader - members.Length + tooLong + 1), .. members.Take(tooLong).SelectMany(Entry),
            (byte)(shortText + maxShort + 1), .. Encoding.ASCII.GetBytes(members[tooLong].Name), 1,
        ];
        foreach ((string name, MessageFormatter<LongNames> formatter) in AllFormats.Of<LongNames>().Where(row => row.Name.StartsWith(format, StringComparison.Ordinal)))
        {
            Assert.Equal((name, Convert.ToHexString(body)), (name, Convert.ToHexString(formatter.Write(value))));
            Assert.Throws<MessageFormatException>(() => formatter.Read(bad));
            LongNames same = formatter.Read(body);
            Assert.Equal((name, Convert.ToHexString(body)), (name, Convert.ToHexString(formatter.Write(same))));
            for (int byteCount = 0; byteCount < body.Length; byteCount++)
            {
                byte[] prefix = body[..byteCount];
                Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => formatter.Read(prefix)).Code);
            }
        }

        byte[] Entry((string Name, int Value) member) =>
        [
            .. member.Name.Length <= maxShort ? [(byte)(shortText + member.Name.Length)] : (byte[])[(byte)longText, (byte)member.Name.Length],
            .. Encoding.ASCII.GetBytes(member.Name), (byte)member.Value,
        ];
    }

    /// <summary>A list of as many elements as the limit allows, of records of as many; one more of either is refused.</summary>
    [Theory]
    [InlineData("MessagePack")]
    [InlineData("CBOR")]
    [InlineData("compact")]
    public void ElementCounts_AtTheLimit_AreRead(string format)
    {
        foreach ((string name, MessageFormatter<SkippingList> writer) in AllFormats.Of<SkippingList>().Where(row => row.Name.StartsWith(format, StringComparison.Ordinal)))
        {
            // The record of an item has 3 elements.
            foreach ((int limit, int itemCount, bool isRead) in new[] { (3, 3, true), (3, 4, false), (2, 1, false), (30, 30, true), (30, 31, false), (300, 300, true), (300, 301, false) })
            {
                byte[] body = writer.Write(new SkippingList { Items = [.. Enumerable.Range(0, itemCount).Select(static i => new SkippingItem { First = i })] });
                MessageFormatter<SkippingList> reader = AllFormats.Of<SkippingList>(name, FormatterLimits.Default with { MaxElementCount = limit });
                if (isRead)
                    Assert.Equal((name, itemCount), (name, reader.Read(body).Items.Count));
                else
                    Assert.Equal((name, MessageFormatErrorCode.LimitExceeded), (name, Assert.Throws<MessageFormatException>(() => reader.Read(body)).Code));
            }
        }
    }

    /// <summary>The first and the last number that a member can have, and those beside them.</summary>
    [Fact]
    public void Numbers_AreThoseOfTheFormat()
    {
        Func<VersionedOptions> versioned = static () => ByReflection.Versioned;
        Check<Number1>(true, () => new VersionedFormatter<Number1>(versioned()), () => new MessagePackFormatter<Number1>(), () => new CborFormatter<Number1>(), () => new CompactFormatter<Number1>(), () => new ProtobufFormatter<Number1>());
        Check<Number0>(false, () => new VersionedFormatter<Number0>(versioned()), () => new MessagePackFormatter<Number0>(), () => new CborFormatter<Number0>(), () => new CompactFormatter<Number0>(), () => new ProtobufFormatter<Number0>());
        Check<Number255>(true, () => new VersionedFormatter<Number255>(versioned()));
        Check<Number256>(false, () => new VersionedFormatter<Number256>(versioned()));
        Check<Number10000>(true, () => new MessagePackFormatter<Number10000>(), () => new CborFormatter<Number10000>(), () => new CompactFormatter<Number10000>());
        Check<Number10001>(false, () => new MessagePackFormatter<Number10001>(), () => new CborFormatter<Number10001>(), () => new CompactFormatter<Number10001>());
        Check<Number18999>(true, () => new ProtobufFormatter<Number18999>());
        Check<Number19000>(false, () => new ProtobufFormatter<Number19000>());
        Check<Number19999>(false, () => new ProtobufFormatter<Number19999>());
        Check<Number20000>(true, () => new ProtobufFormatter<Number20000>());
        Check<Number536870911>(true, () => new ProtobufFormatter<Number536870911>());
        Check<Number536870912>(false, () => new ProtobufFormatter<Number536870912>());

        static void Check<T>(bool isAllowed, params Func<MessageFormatter<T>>[] creations)
            where T : HasValue, new()
        {
            foreach (Func<MessageFormatter<T>> create in creations)
            {
                if (!isAllowed)
                {
                    Assert.StartsWith(typeof(T).Name, Assert.Throws<ArgumentException>(create).Message, StringComparison.Ordinal);
                    continue;
                }

                MessageFormatter<T> formatter = create();
                var value = new T();
                value.Set(5);
                Assert.Equal(5, formatter.Read(formatter.Write(value)).Get());
            }
        }
    }

    public abstract class HasValue
    {
        public abstract int Get();

        public abstract void Set(int value);
    }

    public sealed class Number0 : HasValue
    {
        [MessageMember(0)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number1 : HasValue
    {
        [MessageMember(1)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number255 : HasValue
    {
        [MessageMember(255)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number256 : HasValue
    {
        [MessageMember(256)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number10000 : HasValue
    {
        [MessageMember(10000)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number10001 : HasValue
    {
        [MessageMember(10001)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number18999 : HasValue
    {
        [MessageMember(18999)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number19000 : HasValue
    {
        [MessageMember(19000)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number19999 : HasValue
    {
        [MessageMember(19999)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number20000 : HasValue
    {
        [MessageMember(20000)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number536870911 : HasValue
    {
        [MessageMember(536870911)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }

    public sealed class Number536870912 : HasValue
    {
        [MessageMember(536870912)] public int Value { get; set; }

        public override int Get() => Value;

        public override void Set(int value) => Value = value;
    }
}

/// <summary>Names of 1, 23, 24, 31, 32, 39 and 40 characters, of which the longer ones come first in the alphabet.</summary>
[MessageContract(Formats = Formats.Traversed)]
public sealed partial class LongNames
{
    public int Z { get; set; }
    public int Y2345678901234567890123 { get; set; }
    public int X23456789012345678901234 { get; set; }
    public int W234567890123456789012345678901 { get; set; }
    public int V2345678901234567890123456789012 { get; set; }
    public int B23456789012345678901234567890123456789 { get; set; }
    public int A234567890123456789012345678901234567890 { get; set; }
}
