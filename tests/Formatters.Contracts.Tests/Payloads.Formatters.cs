using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net;
using Formatters.Binary;

namespace Formatters.Contracts.Tests;

public sealed class CentsFormatter : BinaryCodec<decimal>
{
    public override int MinByteCount => 8;

    public override void Write(ref BinaryBodyWriter writer, decimal value) => writer.Write((long)(value * 100));

    public override decimal Read(ref BinaryBodyReader reader, decimal existing) => reader.ReadInt64() / 100m;
}

[MemberCodec(typeof(MoneyFormatter))]
public readonly record struct Money(int Amount, string Currency);

public sealed class MoneyFormatter : BinaryCodec<Money>
{
    public override int MinByteCount => 5;

    public override void Write(ref BinaryBodyWriter writer, Money value)
    {
        writer.Write(value.Amount);
        writer.Write(value.Currency);
    }

    public override Money Read(ref BinaryBodyReader reader, Money existing) => new(reader.ReadInt32(), reader.ReadString());
}

public sealed class MoneyText : BinaryCodec<Money>
{
    public override int MinByteCount => 1;

    public override void Write(ref BinaryBodyWriter writer, Money value) => writer.Write(FormattableString.Invariant($"{value.Amount} {value.Currency}"));

    public override Money Read(ref BinaryBodyReader reader, Money existing)
    {
        string[] parts = reader.ReadString().Split(' ');
        return new Money(int.Parse(parts[0], System.Globalization.CultureInfo.InvariantCulture), parts[1]);
    }
}

public sealed class IPAddressFormatter() : SurrogateCodec<IPAddress, byte[]>(FormattedContracts.Octets)
{
    protected override byte[] ToSurrogate(IPAddress value) => value.GetAddressBytes();

    protected override IPAddress FromSurrogate(byte[] surrogate) => new(surrogate);
}

/// <summary>Fills the list that is there.</summary>
public sealed class ShortBufferFormatter : BinaryCodec<List<byte>>
{
    public override int MinByteCount => 1;

    public override void Write(ref BinaryBodyWriter writer, List<byte> value)
    {
        writer.Write((byte)value.Count);
        foreach (byte b in value)
            writer.Write(b);
    }

    public override List<byte> Read(ref BinaryBodyReader reader, List<byte>? existing)
    {
        List<byte> list = existing ?? [];
        list.Clear();
        for (int count = reader.ReadByte(); count > 0; count--)
            list.Add(reader.ReadByte());
        return list;
    }
}

[MemberCodec(typeof(LevelText))]
public enum Level
{
    Low,
    High,
}

public sealed class LevelText : BinaryCodec<Level>
{
    public override int MinByteCount => 1;

    // A number that has no name would be written with the minus sign of the culture.
    public override void Write(ref BinaryBodyWriter writer, Level value) =>
        writer.Write(Enum.IsDefined(typeof(Level), value) ? value.ToString() : ((int)value).ToString(CultureInfo.InvariantCulture));

    public override Level Read(ref BinaryBodyReader reader, Level existing) => (Level)Enum.Parse(typeof(Level), reader.ReadString());
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class HasFormatted
{
    [MemberCodec(typeof(CentsFormatter))]
    public decimal Cents { get; set; }

    [MemberCodec(typeof(CentsFormatter))]
    public decimal? MaybeCents { get; set; }

    public Money Money { get; set; } = new(0, "");
    public Money? MaybeMoney { get; set; }
    public List<Money> Monies { get; set; } = [];
    public decimal Plain { get; set; }

    [MemberCodec(typeof(MoneyText))]
    public Money Other { get; set; } = new(1, "");

    [MemberCodec(typeof(IPAddressFormatter))]
    public IPAddress Address { get; set; } = IPAddress.Any;

    [MemberCodec(typeof(ShortBufferFormatter))]
    public List<byte> Buffer { get; set; } = [];

    public Level Level { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class HasMoney
{
    public Money Money { get; set; }
    public Money? Maybe { get; set; }
    public List<Money?> Monies { get; set; } = [];
}

[MessageContractFor(typeof(Money), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(byte[]), Name = "Octets", Formats = ContractFormats.Binary | Formats.Traversed)]
internal static partial class FormattedContracts;
