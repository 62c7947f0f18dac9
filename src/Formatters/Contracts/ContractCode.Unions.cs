using System.Diagnostics.CodeAnalysis;

namespace Formatters.Generated;

// A union. Binary: its tag as a 7-bit integer, an Int32 byte count, and the bytes of the object: docs/wire/binary.md, "Unions". Versioned: the byte count, which counts
// the tag, too, the tag, and the object: docs/wire/versioned.md.
public static partial class ContractCode
{
    /// <summary>Writes the tag of a union, and leaves room for the byte count.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="tag">The tag, 0 or greater.</param>
    /// <param name="start">Where what is counted begins, for <see cref="EndCase(ref BinaryBodyWriter, ref byte, long)"/>.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte BeginCase<TFormat>(ref BinaryBodyWriter writer, ref byte position, int tag, out long start)
        where TFormat : struct, IBinaryFormat =>
        ref typeof(TFormat) == typeof(Versioned) ? ref writer.BeginVersionedCaseAt(ref position, tag, out start) : ref writer.BeginCaseAt(ref position, tag, out start);

    /// <summary>Puts the byte count before the object.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Behind the object.</param>
    /// <param name="start">Where it begins.</param>
    /// <returns>The position.</returns>
    public static ref byte EndCase(ref BinaryBodyWriter writer, ref byte position, long start) => ref writer.EndCaseAt(ref position, start);

    /// <summary>Writes a case of unknown tag as it was read.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The case.</param>
    /// <returns>The position behind it.</returns>
    /// <exception cref="MessageFormatException">Its tag is negative.</exception>
    public static ref byte WriteUnknownCase<TFormat>(ref BinaryBodyWriter writer, ref byte position, IUnknownCase value)
        where TFormat : struct, IBinaryFormat
    {
        writer.Output.MoveTo(ref position);
        if (typeof(TFormat) == typeof(Versioned))
            ContractMethods.WriteUnknownVersionedCase(ref writer, value);
        else
            ContractMethods.WriteUnknownCase(ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Reads the tag and the byte count of a union.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="end">The offset behind the object.</param>
    /// <returns>The tag.</returns>
    /// <exception cref="MessageFormatException">The tag is negative, or the byte count is, or is more than remains; or, versioned, the tag is longer than it.</exception>
    public static int ReadCase<TFormat>(ref BinaryBodyReader reader, out int end)
        where TFormat : struct, IBinaryFormat =>
        typeof(TFormat) == typeof(Versioned) ? ContractMethods.BeginReadVersionedCase(ref reader, out end) : ContractMethods.BeginReadCase(ref reader, out end);

    /// <summary>Checks that an object ends where its byte count says.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="end">The offset behind the object.</param>
    /// <exception cref="MessageFormatException">It does not.</exception>
    public static void EndCase(ref BinaryBodyReader reader, int end) => ContractMethods.EndReadCase(ref reader, end);

    /// <summary>Reads a case of unknown tag.</summary>
    /// <typeparam name="T">The type that keeps it.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="end">The offset behind it.</param>
    /// <returns>The case.</returns>
    public static T ReadUnknownCase<T>(ref BinaryBodyReader reader, int tag, int end)
        where T : class, IUnknownCase, new() => (T)ContractMethods.FillUnknownCase(ref reader, new T(), tag, end);

    /// <summary>Refuses a tag that stands for no type.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    [DoesNotReturn]
    public static void ThrowUnknownTag<TFormat>(ref BinaryBodyReader reader, int tag)
        where TFormat : struct, IBinaryFormat
    {
        if (typeof(TFormat) == typeof(Versioned))
            ContractMethods.ThrowUnknownVersionedTag(ref reader, tag);
        ContractMethods.ThrowUnknownTag(ref reader, tag);
    }

    /// <summary>Refuses an object of a type that its union does not list, or a null.</summary>
    /// <param name="value">The object.</param>
    [DoesNotReturn]
    public static void ThrowUnlisted(object? value) => ContractMethods.ThrowUnlisted(value);
}
