using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Formatters.Generated;

/// <summary>Cases of a union that have no type here, or no tag.</summary>
internal static class MessagePackUnknown
{
    /// <summary>Writes a case of unknown tag: an array of the tag, and the value as it was read.</summary>
    internal static void WriteCase(ref MessagePackBodyWriter writer, IUnknownCase value)
    {
        if (value.Tag < 0)
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The tag of a union is negative.");
        writer.Enter();
        CheckValue(value.Body.Span, writer.Limits);
        writer.WriteArrayHeader(2);
        writer.Write(value.Tag);
        writer.WriteRaw(value.Body.Span);
        writer.Leave();
    }

    internal static IUnknownCase ReadCase(ref MessagePackBodyReader reader, IUnknownCase value, int tag, int byteOffset)
    {
        if (tag < 0)
            ThrowHelper.ThrowBadLength(byteOffset, "The tag of a union is negative.");
        value.Tag = tag;
        value.Body = reader.ReadRaw().ToArray();
        return value;
    }

    [DoesNotReturn]
    internal static void ThrowUnknownCase(int tag, int byteOffset, Type union) => throw new MessageFormatException(
        MessageFormatErrorCode.TypeNotAllowed, string.Format(CultureInfo.InvariantCulture, "The union {0} has no case {1}.", union, tag), byteOffset);

    [DoesNotReturn]
    internal static void ThrowUnlistedCase(object? value, Type union)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, $"{value.GetType()} is not a case of the union {union}.");
    }

    /// <summary>Refuses what is not one value: it may come from another wire format.</summary>
    private static void CheckValue(ReadOnlySpan<byte> value, FormatterLimits limits)
    {
        try
        {
            var reader = new MessagePackBodyReader(value, limits);
            reader.Skip();
            reader.EnsureEnd();
        }
        catch (MessageFormatException e)
        {
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The bytes of the unknown case are not a valid value of MessagePack.", innerException: e);
        }
    }
}
