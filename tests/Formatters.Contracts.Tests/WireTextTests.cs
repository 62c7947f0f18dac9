using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>
/// Strings in MessagePack, CBOR and the compact format, which share their code: of each length, ASCII and not, with the bytes of the specification, into buffers
/// of every size; read whole, over an equal string, and cut off.
/// </summary>
public sealed class WireTextTests
{
    private static readonly int[] Lengths = [.. Enumerable.Range(0, 72), 85, 86, 127, 128, 129, 255, 256, 257, 21_845, 21_846, 65_535, 65_536];

    public static TheoryData<string, string> Cases
    {
        get
        {
            var cases = new TheoryData<string, string>();
            foreach (string format in new[] { "MessagePack", "CBOR", "compact" })
            {
                // All ASCII; one other character at the end; no ASCII, so that the header is longer than that of so many ASCII characters.
                foreach (string kind in new[] { "", "é", "東", "😀", "all é", "all 東" })
                    cases.Add(format, kind);
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Strings_HaveTheBytesOfTheSpecification(string format, string kind)
    {
        MessageFormatter<string> formatter = Create<string>(format);
        foreach (string text in Texts(kind))
        {
            byte[] expected = Encode(format, text);

            Assert.Equal(expected, formatter.Write(text));
            Assert.Equal(text, formatter.Read(expected));
            string existing = new(text.ToCharArray());
            string value = existing;
            formatter.Read(expected, ref value);
            Assert.Equal(text, value);
#if !FORMATTERS_NETSTANDARD // There, only ASCII is compared.
            Assert.True(text.Length < 2 || ReferenceEquals(existing, value), "An equal string is kept.");
#endif
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Strings_StayWithinTheirBuffer(string format, string kind)
    {
        MessageFormatter<List<string>> formatter = Create<List<string>>(format);
        byte header = format switch { "MessagePack" => 0x92, "CBOR" => 0x82, _ => 0xB2 };
        foreach (string text in Texts(kind).Where(static text => text.Length < 260))
        {
            byte[] one = Encode(format, text);
            byte[] expected = [header, .. one, .. one];
            for (int room = 0; room <= Math.Min(expected.Length, 150); room++)
            {
                var destination = new FencedBufferWriter(room);
                formatter.Write(destination, [text, text]);
                Assert.Equal(expected, destination.ToArray());
            }
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Strings_CutOff_AreTruncated(string format, string kind)
    {
        MessageFormatter<string> formatter = Create<string>(format);
        foreach (string text in Texts(kind).Where(static text => text.Length < 100))
        {
            byte[] body = Encode(format, text);
            for (int byteCount = 0; byteCount < body.Length; byteCount++)
                Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, byteCount))).Code);
        }
    }

    private static MessageFormatter<T> Create<T>(string format) => format switch
    {
        "MessagePack" => new MessagePackFormatter<T>(),
        "CBOR" => new CborFormatter<T>(),
        _ => new CompactFormatter<T>(),
    };

    private static IEnumerable<string> Texts(string kind)
    {
        foreach (int length in Lengths)
        {
            if (kind.StartsWith("all ", StringComparison.Ordinal))
                yield return new string(kind[4], length);
            else if (length >= kind.Length)
                yield return string.Concat(Enumerable.Range(0, length - kind.Length).Select(static i => (char)('a' + (i % 26)))) + kind;
        }
    }

    /// <summary>https://github.com/msgpack/msgpack/blob/master/spec.md#str-format-family, https://www.rfc-editor.org/rfc/rfc8949#section-3, docs/wire/compact.md.</summary>
    private static byte[] Encode(string format, string text)
    {
        byte[] content = Encoding.UTF8.GetBytes(text);
        if (format == "compact" && content.Length > 1 + (2 * text.Length))
            content = [0xFF, .. Encoding.Unicode.GetBytes(text)];
        int n = content.Length;
        (byte code, int maxShort, byte longCode) = format switch
        {
            "MessagePack" => ((byte)0xA0, 31, (byte)0xD9),
            "CBOR" => ((byte)0x60, 23, (byte)0x78),
            _ => ((byte)0x80, 39, (byte)0xD1),
        };
        if (n <= maxShort)
            return [(byte)(code + n), .. content];
        byte[] length = n <= byte.MaxValue ? [(byte)n] : n <= ushort.MaxValue ? [(byte)(n >> 8), (byte)n] : [(byte)(n >> 24), (byte)(n >> 16), (byte)(n >> 8), (byte)n];
        byte head = (byte)(longCode + (length.Length == 1 ? 0 : length.Length == 2 ? 1 : 2));
        return format == "compact" ? [head, .. length.Reverse(), .. content] : [head, .. length, .. content];
    }
}
