using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Formatters.Binary;
using Xunit;

namespace Formatters.Tests.Binary;

/// <summary>Texts on both sides of every step between the ways in which they are transcoded: 0, 1, 3, 7, 8, 16, 17, 32, 33, 64, 127 and so on to 300 characters; 4096 and 16384.</summary>
public class BinaryTextTests
{
    private const int MaxCharCount = 300;

    private static readonly int[] LongCharCounts = [4094, 4096, 4097, 4200, 16381, 16383, 16384, 16400];

    public static TheoryData<string> Specials => ["", "\u0080", "é", "߿", "ࠀ", "東", "\uFFFF", "😀"];

    [Theory]
    [MemberData(nameof(Specials))]
    public void Write_EveryLengthAndPlace_HasTheBytesOfBinaryWriter(string special)
    {
        foreach (string text in Texts(special))
        {
            byte[] expected = ToBytes(text);

            // Where there is plenty of room, and where there is just enough.
            foreach (int room in new[] { expected.Length + (3 * text.Length) + 64, expected.Length })
            {
                var destination = new byte[room];
                var writer = new BinaryBodyWriter(destination.AsSpan());
                writer.Write(text);

                Assert.Equal(expected.Length, writer.BytesWritten);
                Assert.True(destination.AsSpan(0, expected.Length).SequenceEqual(expected), text);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Specials))]
    public void ReadString_EveryLengthAndPlace_GivesTheText(string special)
    {
        foreach (string text in Texts(special))
        {
            byte[] body = ToBytes(text);
            Assert.Equal(text, Read(body, null));
            Assert.Equal(text, Read(body, text + "x"));
#if FORMATTERS_NETSTANDARD
            if (text.Length is > 0 and <= MaxCharCount)
#else
            if (text.Length > 0)
#endif
            {
                string equal = new(text.ToCharArray());
                Assert.Same(equal, Read(body, equal));
            }

            for (int i = 0; i < text.Length; i += 1 + (text.Length / MaxCharCount * 32))
            {
                char[] other = text.ToCharArray();
                other[i] ^= '\u0001';
                Assert.Equal(text, Read(body, new string(other)));
            }
        }
    }

    [Fact]
    public void ReadString_ExistingTextWithTheSameCodesAsBadBytes_IsRefused()
    {
        foreach (int n in Enumerable.Range(1, MaxCharCount).Concat(LongCharCounts))
        {
            byte[] body = ToBytes(new string('a', n));
            int prefix = body.Length - n;
            foreach (int place in Places(n))
            {
                // 0xE9 is é in Latin-1, and the start of three bytes in UTF-8.
                body.AsSpan(prefix).Fill((byte)'a');
                body[prefix + place] = 0xE9;
                string existing = string.Concat(Enumerable.Repeat("a", place)) + "é" + string.Concat(Enumerable.Repeat("a", n - place - 1));

                var exception = Assert.Throws<MessageFormatException>(() => Read(body, existing));

                Assert.Equal(MessageFormatErrorCode.BadText, exception.Code);
                Assert.Equal(prefix + place, exception.ByteOffset);
            }
        }
    }

    /// <summary>Runs of characters of one to four bytes and unpaired surrogates, in any mixture.</summary>
    [Fact]
    public void Mixtures_AreWrittenAsByBinaryWriter_AndReadAgain()
    {
        var random = new Random(43);
        for (int i = 0; i < 20_000; i++)
        {
            string text = Mixture(random);
            byte[] expected = ToBytes(text);
            var destination = new byte[expected.Length];
            var writer = new BinaryBodyWriter(destination.AsSpan());
            writer.Write(text);
            Assert.Equal(expected.Length, writer.BytesWritten);
            Assert.Equal(expected, destination);
            string read = Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
            Assert.Equal(read, Read(expected, null));
            Assert.Equal(read, Read(expected, read + "x"));
        }
    }

    /// <summary>Mixtures with changed, removed and exchanged bytes are read, or rejected, as by the strict encoding, at the first byte that is wrong.</summary>
    [Fact]
    public void Mixtures_Damaged_AreReadOrRefusedAsByTheEncoding()
    {
        var strict = new UTF8Encoding(false, throwOnInvalidBytes: true);
        var random = new Random(44);
        int refusedCount = 0;
        for (int i = 0; i < 40_000; i++)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(Mixture(random));
            if (bytes.Length == 0)
                continue;
            byte[] bad = [0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF, 0x9F, 0xA0, 0x8F, 0x90, (byte)random.Next(256)];
            bytes[random.Next(bytes.Length)] = bad[random.Next(bad.Length)];
            if (random.Next(4) == 0)
                Array.Resize(ref bytes, random.Next(bytes.Length));
            byte[] body = [.. bytes.Length < 128 ? new[] { (byte)bytes.Length } : [(byte)(bytes.Length | 0x80), (byte)(bytes.Length >> 7)], .. bytes];
            string? expected = null;
            try
            {
                expected = strict.GetString(bytes);
            }
            catch (DecoderFallbackException)
            {
            }

            if (expected is not null)
            {
                Assert.Equal(expected, Read(body, null));
                continue;
            }

            Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => Read(body, null)).Code);
            refusedCount++;
        }

        Assert.InRange(refusedCount, 10_000, 39_000);
    }

    private static string Mixture(Random random)
    {
        var text = new StringBuilder();
        for (int runs = random.Next(8); runs > 0; runs--)
        {
            int kind = random.Next(7);
            for (int count = random.Next(1, 30); count > 0; count--)
            {
                switch (kind)
                {
                    case 0 or 1:
                        text.Append((char)random.Next(1, 0x80));
                        break;
                    case 2:
                        text.Append((char)random.Next(0x80, 0x800));
                        break;
                    case 3:
                        text.Append((char)random.Next(0x800, 0xD800));
                        break;
                    case 4:
                        text.Append(char.ConvertFromUtf32(random.Next(0x10000, 0x110000)));
                        break;
                    case 5:
                        text.Append((char)random.Next(0xE000, 0x10000)).Append((char)random.Next('a', 'z'));
                        break;
                    default:
                        text.Append((char)(random.Next(6) == 0 ? random.Next(0xD800, 0xE000) : random.Next(0x60, 0x100)));
                        break;
                }
            }
        }

        return text.ToString();
    }

    [Fact]
    public void ReadString_LengthInMoreBytesThanNeeded_IsRefused()
    {
        foreach (int n in new[] { 0, 1, 7, 8, 32, 33, 64, 65, 100, 127 })
        {
            // One byte more says that the string is in UTF-16: an even number of bytes.
            if (n == 0 || n % 2 != 0)
                AssertRefused([(byte)(n | 0x80), 0, .. Enumerable.Repeat((byte)'a', n)]);
            AssertRefused([(byte)(n | 0x80), 0x80, 0, .. Enumerable.Repeat((byte)'a', n)]);
        }

        foreach (int n in new[] { 128, 201, 4096, 16383 })
        {
            if (n % 2 != 0)
                AssertRefused([(byte)(n | 0x80), (byte)((n >> 7) | 0x80), 0, .. Enumerable.Repeat((byte)'a', n)]);
            AssertRefused([(byte)(n | 0x80), (byte)((n >> 7) | 0x80), 0x80, 0, .. Enumerable.Repeat((byte)'a', n)]);
        }

        static void AssertRefused(byte[] body)
        {
            var exception = Assert.Throws<MessageFormatException>(() => Read(body, null));
            Assert.Equal(MessageFormatErrorCode.BadLength, exception.Code);
            Assert.Equal(0, exception.ByteOffset);
        }
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void ReadString_OneCharacter_AllocatesNothing()
    {
        byte[] body = ToBytes("Y");
        Read(body, null);
        long before = GC.GetAllocatedBytesForCurrentThread();

        string text = Read(body, null);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal("Y", text);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(100)]
    [InlineData(1000)]
    public void ReadString_LastCharacterNotAscii_AllocatesOneString(int charCount)
    {
        string expected = new string('a', charCount) + "é";
        byte[] body = ToBytes(expected);
        Read(body, null);
        long before = GC.GetAllocatedBytesForCurrentThread();
        string copy = new(expected.AsSpan());
        long ofOne = GC.GetAllocatedBytesForCurrentThread() - before;
        before = GC.GetAllocatedBytesForCurrentThread();

        string text = Read(body, null);

        Assert.Equal(ofOne, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(copy, text);
    }
#endif

    private static IEnumerable<string> Texts(string special)
    {
        foreach (int n in Enumerable.Range(special.Length, MaxCharCount + 1 - special.Length).Concat(LongCharCounts))
        {
            string ascii = string.Concat(Enumerable.Range(0, n - special.Length).Select(static i => (char)('!' + (i % 90))));
            foreach (int place in Places(ascii.Length + 1))
                yield return ascii.Insert(place, special);
        }
    }

    private static IEnumerable<int> Places(int count) => new[] { 0, count / 2, count - 1 }.Distinct();

    private static byte[] ToBytes(string text)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(text);
        return stream.ToArray();
    }

    private static string Read(byte[] body, string? existing)
    {
        var reader = new BinaryBodyReader(body);
        string text = reader.ReadString(existing);
        reader.EnsureEnd();
        return text;
    }
}
