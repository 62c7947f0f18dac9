using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Formatters.MessagePack;
using Formatters.Tests.Support;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>The array form, with gaps; what lies in it has the map form.</summary>
[MessageContract(Formats = ContractFormats.MessagePack)]
internal sealed partial class Numbered
{
    [MessageMember(1)] public int Int { get; set; }
    [MessageMember(2)] public string Text { get; set; } = "";
    [MessageMember(3)] public double Double { get; set; }
    [MessageMember(5)] public long Long { get; set; }
    [MessageMember(6)] public ulong Unsigned { get; set; }
    [MessageMember(7)] public bool Flag { get; set; }
    [MessageMember(8)] public DateTime Time { get; set; }
    [MessageMember(9)] public byte[] Bytes { get; set; } = [];
    [MessageMember(10)] public string? Maybe { get; set; }
    [MessageMember(12)] public List<Named> Items { get; set; } = [];
    [MessageMember(13)] public IPart? Part { get; set; }
    [MessageMember(14), MemberCodec(typeof(TagCodec))] public Tag Tag { get; set; }
}

/// <summary>The map form.</summary>
[MessageContract(Formats = ContractFormats.MessagePack)]
internal sealed partial class Named
{
    public short Short { get; set; }
    public double? Rate { get; set; }
    public string Größe { get; set; } = "";
    public Dictionary<string, int> Counts { get; set; } = [];
    public List<string?> Names { get; set; } = [];
    public decimal Price { get; set; }
    public DayOfWeek Day { get; set; }
}

[MessageUnion(1, typeof(NumberPart)), MessageUnion(300, typeof(TextPart))]
internal interface IPart;

[MessageContract(Formats = ContractFormats.MessagePack)]
internal sealed partial record NumberPart([property: MessageMember(1)] sbyte Value, [property: MessageMember(2)] uint[] More) : IPart;

[MessageContract(Formats = ContractFormats.MessagePack)]
internal sealed partial class TextPart : IPart
{
    public string Text { get; set; } = "";
}

/// <summary>Bytes that go as an extension of the type 5; null in one that no body had.</summary>
internal readonly record struct Tag(string? Hex);

internal sealed class TagCodec : MessagePackCodec<Tag>
{
    public override void Write(ref MessagePackBodyWriter writer, Tag value) => writer.WriteExtension(5, Convert.FromHexString(value.Hex ?? ""));

    public override Tag Read(ref MessagePackBodyReader reader, Tag existing = default)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> content = reader.ReadExtension(out sbyte type);
        return type == 5 ? new Tag(Convert.ToHexString(content)) : throw new MessageFormatException(MessageFormatErrorCode.BadValue, "No tag.", byteOffset, isPoison: true);
    }
}

/// <summary>Values of which JavaScript loses nothing: no -0, no NaN, whole milliseconds, no keys that are numbers.</summary>
internal sealed class RandomNumbered(Random random)
{
    public Numbered Next() => new()
    {
        Int = (int)Integer(),
        Text = Text(),
        Double = Double(),
        Long = Integer(),
        Unsigned = (ulong)Integer(),
        Flag = random.Next(2) == 0,
        Time = DateTime.UnixEpoch.AddMilliseconds(random.NextInt64(random.Next(2) == 0 ? -62_135_596_800_000 : 0, 253_402_300_799_999)),
        Bytes = Bytes(0),
        Maybe = random.Next(2) == 0 ? null : Text(),
        Items = Enumerable.Range(0, random.Next(random.Next(20) == 0 ? 40 : 4)).Select(_ => Named()).ToList(),
        Part = random.Next(3) switch
        {
            0 => null,
            1 => new NumberPart((sbyte)Integer(), [.. Enumerable.Range(0, random.Next(20)).Select(_ => (uint)Integer())]),
            _ => new TextPart { Text = Text() },
        },
        Tag = new Tag(Convert.ToHexString(Bytes(1))),
    };

    private Named Named() => new()
    {
        Short = (short)Integer(),
        Rate = random.Next(2) == 0 ? null : Double(),
        Größe = Text(),
        Counts = Enumerable.Range(0, random.Next(5)).ToDictionary(i => i.ToString(CultureInfo.InvariantCulture) + "." + Text(), _ => (int)Integer()),
        Names = Enumerable.Range(0, random.Next(5)).Select(_ => random.Next(3) == 0 ? null : Text()).ToList(),
        Price = new decimal(random.Next(), random.Next(), random.Next(), random.Next(2) == 0, (byte)random.Next(29)),
        Day = (DayOfWeek)random.Next(7),
    };

    private long Integer() => random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);

    private string Text() => RandomText.Next(random, random.Next(random.Next(20) == 0 ? 400 : 40), validOnly: true);

    private double Double()
    {
        double value = random.Next(4) == 0 ? random.Next(-1000, 1000) : BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
        return double.IsNaN(value) || value == 0 ? 0.5 : value;
    }

    private byte[] Bytes(int min)
    {
        byte[] bytes = new byte[random.Next(min, random.Next(20) == 0 ? 400 : 40)];
        random.NextBytes(bytes);
        return bytes;
    }
}
