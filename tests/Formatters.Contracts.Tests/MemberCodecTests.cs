using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Formatters of members and types. Random values are in <see cref="DifferentialTests"/>.</summary>
public class MemberCodecTests
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
        var formatter = new BinaryBodyFormatter<HasFormatted>(HasFormatted.MessageContract);
        Assert.Equal(expected, formatter.Write(value));
        foreach (bool isCompiled in new[] { false, true })
        {
            var reflection = new BinaryBodyFormatter<HasFormatted>(ByReflection.Binary with { UseCompiledCode = isCompiled });
            Assert.Equal(expected, reflection.Write(value));
            Assert.Equal(expected, formatter.Write(reflection.Read(expected)));
            AssertReuse(reflection, expected);
        }

        AssertReuse(formatter, expected);
        Assert.Equal(8 + 1 + 4 + 1 + 1 + 4 + 16 + 1 + 4 + 1 + 1, HasFormatted.MessageContract.Binary.MinByteCount);
        byte[] money = new BinaryBodyFormatter<Money>(FormattedContracts.Money).Write(new Money(1, ""));
        Assert.Equal(new byte[] { 1, 0, 0, 0, 0 }, money);
        Assert.Equal(money, new BinaryBodyFormatter<Money>(ByReflection.Binary).Write(new Money(1, "")));
    }

    [Fact]
    public void Errors_NameTheMember()
    {
        var value = new HasFormatted();
        foreach (MessageFormatter<HasFormatted> formatter in new MessageFormatter<HasFormatted>[] { new BinaryBodyFormatter<HasFormatted>(HasFormatted.MessageContract), new BinaryBodyFormatter<HasFormatted>(ByReflection.Binary) })
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
        ArgumentException e = Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<HasWrongFormatter>(ByReflection.Binary));
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
        [MemberCodec(typeof(CentsFormatter))]
        public string Text = "";
    }
}
