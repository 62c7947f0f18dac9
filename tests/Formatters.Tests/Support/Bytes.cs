using System;
using System.Buffers;
using System.Collections.Generic;

namespace Formatters.Tests.Support;

/// <summary>Bodies cut into segments, and buffer writers that give little room.</summary>
internal static class Bytes
{
    public static byte[] Hex(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

    /// <summary>The body as a sequence of segments of a given size.</summary>
    public static ReadOnlySequence<byte> Segmented(byte[] body, int segmentByteCount)
    {
        if (body.Length == 0)
            return ReadOnlySequence<byte>.Empty;
        Segment? first = null, last = null;
        for (int i = 0; i < body.Length; i += segmentByteCount)
        {
            var segment = new Segment(body.AsMemory(i, Math.Min(segmentByteCount, body.Length - i)), last);
            first ??= segment;
            last = segment;
        }

        return new ReadOnlySequence<byte>(first!, 0, last!, last!.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? previous)
        {
            Memory = memory;
            if (previous is null)
                return;
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }
}

/// <summary>A buffer writer that gives exactly what is asked for, and one byte where nothing is, each in a buffer of its own.</summary>
internal sealed class StingyBufferWriter : IBufferWriter<byte>
{
    private readonly List<byte> _written = [];
    private byte[] _current = [];

    public byte[] ToArray() => [.. _written];

    public void Advance(int count) => _written.AddRange(new ArraySegment<byte>(_current, 0, count));

    public Memory<byte> GetMemory(int sizeHint = 0) => _current = new byte[Math.Max(1, sizeHint)];

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}

/// <summary>Random text: ASCII, accents, CJK, other planes, and surrogates without a partner.</summary>
internal static class RandomText
{
    public static string Next(Random random, int charCount, bool validOnly)
    {
        var chars = new char[charCount];
        int kind = random.Next(5);
        for (int i = 0; i < charCount; i++)
        {
            int k = kind < 4 ? kind : random.Next(4);
            switch (k)
            {
                case 0:
                    chars[i] = (char)random.Next(0x80);
                    break;
                case 1:
                    chars[i] = random.Next(4) == 0 ? (char)random.Next(0x80, 0x800) : (char)random.Next(0x20, 0x7F);
                    break;
                case 2:
                    chars[i] = (char)random.Next(0x3000, 0xD800);
                    break;
                default:
                    if (validOnly)
                    {
                        if (i + 1 < charCount)
                        {
                            string pair = char.ConvertFromUtf32(random.Next(0x10000, 0x110000));
                            chars[i++] = pair[0];
                            chars[i] = pair[1];
                        }
                        else
                        {
                            chars[i] = 'x';
                        }
                    }
                    else
                    {
                        chars[i] = (char)random.Next(0xD700, 0xE100);
                    }

                    break;
            }
        }

        return new string(chars);
    }
}
