using System;
using System.Buffers;
using System.IO;
using System.Linq;
using Formatters.Buffers;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests;

public class MessageBodyTests
{
    [Fact]
    public void New_HasNoBytesNoTypes()
    {
        var body = new MessageBody();
        Assert.Equal(0, body.ByteCount);
        Assert.Equal(0, body.BodyType);
        Assert.Null(body.ContentType);
        Assert.Empty(body.ToArray());
    }

    [Theory]
    [InlineData("text/xml", "text/xml", true)]
    [InlineData("TEXT/XML", "text/xml", true)]
    [InlineData(" text/xml ; charset=utf-8", "text/xml", true)]
    [InlineData("text/xml;charset=utf-8", "text/xml", true)]
    [InlineData("text/xmlx", "text/xml", false)]
    [InlineData("text", "text/xml", false)]
    [InlineData("", "text/xml", false)]
    [InlineData(null, "text/xml", false)]
    public void HasContentType_ComparesTheNameAlone(string? contentType, string mediaType, bool expected) =>
        Assert.Equal(expected, new MessageBody(default(ReadOnlyMemory<byte>), 0, contentType).HasContentType(mediaType));

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(100)]
    public void OpenRead_GivesTheBytes(int segmentByteCount)
    {
        byte[] bytes = [.. Enumerable.Range(0, 50).Select(i => (byte)i)];
        var body = new MessageBody(Bytes.Segmented(bytes, segmentByteCount));
        using Stream stream = body.OpenRead();
        using var copy = new MemoryStream();
        stream.CopyTo(copy);
        Assert.Equal(bytes, copy.ToArray());
        Assert.False(stream.CanWrite);
        Assert.Equal(bytes, body.ToArray());
    }

    [Fact]
    public void OpenRead_PartOfAnArray_GivesThatPart()
    {
        using Stream stream = new MessageBody(new byte[] { 1, 2, 3, 4 }.AsMemory(1, 2)).OpenRead();
        Assert.Equal(2, stream.ReadByte());
        Assert.Equal(3, stream.ReadByte());
        Assert.Equal(-1, stream.ReadByte());
    }
}

public class PooledBufferWriterTests
{
    [Fact]
    public void Write_BeyondItsFirstArray_KeepsWhatWasWritten()
    {
        using var writer = new PooledBufferWriter(16);
        var random = new Random(1);
        using var expected = new MemoryStream();
        for (int i = 0; i < 1_000; i++)
        {
            var part = new byte[random.Next(100)];
            random.NextBytes(part);
            writer.Write(part);
            expected.Write(part, 0, part.Length);
        }

        Assert.Equal(expected.Length, writer.WrittenCount);
        Assert.Equal(expected.ToArray(), writer.WrittenSpan.ToArray());
        Assert.Equal(expected.ToArray(), writer.WrittenMemory.ToArray());
        Assert.Equal(expected.ToArray(), writer.WrittenSegment.ToArray());
        writer.Clear();
        Assert.Equal(0, writer.WrittenCount);
    }

    [Fact]
    public void Misuse_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new PooledBufferWriter(-1));
        var writer = new PooledBufferWriter(0);
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(1));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.GetMemory(-1));
        writer.GetSpan(10)[0] = 1;
        writer.Advance(1);
        writer.Dispose();
        writer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => writer.GetSpan());
        Assert.Throws<ObjectDisposedException>(() => writer.WrittenMemory.ToArray());
    }
}

public class FormatterLimitsTests
{
    [Fact]
    public void Default_IsAsDocumented()
    {
        FormatterLimits limits = FormatterLimits.Default;
        Assert.Equal(16_777_216, limits.MaxBodyByteCount);
        Assert.Equal(64, limits.MaxDepth);
        Assert.Equal(1_000_000, limits.MaxElementCount);
        Assert.Equal(64, limits.MaxAllocationFactor);
        Assert.False(limits.RefuseInvalidText);
        Assert.Equal(limits, new FormatterLimits());
    }

    [Fact]
    public void Limit_NotPositive_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxBodyByteCount = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxDepth = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxElementCount = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxAllocationFactor = 0 });
    }
}

public class MessageFormatExceptionTests
{
    [Fact]
    public void Message_CarriesPathAndOffset()
    {
        var inner = new InvalidOperationException();
        var e = new MessageFormatException(MessageFormatErrorCode.BadValue, "Bad.", 7, "Order.Total", isPoison: true, inner);
        Assert.Equal("Bad. (member Order.Total, byte offset 7)", e.Message);
        Assert.Equal((MessageFormatErrorCode.BadValue, 7L, "Order.Total", true, inner), (e.Code, e.ByteOffset, e.MemberPath, e.IsPoison, (InvalidOperationException)e.InnerException!));
        Assert.Equal("Bad. (byte offset 0)", new MessageFormatException(MessageFormatErrorCode.BadValue, "Bad.", 0).Message);
        Assert.Equal("Bad. (member X)", new MessageFormatException(MessageFormatErrorCode.BadValue, "Bad.", memberPath: "X").Message);
        Assert.Equal("Bad.", new MessageFormatException("Bad.").Message);
        Assert.IsAssignableFrom<FormatException>(e);
        Assert.Equal(MessageFormatErrorCode.None, new MessageFormatException().Code);
    }
}
