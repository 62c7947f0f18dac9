using System;
using System.Buffers;
using System.IO;
using System.Text;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Delegates;

public class DelegateFormatterTests
{
    private const string ContentType = "text/plain";
    private const int BodyType = 0x8001;

    private static readonly UTF8Encoding Utf8 = new(false, true);

    private static readonly DelegateFormatter<string> Arrays = DelegateFormatter.FromArrays<string>(ContentType, BodyType, Utf8.GetBytes, Utf8.GetString);

    private static readonly DelegateFormatter<int> Buffers = DelegateFormatter.FromBuffers<int>(
        ContentType, BodyType, static (destination, value) => destination.Write(BitConverter.GetBytes(value)), static body => BitConverter.ToInt32(body));

    private static readonly DelegateFormatter<int> Streams = DelegateFormatter.FromStreams<int>(
        ContentType,
        BodyType,
        static (stream, value) => stream.Write(BitConverter.GetBytes(value), 0, 4),
        static stream =>
        {
            using var reader = new BinaryReader(stream, Utf8, leaveOpen: true);
            return reader.ReadInt32();
        });

    [Fact]
    public void RoundTrip_EachKindOfDelegate()
    {
        Assert.Equal("Gr\u00FC\u00DFe", Arrays.Read(Arrays.Write("Gr\u00FC\u00DFe")));
        Assert.Equal(-5, Buffers.Read(Buffers.Write(-5)));
        Assert.Equal(-5, Streams.Read(Streams.Write(-5)));
        Assert.Equal(Buffers.Write(7), Streams.Write(7));
        Assert.Equal(7, Streams.Read(Bytes.Segmented(Streams.Write(7), 1)));
        var body = new MessageBody();
        ((IMessageFormatter)Arrays).Write(body, "x");
        Assert.Equal((ContentType, BodyType), (body.ContentType, body.BodyType));
    }

    [Fact]
    public void Read_WhatTheDelegateThrows_BecomesTheTypedError()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Arrays.Read([0xFF]));
        Assert.Equal((MessageFormatErrorCode.Malformed, true), (e.Code, e.IsPoison));
        Assert.IsAssignableFrom<DecoderFallbackException>(e.InnerException);
        Assert.IsType<EndOfStreamException>(Assert.Throws<MessageFormatException>(() => Streams.Read([1, 2])).InnerException);

        var own = new MessageFormatException(MessageFormatErrorCode.BadValue, "own", 3);
        DelegateFormatter<int> throwsOwn = DelegateFormatter.FromBuffers<int>(ContentType, BodyType, static (_, _) => { }, _ => throw own);
        Assert.Same(own, Assert.Throws<MessageFormatException>(() => throwsOwn.Read([1])));
        DelegateFormatter<int> cancels = DelegateFormatter.FromBuffers<int>(ContentType, BodyType, static (_, _) => { }, static _ => throw new OperationCanceledException());
        Assert.Throws<OperationCanceledException>(() => cancels.Read([1]));
        DelegateFormatter<string> gives = DelegateFormatter.FromArrays<string>(ContentType, BodyType, static _ => null!, static _ => null!);
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Assert.Throws<MessageFormatException>(() => gives.Read([1])).Code);
        Assert.Throws<InvalidOperationException>(() => gives.Write("x"));
        Assert.Throws<ArgumentNullException>(() => gives.Write(null!));
    }

    [Fact]
    public void Read_StreamLeftBeforeItsEnd_IsTrailingBytes()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Streams.Read([1, 0, 0, 0, 9, 9]));
        Assert.Equal((MessageFormatErrorCode.TrailingBytes, 4L), (e.Code, e.ByteOffset));
    }

    [Fact]
    public void Streams_DelegatesMayCloseThem()
    {
        DelegateFormatter<string> formatter = DelegateFormatter.FromStreams<string>(
            ContentType,
            BodyType,
            static (stream, value) =>
            {
                using var writer = new StreamWriter(stream, Utf8);
                writer.Write(value);
            },
            static stream =>
            {
                using var reader = new StreamReader(stream, Utf8);
                return reader.ReadToEnd();
            });
        Assert.Equal("text", formatter.Read(formatter.Write("text")));
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = 10 };
        DelegateFormatter<string>[] formatters =
        [
            DelegateFormatter.FromArrays<string>(ContentType, BodyType, Utf8.GetBytes, Utf8.GetString, limits),
            DelegateFormatter.FromBuffers<string>(
                ContentType, BodyType, static (destination, value) => destination.Write(Utf8.GetBytes(value)), static body => Utf8.GetString(body), limits),
            DelegateFormatter.FromStreams<string>(
                ContentType,
                BodyType,
                static (stream, value) => stream.Write(Utf8.GetBytes(value), 0, value.Length),
                static stream => new StreamReader(stream, Utf8).ReadToEnd(),
                limits),
        ];
        foreach (DelegateFormatter<string> formatter in formatters)
        {
            Assert.Equal("0123456789", formatter.Read(formatter.Write("0123456789")));
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write("0123456789a")).Code);
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[11])).Code);
            Assert.Equal("x", formatter.Read(formatter.Write("x")));
        }
    }

    [Fact]
    public void Write_BufferWriterKeptByTheDelegate_IsNoLongerValid()
    {
        IBufferWriter<byte>? kept = null;
        DelegateFormatter<int> formatter = DelegateFormatter.FromBuffers<int>(ContentType, BodyType, (destination, _) => kept = destination, static _ => 1);
        formatter.Write(1);
        Assert.Throws<InvalidOperationException>(() => kept!.GetSpan(1).Length);
    }

    [Fact]
    public void Factories_NullArguments_AreRefused()
    {
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromArrays<string>(null!, 1, Utf8.GetBytes, Utf8.GetString));
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromArrays<string>("a/b", 1, null!, Utf8.GetString));
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromArrays<string>("a/b", 1, Utf8.GetBytes, null!));
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromBuffers<string>("a/b", 1, null!, static _ => ""));
        foreach (string contentType in new[] { "", "text", "/plain", "text/", "text/plain\r\nX: y", "text/a/b", "text/plain; charset=utf-8", "text/pläin", " text/plain" })
            Assert.Throws<ArgumentException>(() => DelegateFormatter.FromBuffers<string>(contentType, 1, static (_, _) => { }, static _ => ""));
        Assert.Throws<ArgumentOutOfRangeException>(() => DelegateFormatter.FromBuffers<string>("a/b", -1, static (_, _) => { }, static _ => ""));
        Assert.Equal("application/vnd.my_format+x", DelegateFormatter.FromBuffers<string>("application/vnd.my_format+x", 0, static (_, _) => { }, static _ => "").ContentType);
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromBuffers<string>("a/b", 1, static (_, _) => { }, null!));
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromStreams<string>("a/b", 1, null!, static _ => ""));
        Assert.Throws<ArgumentNullException>(() => DelegateFormatter.FromStreams<string>("a/b", 1, static (_, _) => { }, null!));
    }
}
