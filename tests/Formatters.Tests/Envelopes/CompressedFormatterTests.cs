using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using Formatters.Envelopes;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Envelopes;

public class CompressedFormatterTests
{
    private static readonly XmlFormatter<Order> Xml = new();

    private static readonly DelegateFormatter<byte[]> Raw = DelegateFormatter.FromArrays<byte[]>("application/x-raw", 0x8001, static bytes => bytes, static bytes => bytes);

    private static readonly int HeaderByteCount = 2 + 3 + 1 + Raw.ContentType.Length + 4;

    public static TheoryData<CompressionAlgorithm> Algorithms =>
#if FORMATTERS_NETSTANDARD
        [CompressionAlgorithm.Deflate];
#else
        [CompressionAlgorithm.Deflate, CompressionAlgorithm.Brotli];
#endif

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void RoundTrip_OfEachAlgorithmAndLevel(CompressionAlgorithm algorithm)
    {
        Order order = SampleOrders.Create(2026, 50, SampleText.Ascii);
        byte[] plain = Xml.Write(order);
        foreach (CompressionLevel level in new[] { CompressionLevel.Fastest, CompressionLevel.Optimal, (CompressionLevel)3, CompressionLevel.NoCompression })
        {
            var formatter = new CompressedFormatter<Order>(Xml, new CompressionOptions { Algorithm = algorithm, Level = level });
            byte[] body = formatter.Write(order);
            Assert.Equal((byte)(level == CompressionLevel.NoCompression && algorithm == CompressionAlgorithm.Deflate ? CompressionAlgorithm.None : algorithm), body[1]);
            if (level != CompressionLevel.NoCompression)
                Assert.InRange(body.Length, 1, plain.Length / 3);
            Assert.Equal(plain, Xml.Write(formatter.Read(body)));
            Assert.Equal(plain, Xml.Write(new CompressedFormatter<Order>(Xml).Read(Bytes.Segmented(body, 7))));
            var stingy = new StingyBufferWriter();
            formatter.Write(stingy, order);
            Assert.Equal(body, stingy.ToArray());
        }
    }

    [Fact]
    public void Write_IsWhatTheWirePageSays()
    {
        byte[] value = [.. Enumerable.Repeat((byte)'a', 3000)];
        byte[] body = new CompressedFormatter<byte[]>(Raw, new CompressionOptions { Algorithm = CompressionAlgorithm.Deflate }).Write(value);
        byte[] header = [1, 1, 0x81, 0x80, 0x02, (byte)Raw.ContentType.Length, .. Encoding.ASCII.GetBytes(Raw.ContentType), 0xB8, 0x0B, 0, 0];
        Assert.Equal(header, body[..header.Length]);
        using var inflate = new DeflateStream(new MemoryStream(body, header.Length, body.Length - header.Length), CompressionMode.Decompress);
        var expanded = new MemoryStream();
        inflate.CopyTo(expanded);
        Assert.Equal(value, expanded.ToArray());
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Write_WhatIsShortOrDoesNotShrink_IsCarriedAsItIs(CompressionAlgorithm algorithm)
    {
        var options = new CompressionOptions { Algorithm = algorithm };
        var formatter = new CompressedFormatter<byte[]>(Raw, options);
        byte[] random = new byte[5000];
        new Random(2026).NextBytes(random);
        foreach (byte[] value in new[] { [], [1], new byte[options.MinByteCount - 1], random })
        {
            byte[] body = formatter.Write(value);
            Assert.Equal(0, body[1]);
            Assert.Equal(HeaderByteCount + value.Length, body.Length);
            Assert.Equal(value, formatter.Read(body));
        }

        Assert.Equal((byte)algorithm, formatter.Write(new byte[options.MinByteCount])[1]);
        var eager = new CompressedFormatter<byte[]>(Raw, options with { MinByteCount = 0 });
        foreach (int byteCount in new[] { 0, 1, 2, 3, 100 })
            Assert.Equal(new byte[byteCount], eager.Read(eager.Write(new byte[byteCount])));
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Read_EveryPrefixAndAByteMore_IsRefused(CompressionAlgorithm algorithm)
    {
        Order order = SampleOrders.Create(2026, 10, SampleText.Ascii);
        var formatter = new CompressedFormatter<Order>(Xml, new CompressionOptions { Algorithm = algorithm });
        byte[] body = formatter.Write(order);
        for (int i = 0; i < body.Length; i++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, i)));
            Assert.True(e.Code == MessageFormatErrorCode.Truncated || (e.Code == MessageFormatErrorCode.LimitExceeded && i < 200), $"{i}: {e.Message}");
        }

        foreach (int more in new[] { 1, 2, 100, 20_000 })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read([.. body, .. new byte[more]]));
            Assert.True(e is { Code: MessageFormatErrorCode.TrailingBytes or MessageFormatErrorCode.Malformed, IsPoison: true }, e.Message);
        }
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Read_AnotherLengthThanDeclared_IsRefused(CompressionAlgorithm algorithm)
    {
        var formatter = new CompressedFormatter<byte[]>(Raw, new CompressionOptions { Algorithm = algorithm });
        byte[] body = formatter.Write(new byte[5000]);
        foreach (int declared in new[] { -1, int.MinValue, 0, 1, 4999, 5001, 60_000 })
        {
            BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(HeaderByteCount - 4), declared);
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.BadLength, HeaderByteCount - 4L, true), (e.Code, e.ByteOffset, e.IsPoison));
        }
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Read_ABomb_IsRefusedBeforeItExpands(CompressionAlgorithm algorithm)
    {
        // Made with other options: 10,000,000 zeros in some ten thousand bytes, or less.
        byte[] zeros = new byte[10_000_000];
        var options = new CompressionOptions { Algorithm = algorithm, Level = CompressionLevel.Optimal, MaxExpansionFactor = int.MaxValue };
        byte[] bomb = new CompressedFormatter<byte[]>(Raw, options).Write(zeros);
        Assert.InRange(bomb.Length, 1, 20_000);
        var formatter = new CompressedFormatter<byte[]>(Raw);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(bomb));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, false), (e.Code, e.IsPoison));

        // One that lies about its length.
        BinaryPrimitives.WriteInt32LittleEndian(bomb.AsSpan(HeaderByteCount - 4), 60_000);
        Assert.Equal(MessageFormatErrorCode.BadLength, Assert.Throws<MessageFormatException>(() => formatter.Read(bomb)).Code);

        // The limit of the body holds for the expanded one, whatever the factor.
        var tight = new CompressedFormatter<byte[]>(Raw, options, FormatterLimits.Default with { MaxBodyByteCount = 100_000 });
        byte[] good = new CompressedFormatter<byte[]>(Raw, options).Write(new byte[100_001]);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => tight.Read(good)).Code);
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Write_WhatTheReaderWouldRefuse_IsCarriedAsItIs(CompressionAlgorithm algorithm)
    {
        var formatter = new CompressedFormatter<byte[]>(Raw, new CompressionOptions { Algorithm = algorithm });
        byte[] zeros = new byte[1_000_000];
        byte[] body = formatter.Write(zeros);
        Assert.Equal(0, body[1]);
        Assert.Equal(zeros, formatter.Read(body));
    }

    /// <summary>A body may expand to 64 KiB and so many times its compressed bytes, and to no byte more: writer and reader have the same limit.</summary>
    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Expansion_HasAnExactLimit(CompressionAlgorithm algorithm)
    {
        var all = new CompressedFormatter<byte[]>(Raw, new CompressionOptions { Algorithm = algorithm, MaxExpansionFactor = int.MaxValue });
        // A length that is exactly such a limit, and the next one, which is beyond it.
        int byteCount = Enumerable.Range(66_000, 10_000).First(count => (count - (64 * 1024)) % Compressed(count) == 0 && Compressed(count + 1) == Compressed(count));
        int factor = (byteCount - (64 * 1024)) / Compressed(byteCount);
        var formatter = new CompressedFormatter<byte[]>(Raw, new CompressionOptions { Algorithm = algorithm, MaxExpansionFactor = factor });
        Assert.Equal(byteCount, formatter.Read(all.Write(new byte[byteCount])).Length);
        Assert.Equal((byte)algorithm, formatter.Write(new byte[byteCount])[1]);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(all.Write(new byte[byteCount + 1])));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, HeaderByteCount - 4L), (e.Code, e.ByteOffset));
        Assert.Equal((byte)CompressionAlgorithm.None, formatter.Write(new byte[byteCount + 1])[1]);

        FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = byteCount };
        Assert.Equal(byteCount, new CompressedFormatter<byte[]>(Raw, all.Options, limits).Read(all.Write(new byte[byteCount])).Length);
        Assert.Throws<MessageFormatException>(() => new CompressedFormatter<byte[]>(Raw, all.Options, limits).Read(all.Write(new byte[byteCount + 1])));

        int Compressed(int count) => all.Write(new byte[count]).Length - HeaderByteCount;
    }

    /// <summary>The header that all envelopes have: a number in as few bytes as it takes and of 31 bits, and a content type in printable ASCII.</summary>
    [Theory]
    [InlineData("00", "", MessageFormatErrorCode.UnknownFormat, -1)]
    [InlineData("7F", "", MessageFormatErrorCode.UnknownFormat, -1)]
    [InlineData("8001", "", MessageFormatErrorCode.UnknownFormat, -1)]
    [InlineData("FFFFFFFF07", "", MessageFormatErrorCode.UnknownFormat, -1)]
    [InlineData("FFFFFFFF08", "", MessageFormatErrorCode.BadLength, 2)]
    [InlineData("8080808008", "", MessageFormatErrorCode.BadLength, 2)]
    [InlineData("8000", "", MessageFormatErrorCode.BadLength, 2)]
    [InlineData("FF8000", "", MessageFormatErrorCode.BadLength, 2)]
    [InlineData("808080808000", "", MessageFormatErrorCode.BadLength, 2)]
    [InlineData("00", "20", MessageFormatErrorCode.UnknownFormat, -1)]
    [InlineData("00", "7E", MessageFormatErrorCode.UnknownFormat, -1)]
    [InlineData("00", "1F", MessageFormatErrorCode.BadValue, 3)]
    [InlineData("00", "7F", MessageFormatErrorCode.BadValue, 3)]
    [InlineData("00", "6180", MessageFormatErrorCode.BadValue, 3)]
    public void Read_AHeader_InItsOneForm(string number, string contentType, MessageFormatErrorCode code, int byteOffset)
    {
        byte[] type = Bytes.Hex(contentType);
        byte[] body = [1, 0, .. Bytes.Hex(number), (byte)type.Length, .. type, 0, 0, 0, 0];
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new CompressedFormatter<byte[]>(Raw).Read(body));
        Assert.Equal((code, (long)byteOffset, code != MessageFormatErrorCode.UnknownFormat), (e.Code, e.ByteOffset, e.IsPoison));
    }

    [Fact]
    public void ContentTypeInside_Has255BytesAtMost()
    {
        foreach (int charCount in new[] { 3, 255 })
        {
            var formatter = new CompressedFormatter<byte[]>(Of(charCount));
            Assert.Equal([5], formatter.Read(formatter.Write([5])));
        }

        DelegateFormatter<byte[]> longer = Of(256);
        Assert.Throws<ArgumentException>(() => new CompressedFormatter<byte[]>(longer));

        static DelegateFormatter<byte[]> Of(int charCount) =>
            DelegateFormatter.FromArrays<byte[]>("x/" + new string('y', charCount - 2), 0x8001, static bytes => bytes, static bytes => bytes);
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Read_DamagedBytes_GiveTheTypedError(CompressionAlgorithm algorithm)
    {
        var formatter = new CompressedFormatter<byte[]>(Raw, new CompressionOptions { Algorithm = algorithm });
        byte[] good = formatter.Write(Encoding.ASCII.GetBytes(string.Join(' ', Enumerable.Range(0, 2000))));
        byte[] value = formatter.Read(good);
        var random = new Random(2026);
        int refusedCount = 0;
        for (int i = 0; i < 2000; i++)
        {
            byte[] body = [.. good];
            for (int n = random.Next(1, 4); n > 0; n--)
                body[random.Next(HeaderByteCount, body.Length)] = (byte)random.Next(256);
            // What is read has the length that the header declares: the inner formatter has read all of it.
            if (formatter.TryRead(body, out byte[]? read, out MessageFormatException? error))
                Assert.Equal(value.Length, read.Length);
            else
                Assert.InRange(error.ByteOffset, 0, body.Length);
            refusedCount += error is null ? 0 : 1;
        }

        Assert.InRange(refusedCount, 1, 1999);
    }

    [Fact]
    public void Read_AnAlgorithmThatIsNotKnown_IsRefused()
    {
        var formatter = new CompressedFormatter<byte[]>(Raw);
        byte[] body = formatter.Write(new byte[2000]);
        body[1] = 3;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, 1L, false), (e.Code, e.ByteOffset, e.IsPoison));
    }

#if FORMATTERS_NETSTANDARD
    [Fact]
    public void Brotli_IsNotInThisBuild()
    {
        Assert.Equal(CompressionAlgorithm.Deflate, CompressionOptions.Default.Algorithm);
        Assert.Throws<PlatformNotSupportedException>(() => new CompressionOptions { Algorithm = CompressionAlgorithm.Brotli });
        byte[] body = new CompressedFormatter<byte[]>(Raw).Write(new byte[2000]);
        body[1] = (byte)CompressionAlgorithm.Brotli;
        Assert.Contains("netstandard2.0", Assert.Throws<MessageFormatException>(() => new CompressedFormatter<byte[]>(Raw).Read(body)).Message, StringComparison.Ordinal);
    }
#endif

    [Fact]
    public void Options_ThatAreNone_AreRefused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new CompressionOptions { Algorithm = (CompressionAlgorithm)9 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new CompressionOptions { MinByteCount = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new CompressionOptions { MaxExpansionFactor = 0 });
    }

    [Fact]
    public void Around_ARegistry_EachBodyKeepsItsTags()
    {
        var compressed = new CompressedFormatter(new FormatterRegistry(Xml, new HandCodedFormatter<Order>()));
        Order order = SampleOrders.Create(2026, 50, SampleText.Ascii);
        foreach (MessageFormatter<Order> inner in new List<MessageFormatter<Order>> { Xml, new HandCodedFormatter<Order>() })
        {
            var body = new MessageBody(new CompressedFormatter<Order>(inner).Write(order), BodyTypes.Compressed, ContentTypes.Compressed);
            Assert.Equal(Xml.Write(order), Xml.Write((Order)compressed.Read(body)!));
        }
    }
}
