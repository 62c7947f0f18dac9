using System;

namespace Formatters.Custom;

/// <summary>
/// A wire format of the application: a struct without fields that writes and reads nine kinds of values. <see cref="CustomFormatter{T, TFormat}"/>
/// writes every contract in it.
/// </summary>
/// <remarks>
/// <para>The library calls <c>default(TFormat)</c>, from any thread. It converts all types of members to these values, applies the limits, counts the
/// depth, and adds the member path and the offset to errors: docs/wire/custom.md.</para>
/// <para>Each value takes at least one byte. An array or a map begins with the number of its items, and has no end mark.</para>
/// <para>An invalid body must cause a <see cref="MessageFormatException"/>: <see cref="WireReader.Read"/>, <see cref="WireReader.ThrowTruncated"/>
/// and <see cref="WireReader.ThrowMalformed"/> throw it. Any other exception is a defect of the format, and is reported as an inner exception.</para>
/// </remarks>
public interface ICustomWireFormat
{
    /// <summary>Gets the short name, for command lines and errors: <c>resp3</c>.</summary>
    string Name { get; }

    /// <summary>Gets the MIME name of the bodies: <c>type/subtype</c>, without parameters.</summary>
    string ContentType { get; }

    /// <summary>Gets the body type of the bodies, 0 or greater. The library uses those from 0x4600 to 0x46FF.</summary>
    int BodyType { get; }

    /// <summary>Writes a null.</summary>
    /// <param name="writer">Receives the bytes.</param>
    void WriteNull(ref WireWriter writer);

    /// <summary>Writes a <see cref="bool"/>.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="value">The value.</param>
    void WriteBoolean(ref WireWriter writer, bool value);

    /// <summary>Writes an integer.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="value">The value.</param>
    void WriteInteger(ref WireWriter writer, long value);

    /// <summary>Writes an integer greater than <see cref="long.MaxValue"/>.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="value">The value.</param>
    void WriteUnsigned(ref WireWriter writer, ulong value);

    /// <summary>Writes a floating-point number. A <see cref="float"/> is widened, which loses nothing.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="value">The value: also NaN, an infinity or a negative zero.</param>
    void WriteDouble(ref WireWriter writer, double value);

    /// <summary>Writes a string: a value, a key of a dictionary, or the name of a member.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="utf8">The string in valid UTF-8.</param>
    void WriteString(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8);

    /// <summary>Writes bytes.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="value">The bytes.</param>
    void WriteBytes(ref WireWriter writer, scoped ReadOnlySpan<byte> value);

    /// <summary>Writes the number of elements of an array, which follow.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="elementCount">The number.</param>
    void WriteArrayHeader(ref WireWriter writer, int elementCount);

    /// <summary>Writes the number of entries of a map, which follow: each a key and a value.</summary>
    /// <param name="writer">Receives the bytes.</param>
    /// <param name="entryCount">The number.</param>
    void WriteMapHeader(ref WireWriter writer, int entryCount);

    /// <summary>Determines the kind of the next value. At least one byte remains; the position is restored afterwards.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The kind. If strings and bytes look the same, return <see cref="WireValueKind.String"/>, which can also be read as bytes.</returns>
    /// <exception cref="MessageFormatException">No value begins here.</exception>
    WireValueKind PeekKind(ref WireReader reader);

    /// <summary>Reads a null.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Null"/>.</param>
    /// <exception cref="MessageFormatException">The value is malformed, or the body ends within it.</exception>
    void ReadNull(ref WireReader reader);

    /// <summary>Reads a <see cref="bool"/>.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Boolean"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The value is malformed, or the body ends within it.</exception>
    bool ReadBoolean(ref WireReader reader);

    /// <summary>Reads an integer.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Integer"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The value is not a <see cref="long"/>, or the body ends within it.</exception>
    long ReadInteger(ref WireReader reader);

    /// <summary>Reads an integer that may be greater than <see cref="long.MaxValue"/>.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Integer"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The value is not a <see cref="ulong"/>, or the body ends within it.</exception>
    ulong ReadUnsigned(ref WireReader reader);

    /// <summary>Reads a floating-point number.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Double"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The value is malformed, or the body ends within it.</exception>
    double ReadDouble(ref WireReader reader);

    /// <summary>Reads a string.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.String"/>.</param>
    /// <returns>Its UTF-8, which the library validates: a view of the body, or other memory.</returns>
    /// <exception cref="MessageFormatException">The value is malformed, or the body ends within it.</exception>
    ReadOnlySpan<byte> ReadString(ref WireReader reader);

    /// <summary>Reads bytes.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Bytes"/>.</param>
    /// <returns>The bytes: a view of the body, or other memory.</returns>
    /// <exception cref="MessageFormatException">The value is malformed, or the body ends within it.</exception>
    ReadOnlySpan<byte> ReadBytes(ref WireReader reader);

    /// <summary>Reads the number of elements of an array.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Array"/>.</param>
    /// <returns>The number in the body; the library compares it with the limits and the remaining bytes.</returns>
    /// <exception cref="MessageFormatException">The header is malformed, or the body ends within it.</exception>
    long ReadArrayHeader(ref WireReader reader);

    /// <summary>Reads the number of entries of a map.</summary>
    /// <param name="reader">The reader, at a value of the kind <see cref="WireValueKind.Map"/>.</param>
    /// <returns>The number in the body; the library compares it with the limits and the remaining bytes.</returns>
    /// <exception cref="MessageFormatException">The header is malformed, or the body ends within it.</exception>
    long ReadMapHeader(ref WireReader reader);

    /// <summary>Skips a value that is not an array or a map; those the library skips.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">The value is malformed, or the body ends within it.</exception>
    void Skip(ref WireReader reader);
}
