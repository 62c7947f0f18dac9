using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Formatters of members and types. Random values are in <see cref="DifferentialTests"/>.</summary>
public class MemberFormatterTests
{
    [Fact]
    public void Formatter_WritesAndReadsItsMembers()
    {
        var value = new HasFormatted
        {
            Cents = 12.34m,
            MaybeCents = 0.05m,
            Money = new Money(7, "EUR"),
            Monies = [new Money(1, "é")],
            Plain = 1.5m,
            Other = new Money(2, "X"),
            Address = IPAddress.Loopback,
            Buffer = new List<byte> { 1, 2 },
            Level = Level.High,
        };
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(1234L);
        writer.Write(true);
        writer.Write(5L);
        writer.Write(7);
        writer.Write("EUR");
        writer.Write(false);
        writer.Write(1);
        writer.Write(1);
        writer.Write("é");
        writer.Write(1.5m);
        writer.Write("2 X");
        writer.Write(4);
        writer.Write(new byte[] { 127, 0, 0, 1 });
        writer.Write((byte)2);
        writer.Write(new byte[] { 1, 2 });
        writer.Write("High");
        byte[] expected = stream.ToArray();
        var formatter = new ContractFormatter<HasFormatted>(HasFormatted.MessageContract);
        Assert.Equal(expected, formatter.Write(value));
        foreach (bool isCompiled in new[] { false, true })
        {
            var reflection = new ReflectionFormatter<HasFormatted>(options: ReflectionOptions.Default with { UseCompiledCode = isCompiled });
            Assert.Equal(expected, reflection.Write(value));
            Assert.Equal(expected, formatter.Write(reflection.Read(expected)));
            AssertReuse(reflection, expected);
        }

        AssertReuse(formatter, expected);
        Assert.Equal(8 + 1 + 4 + 1 + 1 + 4 + 16 + 1 + 4 + 1 + 1, HasFormatted.MessageContract.MinByteCount);
        byte[] money = new ContractFormatter<Money>(FormattedContracts.Money).Write(new Money(1, ""));
        Assert.Equal(new byte[] { 1, 0, 0, 0, 0 }, money);
        Assert.Equal(money, new ReflectionFormatter<Money>().Write(new Money(1, "")));
    }

    [Fact]
    public void Errors_NameTheMember()
    {
        var value = new HasFormatted();
        foreach (MessageFormatter<HasFormatted> formatter in new MessageFormatter<HasFormatted>[] { new ContractFormatter<HasFormatted>(HasFormatted.MessageContract), new ReflectionFormatter<HasFormatted>() })
        {
            byte[] body = formatter.Write(value);
            body[^1] = (byte)'x';
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.BadValue, "HasFormatted.Level", typeof(ArgumentException)), (e.Code, e.MemberPath, e.InnerException?.GetType()));
            value.Address = null!;
            e = Assert.Throws<MessageFormatException>(() => formatter.Write(value));
            Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "HasFormatted.Address"), (e.Code, e.MemberPath));
            value.Address = IPAddress.None;
            Assert.Throws<OverflowException>(() => formatter.Write(new HasFormatted { Cents = decimal.MaxValue / 1000 }));
        }
    }

    [Fact]
    public void Reflection_RefusesAFormatterOfAnotherType()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new ReflectionFormatter<HasWrongFormatter>());
        Assert.StartsWith("HasWrongFormatter.Text: ", e.Message, StringComparison.Ordinal);
    }

    private static void AssertReuse(MessageFormatter<HasFormatted> formatter, byte[] body)
    {
        HasFormatted over = formatter.Read(body);
        List<byte> buffer = over.Buffer;
        formatter.Read(body, ref over);
        Assert.Same(buffer, over.Buffer);
        Assert.Equal(body, formatter.Write(over));
    }

    private sealed class HasWrongFormatter
    {
        [MessageFormatter(typeof(CentsFormatter))]
        public string Text = "";
    }
}

public sealed class CentsFormatter : IMemberFormatter<decimal>
{
    public int MinByteCount => 8;

    public void Write(ref BinaryBodyWriter writer, decimal value) => writer.Write((long)(value * 100));

    public decimal Read(ref BinaryBodyReader reader, decimal existing) => reader.ReadInt64() / 100m;
}

[MessageFormatter(typeof(MoneyFormatter))]
public readonly record struct Money(int Amount, string Currency);

public sealed class MoneyFormatter : IMemberFormatter<Money>
{
    public int MinByteCount => 5;

    public void Write(ref BinaryBodyWriter writer, Money value)
    {
        writer.Write(value.Amount);
        writer.Write(value.Currency);
    }

    public Money Read(ref BinaryBodyReader reader, Money existing) => new(reader.ReadInt32(), reader.ReadString());
}

public sealed class MoneyText : IMemberFormatter<Money>
{
    public int MinByteCount => 1;

    public void Write(ref BinaryBodyWriter writer, Money value) => writer.Write(FormattableString.Invariant($"{value.Amount} {value.Currency}"));

    public Money Read(ref BinaryBodyReader reader, Money existing)
    {
        string[] parts = reader.ReadString().Split(' ');
        return new Money(int.Parse(parts[0], System.Globalization.CultureInfo.InvariantCulture), parts[1]);
    }
}

public sealed class IPAddressFormatter() : SurrogateFormatter<IPAddress, byte[]>(FormattedContracts.Octets)
{
    protected override byte[] ToSurrogate(IPAddress value) => value.GetAddressBytes();

    protected override IPAddress FromSurrogate(byte[] surrogate) => new(surrogate);
}

/// <summary>Fills the list that is there.</summary>
public sealed class ShortBufferFormatter : IMemberFormatter<List<byte>>
{
    public int MinByteCount => 1;

    public void Write(ref BinaryBodyWriter writer, List<byte> value)
    {
        writer.Write((byte)value.Count);
        foreach (byte b in value)
            writer.Write(b);
    }

    public List<byte> Read(ref BinaryBodyReader reader, List<byte>? existing)
    {
        List<byte> list = existing ?? [];
        list.Clear();
        for (int count = reader.ReadByte(); count > 0; count--)
            list.Add(reader.ReadByte());
        return list;
    }
}

[MessageFormatter(typeof(LevelText))]
public enum Level
{
    Low,
    High,
}

public struct LevelText : IMemberFormatter<Level>
{
    public readonly int MinByteCount => 1;

    public readonly void Write(ref BinaryBodyWriter writer, Level value) => writer.Write(value.ToString());

    public readonly Level Read(ref BinaryBodyReader reader, Level existing) => (Level)Enum.Parse(typeof(Level), reader.ReadString());
}

[MessageContract]
public partial class HasFormatted
{
    [MessageFormatter(typeof(CentsFormatter))]
    public decimal Cents { get; set; }

    [MessageFormatter(typeof(CentsFormatter))]
    public decimal? MaybeCents { get; set; }

    public Money Money { get; set; } = new(0, "");
    public Money? MaybeMoney { get; set; }
    public List<Money> Monies { get; set; } = [];
    public decimal Plain { get; set; }

    [MessageFormatter(typeof(MoneyText))]
    public Money Other { get; set; } = new(1, "");

    [MessageFormatter(typeof(IPAddressFormatter))]
    public IPAddress Address { get; set; } = IPAddress.Any;

    [MessageFormatter(typeof(ShortBufferFormatter))]
    public List<byte> Buffer { get; set; } = [];

    public Level Level { get; set; }
}

[MessageContract]
public partial class HasMoney
{
    public Money Money { get; set; }
    public Money? Maybe { get; set; }
    public List<Money?> Monies { get; set; } = [];
}

[MessageContractFor(typeof(Money))]
[MessageContractFor(typeof(byte[]), Name = "Octets")]
internal static partial class FormattedContracts;
