using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using Formatters.Tests.Support;

namespace Formatters.Interop.Tests.Cbor;

/// <summary>The array form, with a gap; what lies in it has the map form.</summary>
[MessageContract(Formats = ContractFormats.Cbor)]
internal sealed partial class Shipment
{
    [MessageMember(1)] public int Int { get; set; }
    [MessageMember(2)] public string Text { get; set; } = "";
    [MessageMember(3)] public double Double { get; set; }
    [MessageMember(4)] public float Single { get; set; }
    [MessageMember(6)] public long Long { get; set; }
    [MessageMember(7)] public ulong Unsigned { get; set; }
    [MessageMember(8)] public bool Flag { get; set; }
    [MessageMember(9)] public DateTimeOffset Time { get; set; }
    [MessageMember(10)] public byte[] Bytes { get; set; } = [];
    [MessageMember(11)] public string? Maybe { get; set; }
    [MessageMember(12)] public decimal Price { get; set; }
    [MessageMember(13)] public BigInteger Big { get; set; }
    [MessageMember(14)] public Half Half { get; set; }
    [MessageMember(15)] public Guid Id { get; set; }
    [MessageMember(16)] public Uri Link { get; set; } = new("urn:x");
    [MessageMember(17)] public List<Package> Packages { get; set; } = [];
}

/// <summary>The map form.</summary>
[MessageContract(Formats = ContractFormats.Cbor)]
internal sealed partial class Package
{
    public short Short { get; set; }
    public double? Rate { get; set; }
    public string Größe { get; set; } = "";
    public Dictionary<string, int> Counts { get; set; } = [];
    public List<string?> Names { get; set; } = [];
    public DayOfWeek Day { get; set; }
}

/// <summary>Values at random.</summary>
internal sealed class RandomShipments(Random random)
{
    public Shipment Next() => new()
    {
        Int = (int)Integer(),
        Text = Text(),
        Double = Double(),
        Single = (float)Double(),
        Long = Integer(),
        Unsigned = (ulong)Integer(),
        Flag = random.Next(2) == 0,
        Time = new DateTimeOffset(random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay), TimeSpan.FromMinutes(random.Next(-840, 841))),
        Bytes = Bytes(),
        Maybe = random.Next(2) == 0 ? null : Text(),
        // Not a zero with a sign: this library writes its digits, since no integer is a negative zero.
        Price = new decimal(random.Next() | 1, random.Next(), random.Next(2) == 0 ? 0 : random.Next(), random.Next(2) == 0, (byte)random.Next(29)),
        Big = new BigInteger(Bytes()),
        Half = (Half)Double(),
        Id = new Guid(RandomBytes(16)),
        Link = new Uri("http://example.org/" + random.Next().ToString(CultureInfo.InvariantCulture)),
        Packages = Enumerable.Range(0, random.Next(random.Next(20) == 0 ? 40 : 4)).Select(_ => Package()).ToList(),
    };

    private Package Package() => new()
    {
        Short = (short)Integer(),
        Rate = random.Next(2) == 0 ? null : Double(),
        Größe = Text(),
        Counts = Enumerable.Range(0, random.Next(5)).ToDictionary(i => Text() + i.ToString(CultureInfo.InvariantCulture), _ => (int)Integer()),
        Names = Enumerable.Range(0, random.Next(5)).Select(_ => random.Next(3) == 0 ? null : Text()).ToList(),
        Day = (DayOfWeek)random.Next(7),
    };

    private long Integer() => random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);

    private string Text() => RandomText.Next(random, random.Next(random.Next(20) == 0 ? 400 : 40), validOnly: true);

    /// <summary>Of any bits, or one that is exact in 16 or 32 bits, or not a number.</summary>
    private double Double() => random.Next(5) switch
    {
        0 => random.Next(-5000, 5000) / 8.0,
        1 => BitConverter.Int32BitsToSingle(random.Next(int.MinValue, int.MaxValue)),
        2 => (double)BitConverter.UInt16BitsToHalf((ushort)random.Next(65536)),
        3 => -0.0,
        _ => BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)),
    };

    private byte[] Bytes() => RandomBytes(random.Next(random.Next(20) == 0 ? 400 : 40));

    private byte[] RandomBytes(int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
