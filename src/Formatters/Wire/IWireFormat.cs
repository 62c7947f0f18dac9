using System;
using System.ComponentModel;
using System.Numerics;

namespace Formatters.Generated;

/// <summary>A wire format: a struct of primitives, called as <c>default(TFormat)</c> by the one traversal of every contract. For generated code and the library.</summary>
/// <remarks>
/// Methods that are given a position and no writer write at it, and return the position after the last byte: the caller has reserved <see cref="WireCode.MaxValueByteCount"/>
/// bytes. Those that are given a writer reserve by themselves. docs/decisions/0005-one-traversal.md.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireFormat
{
    /// <summary>The body type, by which kept members of one format are told from those of another.</summary>
    internal int BodyType { get; }

    /// <summary>Whether a float is rounded where it is read as a narrower one, unless it is too large; else one that is not exact is refused.</summary>
    internal bool RoundsFloats { get; }

    /// <summary>Whether the entries of dictionaries and the elements of sets are written in the order of their bytes.</summary>
    internal bool IsSorted { get; }

    /// <summary>Whether the names of a record in the map form are written in the order of their encoded bytes; else in the order of its members.</summary>
    internal bool SortsKeys { get; }

    /// <summary>The first byte of a string of no bytes, to which the length of a short string is added.</summary>
    internal byte ShortTextCode { get; }

    /// <summary>The length in bytes up to which a string is short: its first byte is all of its header. At most <see cref="WireCode.MaxShortTextByteCount"/>.</summary>
    internal int MaxShortTextByteCount { get; }

    /// <summary>Writes a null.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <returns>The position after it.</returns>
    ref byte WriteNull(ref byte position);

    /// <summary>Writes a value.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    internal ref byte Write(ref byte position, bool value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    ref byte Write(ref byte position, int value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, long value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, ulong value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, float value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, double value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, decimal value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, DateTime value);

    /// <summary>Writes a clock time with its offset, which may be nested.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    internal ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value);

    /// <inheritdoc cref="Write(ref byte, bool)"/>
    internal ref byte Write(ref byte position, Guid value);

    /// <summary>Writes a date without a time.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="dayNumber">The days since 0001-01-01.</param>
    /// <returns>The position after it.</returns>
    internal ref byte WriteDate(ref byte position, int dayNumber);

    /// <summary>Writes an integer of any size.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    internal ref byte Write(ref WireWriter writer, ref byte position, BigInteger value);

    /// <summary>Writes an integer of 128 bits.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="high">The upper 64 bits.</param>
    /// <param name="low">The lower 64 bits.</param>
    /// <param name="isSigned">Whether the first bit is the sign.</param>
    /// <returns>The position after it.</returns>
    internal ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned);

    /// <summary>Writes an absolute or relative URI.</summary>
    /// <inheritdoc cref="Write(ref WireWriter, ref byte, BigInteger)"/>
    internal ref byte WriteUri(ref WireWriter writer, ref byte position, string value);

    /// <summary>Writes bytes.</summary>
    /// <inheritdoc cref="Write(ref WireWriter, ref byte, BigInteger)"/>
    internal ref byte WriteBytes(ref WireWriter writer, ref byte position, ReadOnlySpan<byte> value);

    /// <summary>Writes how many bytes of UTF-8 follow: of a key of the map form.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="byteCount">The number.</param>
    /// <returns>The position after it.</returns>
    internal ref byte WriteTextHeader(ref byte position, int byteCount);

    /// <summary>Writes how many elements follow.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="count">The number.</param>
    /// <returns>The position after it.</returns>
    ref byte WriteArrayHeader(ref byte position, int count);

    /// <summary>Writes how many entries follow, each a key and a value.</summary>
    /// <inheritdoc cref="WriteArrayHeader"/>
    ref byte WriteMapHeader(ref byte position, int count);

    /// <summary>Reads a null, if one is next.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>Whether it was one.</returns>
    bool TryReadNull(ref WireReader reader);

    /// <summary>Reads a value.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    internal bool ReadBoolean(ref WireReader reader);

    /// <summary>Reads an integer within bounds.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="min">The least value.</param>
    /// <param name="max">The greatest value.</param>
    /// <param name="typeName">The type, for an error.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    internal long ReadInteger(ref WireReader reader, long min, long max, string typeName);

    /// <inheritdoc cref="ReadBoolean"/>
    internal ulong ReadUInt64(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal float ReadSingle(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal double ReadDouble(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal decimal ReadDecimal(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal DateTime ReadDateTime(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal DateTimeOffset ReadDateTimeOffset(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal Guid ReadGuid(ref WireReader reader);

    /// <summary>Reads a date without a time, as the days since 0001-01-01; the caller checks the range.</summary>
    /// <inheritdoc cref="ReadBoolean"/>
    internal long ReadDate(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal BigInteger ReadBigInteger(ref WireReader reader);

    /// <summary>Reads an integer of 128 bits.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="isSigned">Whether the first bit is the sign.</param>
    /// <param name="high">Receives the upper 64 bits.</param>
    /// <param name="low">Receives the lower 64 bits.</param>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    internal void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low);

    /// <summary>Reads the UTF-8 of a string, as a view of the body.</summary>
    /// <inheritdoc cref="ReadBoolean"/>
    internal ReadOnlySpan<byte> ReadUtf8(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal string ReadUri(ref WireReader reader);

    /// <summary>Reads bytes, as a view of the body.</summary>
    /// <inheritdoc cref="ReadBoolean"/>
    internal ReadOnlySpan<byte> ReadBytes(ref WireReader reader);

    /// <summary>Reads the UTF-8 of a key, as a view of the body; empty, with the value skipped, for a key of another kind.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="isText">Whether it is a string.</param>
    /// <returns>The UTF-8.</returns>
    internal ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText);

    /// <summary>Reads an integer at a position, which stays: in its frequent forms at once, in any other by the reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the value is.</param>
    /// <param name="byteCount">Receives how many bytes it has.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    internal int ReadInt32(ref WireReader reader, ref byte position, out int byteCount);

    /// <inheritdoc cref="ReadInt32"/>
    internal double ReadDouble(ref WireReader reader, ref byte position, out int byteCount);

    /// <summary>Whether an array of a constant number of elements is at a position, in its shortest form.</summary>
    /// <param name="position">Where the value is.</param>
    /// <param name="remaining">The bytes from there to the end of the body.</param>
    /// <param name="count">The number.</param>
    /// <param name="byteCount">Receives how many bytes the header has.</param>
    /// <returns>False also if fewer bytes than elements remain.</returns>
    internal bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount);

    /// <summary>Reads how many elements follow.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="elementAllocation">About how many bytes an element takes in memory.</param>
    /// <returns>The number: no more than bytes remain, and within the limits.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or there are fewer bytes, or a limit is exceeded.</exception>
    int ReadArrayHeader(ref WireReader reader, int elementAllocation);

    /// <summary>Reads how many entries follow.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="entryAllocation">About how many bytes an entry takes in memory.</param>
    /// <returns>The number.</returns>
    /// <inheritdoc cref="ReadArrayHeader" path="/exception"/>
    int ReadMapHeader(ref WireReader reader, int entryAllocation);

    /// <summary>Skips a value of any kind.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">It is malformed, is nested too deeply, or the body ends before its end.</exception>
    void Skip(ref WireReader reader);
}
