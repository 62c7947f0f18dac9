using System.IO;
using System;
using Xunit;

namespace Formatters.Tests.Reflection;

/// <summary>The two engines of the reflection formatter, for theories: emitted code, and plain reflection.</summary>
internal static class Engines
{
    public static BinaryBodyFormatter<T> Make<T>(bool compiled, FormatterLimits? limits = null, BinaryBodyOptions? options = null) =>
        new((options ?? BinaryBodyOptions.Default) with { UseCompiledCode = compiled, UseGeneratedContract = false, Limits = limits ?? FormatterLimits.Default });

    /// <summary>The bytes that System.IO.BinaryWriter gives.</summary>
    public static byte[] Classic(Action<BinaryWriter> write)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        write(writer);
        writer.Flush();
        return stream.ToArray();
    }

    /// <summary>Writes a value, holds the bytes against those of BinaryWriter, and reads them back both ways.</summary>
    public static T AssertBytes<T>(bool compiled, T value, Action<BinaryWriter> write)
    {
        byte[] expected = Classic(write);
        BinaryBodyFormatter<T> formatter = Make<T>(compiled);
        Assert.Equal(expected, formatter.Write(value));
        T read = formatter.Read(expected);
        Assert.Equal(expected, formatter.Write(read));
        T overwritten = formatter.Read(expected);
        formatter.Read(expected, ref overwritten);
        Assert.Equal(expected, formatter.Write(overwritten));
        for (int byteCount = 0; byteCount < expected.Length; byteCount++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(expected.AsSpan(0, byteCount)));
            Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
            Assert.Equal(byteCount, e.ByteOffset);
            Assert.False(string.IsNullOrEmpty(e.MemberPath));
        }

        return read;
    }
}
