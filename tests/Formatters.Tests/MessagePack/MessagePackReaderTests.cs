using System;
using System.Globalization;
using System.Linq;
using Formatters.MessagePack;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.MessagePack;

/// <summary>What the reader refuses, where, and how; and what the writer does at its limits.</summary>
public sealed class MessagePackReaderTests
{
    private delegate void Use(ref MessagePackBodyReader reader);

    private static readonly (string Name, Use Read)[] Methods =
    [
        ("Boolean", static (ref r) => r.ReadBoolean()),
        ("Byte", static (ref r) => r.ReadByte()),
        ("SByte", static (ref r) => r.ReadSByte()),
        ("Int16", static (ref r) => r.ReadInt16()),
        ("UInt16", static (ref r) => r.ReadUInt16()),
        ("Int32", static (ref r) => r.ReadInt32()),
        ("UInt32", static (ref r) => r.ReadUInt32()),
        ("Int64", static (ref r) => r.ReadInt64()),
        ("UInt64", static (ref r) => r.ReadUInt64()),
        ("Char", static (ref r) => r.ReadChar()),
        ("Single", static (ref r) => r.ReadSingle()),
        ("Double", static (ref r) => r.ReadDouble()),
        ("String", static (ref r) => r.ReadString()),
        ("Utf8", static (ref r) => r.ReadUtf8()),
        ("Bytes", static (ref r) => r.ReadBytes()),
        ("DateTime", static (ref r) => r.ReadDateTime()),
        ("DateTimeOffset", static (ref r) => r.ReadDateTimeOffset()),
        ("TimeSpan", static (ref r) => r.ReadTimeSpan()),
        ("Decimal", static (ref r) => r.ReadDecimal()),
        ("Guid", static (ref r) => r.ReadGuid()),
        ("BigInteger", static (ref r) => r.ReadBigInteger()),
        ("Uri", static (ref r) => r.ReadUri()),
        ("Version", static (ref r) => r.ReadVersion()),
        ("Array", static (ref r) => r.ReadArrayHeader()),
        ("Map", static (ref r) => r.ReadMapHeader()),
        ("Extension", static (ref r) => r.ReadExtension(out _)),
        ("Header", static (ref r) => r.ReadHeader()),
        ("Skip", static (ref r) => r.Skip()),
        ("NextType", static (ref r) => _ = r.NextType),
    ];

    public static TheoryData<string> MethodNames() => new(Methods.Select(static method => method.Name));

    [Theory]
    [MemberData(nameof(MethodNames))]
    public void Nothing_more_is_truncated(string name)
    {
        MessageFormatException error = Error("", name);
        Assert.Equal(MessageFormatErrorCode.Truncated, error.Code);
        Assert.Equal(0, error.ByteOffset);
        Assert.True(error.IsPoison);
    }

    [Theory]
    [MemberData(nameof(MethodNames))]
    public void The_byte_that_is_never_used_is_malformed(string name)
    {
        MessageFormatException error = Error("C1", name);
        Assert.Equal(MessageFormatErrorCode.Malformed, error.Code);
        Assert.Equal(0, error.ByteOffset);
    }

    [Theory]
    [MemberData(nameof(MethodNames))]
    public void A_nil_is_an_unexpected_null(string name)
    {
        Skip.If(name is "Header" or "Skip" or "NextType", "it takes a nil.");
        MessageFormatException error = Error("C0", name);
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, error.Code);
        Assert.Equal(0, error.ByteOffset);
        Assert.True(error.IsPoison);
    }

    [Theory]
    [InlineData("Boolean", "00")]
    [InlineData("Byte", "CD0100")]
    [InlineData("Byte", "FF")]
    [InlineData("SByte", "CC80")]
    [InlineData("SByte", "D1FF7F")]
    [InlineData("Int16", "CD8000")]
    [InlineData("UInt16", "FF")]
    [InlineData("Int32", "CE80000000")]
    [InlineData("Int32", "A131")]
    [InlineData("UInt32", "CF0000000100000000")]
    [InlineData("Int64", "CF8000000000000000")]
    [InlineData("UInt64", "E0")]
    [InlineData("Char", "CE00010000")]
    [InlineData("Single", "A0")]
    [InlineData("Double", "C3")]
    [InlineData("String", "C400")]
    [InlineData("Bytes", "90")]
    [InlineData("DateTime", "D6FE00000000")]
    [InlineData("DateTime", "00")]
    [InlineData("DateTimeOffset", "9100")]
    [InlineData("DateTimeOffset", "92D6FF00000000CD0349")] // 841 minutes
    [InlineData("DateTimeOffset", "92C70CFF00000000FFFFFFF1886E090001")] // UTC before the year 1
    [InlineData("Decimal", "A0")]
    [InlineData("Decimal", "A3312C32")]
    [InlineData("Decimal", "A33120 31")]
    [InlineData("Guid", "A131")]
    [InlineData("BigInteger", "01")]
    [InlineData("Version", "A178")]
    [InlineData("Uri", "AD687474703A2F2F5B3A3A3A3A3A")]
    [InlineData("Array", "80")]
    [InlineData("Map", "90")]
    [InlineData("Extension", "C400")]
    public void Another_value_is_a_bad_value_at_its_first_byte(string name, string hex)
    {
        MessageFormatException error = Error(hex, name);
        Assert.Equal(MessageFormatErrorCode.BadValue, error.Code);
        Assert.Equal(0, error.ByteOffset);
    }

    [Theory]
    [InlineData("Array", "93 00 00")]
    [InlineData("Array", "DC 00 03 00 00")]
    [InlineData("Array", "DD FF FF FF FF 00")]
    [InlineData("Map", "81 00")]
    [InlineData("Map", "DF 80 00 00 00 00")]
    [InlineData("String", "A3 61 61")]
    [InlineData("String", "DB FF FF FF FF 61")]
    [InlineData("Bytes", "C6 FF FF FF FF 61")]
    [InlineData("Extension", "C9 FF FF FF FF 05 00")]
    [InlineData("Skip", "92 00")]
    [InlineData("Skip", "CF 00")]
    [InlineData("Skip", "DB 00 00")]
    [InlineData("Int64", "CF 00 00")]
    [InlineData("Double", "CB 00 00 00")]
    [InlineData("DateTime", "D6 FF 00")]
    public void A_length_beyond_the_body_is_truncated(string name, string hex)
    {
        MessageFormatException error = Error(hex, name);
        Assert.Equal(MessageFormatErrorCode.Truncated, error.Code);
        Assert.Equal(Bytes.Hex(hex).Length, error.ByteOffset);
    }

    [Theory]
    [InlineData("A1FF", 1)]
    [InlineData("A361C328", 2)]
    [InlineData("A86161616161616180", 8)]
    [InlineData("D90361EDA0", 3)]
    public void Text_that_is_no_UTF8_is_refused_at_its_first_bad_byte(string hex, int badOffset)
    {
        MessageFormatException error = Error(hex, "String");
        Assert.Equal((MessageFormatErrorCode.BadText, badOffset), (error.Code, error.ByteOffset));
    }

    [Fact]
    public void Depth_holds_for_skipping_too()
    {
        byte[] deep = [.. Enumerable.Repeat((byte)0x91, 65), 0xC0];
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackBodyReader(deep).Skip());
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, error.Code);
        new MessagePackBodyReader(deep.AsSpan(1)).Skip();
    }

    [Fact]
    public void The_stack_holds_when_no_depth_is_set()
    {
        byte[] deep = [.. Enumerable.Repeat((byte)0x81, 4_000_000)];
        FormatterLimits limits = FormatterLimits.Default with { MaxDepth = int.MaxValue };
        for (int i = 1; i < deep.Length; i += 2)
            deep[i] = 0;
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackBodyReader(deep, limits).Skip());
        Assert.Contains(error.Code, new[] { MessageFormatErrorCode.DepthExceeded, MessageFormatErrorCode.Truncated });
    }

    [Fact]
    public void Counts_are_limited()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxElementCount = 2 };
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackBodyReader([0x93, 0, 0, 0], limits).ReadArrayHeader());
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);
        Assert.Throws<MessageFormatException>(() => new MessagePackBodyWriter(new byte[9], limits).WriteArrayHeader(3));
        Assert.Throws<ArgumentOutOfRangeException>(() => new MessagePackBodyWriter(new byte[9]).WriteArrayHeader(-1));
    }

    [Fact]
    public void Raw_values_are_given_whole()
    {
        var reader = new MessagePackBodyReader([0x92, 0x81, 0xA1, 0x61, 0xC3, 0x05, 0x07]);
        Assert.Equal([0x92, 0x81, 0xA1, 0x61, 0xC3, 0x05], reader.ReadRaw().ToArray());
        Assert.Equal(7, reader.ReadInt32());
        reader.EnsureEnd();
    }

    [Fact]
    public void An_equal_text_is_the_existing_one()
    {
        foreach (string text in new[] { "a", "12345678", "1234567890123456789012345678901", "12345678901234567890123456789012", "éè", new string('x', 300) })
        {
            byte[] body = new byte[1000];
            var writer = new MessagePackBodyWriter(body);
            writer.Write(text);
            string existing = new(text.AsSpan());
            var reader = new MessagePackBodyReader(body.AsSpan(0, (int)writer.BytesWritten));
            string read = reader.ReadString(existing);
            Assert.Equal(text, read);
#if !FORMATTERS_NETSTANDARD
            Assert.Same(existing, read);
#endif
            Assert.Equal(0, reader.BytesRemaining);
        }
    }

    [Fact]
    public void Random_text_is_written_as_Encoding_writes_it_and_read_back()
    {
        var random = new Random(20261121);
        for (int i = 0; i < 20_000; i++)
        {
            string text = RandomText.Next(random, random.Next(i % 100 == 0 ? 70_000 : 300), validOnly: true);
            byte[] utf8 = System.Text.Encoding.UTF8.GetBytes(text);
            byte[] expected = new byte[utf8.Length + 5];
            Assert.True(MessagePackEncoding.TryWriteStringHeader(expected, utf8.Length, out int header));
            utf8.CopyTo(expected, header);
            Array.Resize(ref expected, header + utf8.Length);

            byte[] exact = new byte[expected.Length];
            var tight = new MessagePackBodyWriter(exact);
            tight.Write(text);
            Assert.Equal(expected, exact);
            byte[] wide = new byte[(3 * text.Length) + 40];
            var roomy = new MessagePackBodyWriter(wide);
            roomy.Write(text);
            Assert.Equal(expected, wide.AsSpan(0, (int)roomy.BytesWritten).ToArray());
            Assert.Equal(text, new MessagePackBodyReader(exact).ReadString());
        }
    }

    [Fact]
    public void Decimals_fit_into_exactly_their_bytes()
    {
        foreach (decimal value in new[] { 0m, 1.20m, decimal.MinValue, -0.0000000000000000000000000001m })
        {
            string digits = value.ToString(CultureInfo.InvariantCulture);
            byte[] exact = new byte[1 + digits.Length];
            var writer = new MessagePackBodyWriter(exact);
            writer.Write(value);
            Assert.Equal(exact.Length, writer.BytesWritten);
            Assert.Equal(digits, new MessagePackBodyReader(exact).ReadString());
        }
    }

    [Fact]
    public void A_span_that_is_full_takes_no_more()
    {
        byte[] destination = new byte[2];
        var writer = new MessagePackBodyWriter(destination);
        writer.Write(1);
        bool refused = false;
        try
        {
            writer.Write(300);
        }
        catch (ArgumentException)
        {
            refused = true;
        }

        Assert.True(refused);
        Assert.Equal(1, writer.BytesWritten);
        writer.Write(2);
        Assert.Equal([1, 2], destination);
    }

    [Fact]
    public void NaN_is_normalized_in_canonical_mode_only()
    {
        Assert.Equal("CBFFF8000000000001CAFFC00001", Write(false));
        Assert.Equal("CB7FF8000000000000CA7FC00000", Write(true));

        static string Write(bool isCanonical)
        {
            byte[] destination = new byte[14];
            var writer = new MessagePackBodyWriter(destination, isCanonical: isCanonical);
            writer.Write(BitConverter.Int64BitsToDouble(unchecked((long)0xFFF8000000000001)));
            writer.Write(BitConverter.Int32BitsToSingle(unchecked((int)0xFFC00001)));
            return Convert.ToHexString(destination);
        }
    }

    private static MessageFormatException Error(string hex, string name)
    {
        byte[] body = Bytes.Hex(hex);
        Use read = Methods.Single(method => method.Name == name).Read;
        return Assert.Throws<MessageFormatException>(() =>
        {
            var reader = new MessagePackBodyReader(body);
            read(ref reader);
        });
    }
}
