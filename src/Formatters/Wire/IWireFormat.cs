using System;
using System.ComponentModel;
using System.Numerics;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>
/// A wire format: a struct of primitives, called as <c>default(TFormat)</c> by the traversal of every contract. For generated code and the library.
/// </summary>
/// <remarks>
/// Methods that write do so at the position, and return the position after the last byte. For scalars and headers the caller has reserved <see
/// cref="WireCode.MaxValueByteCount"/> bytes; for values of any size the method reserves them from the writer. A format of the application always
/// writes with the writer: <see cref="CustomWireFormat{TFormat}"/>. docs/decisions/0005-one-traversal.md.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IWireFormat
{
    /// <summary>Gets the body type, which distinguishes stored unknown members of different formats.</summary>
    internal int BodyType { get; }

    /// <summary>Gets the body type that the application sees.</summary>
    internal int PublicBodyType { get; }

    /// <summary>Gets the format of the generated contracts that have its code.</summary>
    internal ContractFormats ContractFormat { get; }

    /// <summary>
    /// Returns whether the next number, read as a narrower float, is rounded unless it is too large; otherwise an inexact one is rejected.
    /// </summary>
    internal bool RoundsFloat(in WireReader reader);

    /// <summary>Gets whether the entries of dictionaries and the elements of sets are written in the order of their bytes.</summary>
    internal bool IsSorted { get; }

    /// <summary>
    /// Gets whether the names of a record in the map form are written in the order of their encoded bytes; otherwise in the order of its members.
    /// </summary>
    internal bool SortsKeys { get; }

    /// <summary>Gets the first byte of an empty string, to which the length of a short string is added.</summary>
    internal byte ShortTextCode { get; }

    /// <summary>
    /// Gets the maximum length in bytes of a short string, whose header is its first byte. At most <see cref="WireCode.MaxShortTextByteCount"/>; 0
    /// for a format of the application, whose strings have any form: <see cref="WireCode.IsCustom"/>.
    /// </summary>
    internal int MaxShortTextByteCount { get; }

    /// <summary>Gets the size of a value whose first byte determines it; 0 for any other value, and in formats without such a table.</summary>
    /// <param name="first">The first byte.</param>
    /// <returns>The number of bytes, which may be more than remain.</returns>
    internal int ByteCountOf(byte first);

    /// <summary>Writes a null.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <returns>The position after it.</returns>
    ref byte WriteNull(ref WireWriter writer, ref byte position);

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    internal ref byte Write(ref WireWriter writer, ref byte position, bool value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    ref byte Write(ref WireWriter writer, ref byte position, int value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, long value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, ulong value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, float value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, double value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, decimal value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, DateTime value);

    /// <summary>Writes a <see cref="DateTimeOffset"/>; some formats use a nested array.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    internal ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value);

    /// <inheritdoc cref="Write(ref WireWriter, ref byte, bool)"/>
    internal ref byte Write(ref WireWriter writer, ref byte position, Guid value);

    /// <summary>Writes a date without a time.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="dayNumber">The days since 0001-01-01.</param>
    /// <returns>The position after it.</returns>
    internal ref byte WriteDate(ref WireWriter writer, ref byte position, int dayNumber);

    /// <summary>Writes an integer of any size.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    internal ref byte Write(ref WireWriter writer, ref byte position, BigInteger value);

    /// <summary>Writes an integer of 128 bits.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
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
    internal ref byte WriteBytes(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value);

    /// <summary>Writes a string of UTF-8: a key of the map form, or any string of a format of the application.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The UTF-8. The bytes for it and its header are reserved.</param>
    /// <returns>The position after it.</returns>
    internal ref byte WriteUtf8(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value);

    /// <summary>Writes the header of a string with a number of UTF-8 bytes. Not called for a format of the application.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="byteCount">The number.</param>
    /// <returns>The position after it.</returns>
    internal ref byte WriteTextHeader(ref byte position, int byteCount);

    /// <summary>Writes the number of elements.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="count">The number.</param>
    /// <returns>The position after it.</returns>
    ref byte WriteArrayHeader(ref WireWriter writer, ref byte position, int count);

    /// <summary>Writes the number of entries, each a key and a value.</summary>
    /// <inheritdoc cref="WriteArrayHeader"/>
    ref byte WriteMapHeader(ref WireWriter writer, ref byte position, int count);

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

    /// <summary>Reads a value into <paramref name="value"/>. Returned, 16 bytes are in two registers on many platforms; stored as two halves, they
    /// stall the load that follows.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="value">Receives the value.</param>
    /// <inheritdoc cref="ReadBoolean" path="/exception"/>
    internal void ReadDecimal(ref WireReader reader, out decimal value);

    /// <inheritdoc cref="ReadBoolean"/>
    internal DateTime ReadDateTime(ref WireReader reader);

    /// <inheritdoc cref="ReadBoolean"/>
    internal DateTimeOffset ReadDateTimeOffset(ref WireReader reader);

    /// <inheritdoc cref="ReadDecimal"/>
    internal void ReadGuid(ref WireReader reader, out Guid value);

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

    /// <summary>Reads an integer at a position, without advancing it: common forms directly, any other with the reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the value.</param>
    /// <param name="byteCount">Receives how many bytes it has.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    internal int ReadInt32(ref WireReader reader, ref byte position, out int byteCount);

    /// <inheritdoc cref="ReadInt32"/>
    internal float ReadSingle(ref WireReader reader, ref byte position, out int byteCount);

    /// <inheritdoc cref="ReadInt32"/>
    internal double ReadDouble(ref WireReader reader, ref byte position, out int byteCount);

    /// <summary>Determines whether an array of a constant number of elements is at a position, in its shortest form.</summary>
    /// <param name="position">The position of the value.</param>
    /// <param name="remaining">The bytes from there to the end of the body.</param>
    /// <param name="count">The number.</param>
    /// <param name="byteCount">Receives how many bytes the header has.</param>
    /// <returns>False also if fewer bytes than elements remain.</returns>
    internal bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount);

    /// <summary>Reads the number of elements.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="elementAllocation">The approximate size of an element in memory.</param>
    /// <returns>The number: no more than bytes remain, and within the limits.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or there are fewer bytes, or a limit is exceeded.</exception>
    int ReadArrayHeader(ref WireReader reader, int elementAllocation);

    /// <summary>Reads the number of entries.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="entryAllocation">The approximate size of an entry in memory.</param>
    /// <returns>The number.</returns>
    /// <inheritdoc cref="ReadArrayHeader" path="/exception"/>
    int ReadMapHeader(ref WireReader reader, int entryAllocation);

#if NET
    /// <summary>Writes numbers, without how many they are; for each, one byte more than its size is reserved.</summary>
    /// <typeparam name="T">The type of the numbers: <c>int</c>, <c>long</c>, <c>float</c> or <c>double</c>.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="numbers">The numbers.</param>
    /// <returns>The position after them.</returns>
    internal ref byte WriteNumbers<T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where T : unmanaged;

    /// <summary>Reads numbers up to the first one that does not have a common form.</summary>
    /// <typeparam name="T">The type of the numbers: <c>int</c>, <c>long</c>, <c>float</c> or <c>double</c>.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="numbers">Receives the numbers.</param>
    /// <returns>How many were read; 0 also in a format that reads numbers one by one.</returns>
    internal int ReadNumbers<T>(ref WireReader reader, scoped Span<T> numbers)
        where T : unmanaged;
#endif

    /// <summary>Skips a value of any kind.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">It is malformed, nested too deeply, or truncated.</exception>
    void Skip(ref WireReader reader);
}
