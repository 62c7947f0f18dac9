using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Contracts;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Texts in generated code, which has a way of its own for each range of lengths: 0 to 7, 8 to 16, 17 to 32, 33 to 64 and more.</summary>
public class TextTests
{
    private const int MaxCharCount = 300;

        private readonly BinaryBodyFormatter<TextRecord> _formatter;
    private readonly BinaryBodyFormatter<TextRecord> _strict;

    public TextTests()
        : this(new BinaryBodyOptions())
    {
    }

    /// <param name="options">The options of the formatter.</param>
    protected TextTests(BinaryBodyOptions options)
    {
        _formatter = new(TextRecord.MessageContract, options);
        _strict = new(TextRecord.MessageContract, options with { Limits = FormatterLimits.Default with { RefuseInvalidText = true } });
    }

    public static TheoryData<string> Specials => ["", "é", "東", "\uFFFF", "😀"];

    [Theory]
    [MemberData(nameof(Specials))]
    public void WriteAndRead_EveryLength_HasTheBytesOfBinaryWriter(string special)
    {
        var buffer = new ArrayBufferWriter<byte>(2048);
        foreach (string text in Texts(special))
        {
            TextRecord value = Create(text);
            byte[] expected = ToBytes(value);
            buffer.ResetWrittenCount();

            _formatter.Write(buffer, value);

            Assert.True(buffer.WrittenSpan.SequenceEqual(expected), text);
            AssertEqual(value, _formatter.Read(expected));
            _strict.Write(buffer, value);
        }
    }

    [Theory]
    [MemberData(nameof(Specials))]
    public void Write_JustEnoughRoom_HasTheBytesOfBinaryWriter(string special)
    {
        foreach (string text in Texts(special))
        {
            TextRecord value = Create(text);
            var destination = new StingyBufferWriter();

            _formatter.Write(destination, value);

            Assert.Equal(ToBytes(value), destination.ToArray());
        }
    }

    [Theory]
    [MemberData(nameof(Specials))]
    public void Write_AnyRoom_KeepsToIt(string special)
    {
        foreach (int charCount in new[] { 0, 1, 2, 3, 4, 7, 8, 16, 17, 32, 33, 34, 63, 64, 65, 127, 128, 300 }.Where(n => n >= special.Length))
        {
            TextRecord value = Create(Ascii(charCount - special.Length) + special);
            byte[] expected = ToBytes(value);
            for (int room = 1; room <= 160; room++)
            {
                var destination = new FencedBufferWriter(room);

                _formatter.Write(destination, value);

                Assert.Equal(expected, destination.ToArray());
            }
        }
    }

    [Theory]
    [MemberData(nameof(Specials))]
    public void ReadOver_EqualTexts_KeepsThem(string special)
    {
        foreach (string text in Texts(special))
        {
            TextRecord value = Create(text);
            byte[] body = ToBytes(value);
            TextRecord target = _formatter.Read(body);
            string first = target.First;
            string second = target.Second;
            _formatter.Read(body, ref target);

            AssertEqual(value, target);
            Assert.Same(first, target.First);
            Assert.Same(second, target.Second);
        }
    }

    [Theory]
    [MemberData(nameof(Specials))]
    public void ReadOver_TextsThatDifferInOneCharacter_ReplacesThem(string special)
    {
        foreach (string text in Texts(special, 70))
        {
            TextRecord value = Create(text);
            byte[] body = ToBytes(value);
            for (int i = 0; i < text.Length; i++)
            {
                char[] other = text.ToCharArray();
                other[i] ^= '\u0001';
                TextRecord target = Create(new string(other));
                _formatter.Read(body, ref target);
                AssertEqual(value, target);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Specials))]
    public void Read_EveryPrefix_IsTruncated(string special)
    {
        foreach (int charCount in new[] { 0, 1, 3, 4, 7, 8, 16, 17, 32, 33, 64, 65, 127, 128, 300 }.Where(n => n >= special.Length))
        {
            byte[] body = ToBytes(Create(Ascii(charCount - special.Length) + special));
            for (int byteCount = 0; byteCount < body.Length; byteCount++)
            {
                var exception = Assert.Throws<MessageFormatException>(() => _formatter.Read(body.AsSpan(0, byteCount)));
                Assert.Equal(MessageFormatErrorCode.Truncated, exception.Code);
                Assert.Equal(byteCount, exception.ByteOffset);
            }
        }
    }

    [Fact]
    public void Read_ABadByteAtEachPlace_IsRefusedThere()
    {
        for (int charCount = 1; charCount <= 140; charCount++)
        {
            byte[] body = ToBytes(Create(Ascii(charCount)));
            int start = 4 + (charCount < 128 ? 1 : 2);
            for (int i = 0; i < charCount; i++)
            {
                byte[] bad = (byte[])body.Clone();
                bad[start + i] = 0xE9; // é in Latin-1, and the start of three bytes in UTF-8
                char[] existing = Ascii(charCount).ToCharArray();
                existing[i] = 'é';
                TextRecord target = Create(new string(existing));

                var exception = Assert.Throws<MessageFormatException>(() => _formatter.Read(bad, ref target));

                Assert.Equal(MessageFormatErrorCode.BadText, exception.Code);
                Assert.Equal(start + i, exception.ByteOffset);
            }
        }
    }

    [Fact]
    public void Write_ALoneSurrogateAtEachPlace_IsReplacedOrRefused()
    {
        for (int charCount = 1; charCount <= 140; charCount++)
        {
            for (int i = 0; i < charCount; i++)
            {
                char[] text = Ascii(charCount).ToCharArray();
                text[i] = i % 2 == 0 ? '\uD800' : '\uDC00';
                TextRecord value = Create(new string(text));

                Assert.Equal(ToBytes(value), _formatter.Write(value));
                Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => _strict.Write(value)).Code);
            }
        }
    }

    /// <summary>Texts of every length with the special characters at every place; beyond 70 characters at both ends and some places between.</summary>
    private static IEnumerable<string> Texts(string special, int maxCharCount = MaxCharCount)
    {
        for (int n = special.Length; n <= maxCharCount; n++)
        {
            string ascii = Ascii(n - special.Length);
            for (int place = 0; place <= ascii.Length; place++)
            {
                if (place == 0 || (special.Length > 0 && (n <= 70 || place == ascii.Length || place % 37 == 5)))
                    yield return ascii.Insert(place, special);
            }
        }
    }

    private static string Ascii(int charCount) => string.Concat(Enumerable.Range(0, charCount).Select(static i => (char)('!' + (i % 90))));

    private static TextRecord Create(string text) => new() { Number = 7, First = text, Amount = 1.5, Second = text, Flag = true };

    private static void AssertEqual(TextRecord expected, TextRecord actual)
    {
        Assert.Equal(expected.Number, actual.Number);
        Assert.Equal(expected.First, actual.First);
        Assert.Equal(expected.Amount, actual.Amount);
        Assert.Equal(expected.Second, actual.Second);
        Assert.Equal(expected.Flag, actual.Flag);
    }

    private byte[] ToBytes(TextRecord value)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(value.Number);
        WriteText(writer, value.First);
        writer.Write(value.Amount);
        WriteText(writer, value.Second);
        writer.Write(value.Flag);
        return stream.ToArray();
    }

    protected virtual void WriteText(BinaryWriter writer, string text) => writer.Write(text);
}

/// <summary>The same texts in UTF-16, if they are not ASCII.</summary>
public class Utf16TextTests() : TextTests(new BinaryBodyOptions { UseUtf16 = true })
{
    [Fact]
    public void AnOddLengthOrHalfACharacter_IsRefusedAtItsPlace()
    {
        var formatter = new BinaryBodyFormatter<string>(ByReflection.Binary);
        Assert.Equal("é", formatter.Read([0x82, 0, 0xE9, 0]));
        // The length, and the offset of the error: an odd number of bytes, none, two groups too many, more than 31 bits; half a character at the end, and before another one.
        (byte[] Body, MessageFormatErrorCode Code, int ByteOffset)[] bad =
        [
            ([0x83, 0, 0xE9, 0, 0], MessageFormatErrorCode.BadLength, 0),
            ([0x80, 0], MessageFormatErrorCode.BadLength, 0),
            ([0x82, 0x80, 0, 0xE9, 0], MessageFormatErrorCode.BadLength, 0),
            ([0xFE, 0xFF, 0xFF, 0xFF, 0x8F, 0], MessageFormatErrorCode.BadLength, 0),
            ([0xFE, 0xFF, 0xFF, 0xFF, 0x87, 0], MessageFormatErrorCode.Truncated, 6),
            ([0x84, 0, 0xE9, 0, 0x00, 0xD8], MessageFormatErrorCode.BadText, 4),
            ([0x84, 0, 0x00, 0xDC, 0x00, 0xDC], MessageFormatErrorCode.BadText, 2),
            ([0x84, 0, 0x3D, 0xD8, 0xE9, 0], MessageFormatErrorCode.BadText, 2),
            ([0x84, 0, 0xE9, 0], MessageFormatErrorCode.Truncated, 4),
        ];
        foreach ((byte[] body, MessageFormatErrorCode code, int byteOffset) in bad)
        {
            foreach (string? existing in new[] { "", "é", "\uDC00\uDC00", "\uD83Dé" })
            {
                string? text = existing;
                var exception = Assert.Throws<MessageFormatException>(() => formatter.Read(body, ref text));
                Assert.Equal((code, byteOffset), (exception.Code, exception.ByteOffset));
            }
        }
    }

    [Fact]
    public void AnOlderVersion_SkipsOrKeepsIt()
    {
        foreach (string text in new[] { "é", "東京", new string('東', 70), new string('é', 9000) })
        {
            foreach (ContractOptions options in new[] { VersionedOptions.Default, ByReflection.Versioned })
            {
                var utf16 = (VersionedOptions)options with { UseUtf16 = true };
                byte[] body = new VersionedFormatter<NumbersAll>(utf16).Write(new NumbersAll { A = 1, B = text, C = 3, E = 4 });
                var old = new VersionedFormatter<NumbersOld>((VersionedOptions)options);
                NumbersOld value = old.Read(body);
                Assert.Equal((1, 3, 2), (value.A, value.C, value.Unknown!.Count));
                Assert.Equal(body, old.Write(value));
                Assert.Equal(3, new VersionedFormatter<NumbersSkipping>((VersionedOptions)options).Read(body).C);
            }
        }
    }

    protected override void WriteText(BinaryWriter writer, string text)
    {
        if (text.All(static c => c < 0x80))
        {
            writer.Write(text);
            return;
        }

        // The length, with another group of 7 bits, 0.
        int rest = 2 * text.Length;
        for (; rest > 0; rest >>= 7)
            writer.Write((byte)(rest | 0x80));
        writer.Write((byte)0);
        foreach (char c in text.Select((c, i) => IsUnpaired(text, i) ? '\uFFFD' : c))
            writer.Write((short)c);
    }

    private static bool IsUnpaired(string text, int i) =>
        char.IsHighSurrogate(text[i]) && !(i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
        || char.IsLowSurrogate(text[i]) && !(i > 0 && char.IsHighSurrogate(text[i - 1]));
}

/// <summary>A version without the string, that keeps nothing.</summary>
[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class NumbersSkipping
{
    [MessageMember(3)] public int C { get; set; }
}

/// <summary>Gives spans of a certain length, or what is asked for if that is more, each with bytes behind it that must stay.</summary>
/// <param name="room">The length.</param>
internal sealed class FencedBufferWriter(int room) : IBufferWriter<byte>
{
    private const int FenceByteCount = 64;
    private const byte Fence = 0xA5;

    private readonly List<byte> _written = [];
    private byte[] _current = [];

    public byte[] ToArray() => [.. _written];

    public void Advance(int count)
    {
        Assert.True(_current.AsSpan(_current.Length - FenceByteCount).IndexOfAnyExcept(Fence) < 0, "written behind the span");
        _written.AddRange(new ArraySegment<byte>(_current, 0, count));
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int byteCount = Math.Max(room, sizeHint);
        _current = new byte[byteCount + FenceByteCount];
        _current.AsSpan(byteCount).Fill(Fence);
        return _current.AsMemory(0, byteCount);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}

/// <summary>Texts among numbers.</summary>
[MessageContract(Formats = ContractFormats.Binary)]
public sealed partial class TextRecord
{
    public int Number;
    public string First = "";
    public double Amount;
    public string Second = "";
    public bool Flag;
}
