using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Formatters;

/// <summary>Throws the exceptions of the readers and writers, outside their hot methods; has all messages in one place.</summary>
internal static class ThrowHelper
{
    /// <summary>Checks the value of an option.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="ArgumentOutOfRangeException">It is not a value of its type.</exception>
    internal static T Defined<T>(T value, string name)
        where T : struct, Enum =>
        Enum.IsDefined(typeof(T), value) ? value : throw new ArgumentOutOfRangeException(name, value, $"Not a value of {typeof(T).Name}.");

    [DoesNotReturn]
    internal static void ThrowTruncated(long bodyByteCount, long missingByteCount) => throw Truncated(bodyByteCount, missingByteCount);

    internal static MessageFormatException Truncated(long bodyByteCount, long missingByteCount) =>
        new(
            MessageFormatErrorCode.Truncated,
            missingByteCount == 1
                ? "The body ends too early: at least 1 more byte is needed."
                : string.Format(CultureInfo.InvariantCulture, "The body ends too early: at least {0} more bytes are needed.", missingByteCount),
            bodyByteCount,
            isPoison: true);

    [DoesNotReturn]
    internal static void ThrowTrailingBytes(long byteOffset, long byteCount) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.TrailingBytes,
            byteCount == 1
                ? "1 byte remains after the value."
                : string.Format(CultureInfo.InvariantCulture, "{0} bytes remain after the value.", byteCount),
            byteOffset,
            isPoison: true);

    [DoesNotReturn]
    internal static void ThrowBadLength(long byteOffset, string what) =>
        throw new MessageFormatException(MessageFormatErrorCode.BadLength, what, byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowBadText(long byteOffset) =>
        throw new MessageFormatException(MessageFormatErrorCode.BadText, "The string is not valid UTF-8.", byteOffset, isPoison: true);

    /// <summary>Throws for an object that has values in two members of one oneof.</summary>
    [DoesNotReturn]
    internal static void ThrowSecondCase(string oneof, string names) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.BadValue, $"More than one member of the oneof '{oneof}' has a value, and a body has one:{names}.");

    [DoesNotReturn]
    internal static void ThrowBadValue(long byteOffset, string typeName, Exception? innerException = null) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.BadValue,
            $"The bytes are not a valid {typeName}.",
            byteOffset,
            isPoison: true,
            innerException: innerException);

    [DoesNotReturn]
    internal static void ThrowOverrun(long endOffset) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.BadLength, "The byte count of a record or value ends before its last member does.", endOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowBadKind(long byteOffset) =>
        throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The bytes are not a valid member table.", byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowMemberMismatch(long byteOffset, int number, int kind, int expectedKind) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.MemberMismatch,
            string.Format(
                CultureInfo.InvariantCulture, "Member {0} is {1} in the body, and {2} in the contract.", number, MemberKind.Describe(kind),
                MemberKind.Describe(expectedKind)),
            byteOffset,
            isPoison: true);

    [DoesNotReturn]
    internal static void ThrowMissingMember(long byteOffset) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.MissingMember, "The body lacks a member that the contract requires.", byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowNullMember(long byteOffset) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.UnexpectedNull, "The body has a null where the contract does not allow it.", byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowDepthExceeded(long byteOffset, int maxDepth, bool writing) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.DepthExceeded,
            string.Format(
                CultureInfo.InvariantCulture,
                writing
                    ? "The object graph is deeper than {0} records (FormatterLimits.MaxDepth), or has a cycle."
                    : "The body is deeper than {0} records (FormatterLimits.MaxDepth).",
                maxDepth),
            byteOffset);

    [DoesNotReturn]
    internal static void ThrowElementDepthExceeded(long byteOffset, int maxDepth) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.DepthExceeded,
            string.Format(CultureInfo.InvariantCulture, "The body has more than {0} nested elements (FormatterLimits.MaxDepth).", maxDepth),
            byteOffset);

    [DoesNotReturn]
    internal static void ThrowTooManyAttributes(long byteOffset, int maxAttributeCount) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.LimitExceeded,
            string.Format(CultureInfo.InvariantCulture, "An element has more than {0} attributes.", maxAttributeCount),
            byteOffset);

    [DoesNotReturn]
    internal static void ThrowStackExhausted(long byteOffset) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.DepthExceeded,
            "The records are nested deeper than the stack allows.",
            byteOffset);

    [DoesNotReturn]
    internal static void ThrowBodyTooLarge(long byteCount, int maxByteCount) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.LimitExceeded,
            string.Format(
                CultureInfo.InvariantCulture, "The body has {0} bytes or more; the limit is {1} (FormatterLimits.MaxBodyByteCount).", byteCount,
                    maxByteCount));

    [DoesNotReturn]
    internal static void ThrowTooManyElements(long byteOffset, long elementCount, int maxElementCount) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.LimitExceeded,
            string.Format(
                CultureInfo.InvariantCulture,
                "A collection has {0} elements; the limit is {1} (FormatterLimits.MaxElementCount).",
                elementCount,
                maxElementCount),
            byteOffset);

    [DoesNotReturn]
    internal static void ThrowAllocationExceeded(long byteOffset, long byteCount, int maxAllocationFactor) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.LimitExceeded,
            string.Format(
                CultureInfo.InvariantCulture,
                "The collections of the body would take {0} bytes of memory; the limit is {1} times the body (FormatterLimits.MaxAllocationFactor).",
                byteCount,
                maxAllocationFactor),
            byteOffset);

    [DoesNotReturn]
    internal static void ThrowBadElementCount(int elementCount, int maxElementCount)
    {
        if (elementCount < 0)
            throw new ArgumentOutOfRangeException(nameof(elementCount), elementCount, "The number of elements cannot be negative.");
        ThrowTooManyElements(-1, elementCount, maxElementCount);
    }

    [DoesNotReturn]
    internal static void ThrowUnexpectedNull(string? memberPath = null) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.UnexpectedNull, "The value is null, but its contract does not allow null.", memberPath: memberPath);

    [DoesNotReturn]
    internal static void ThrowUnexpectedNil(long byteOffset) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.UnexpectedNull, "The body has a null where the contract does not allow it.", byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowMalformed(long byteOffset, string what) =>
        throw new MessageFormatException(MessageFormatErrorCode.Malformed, what, byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void ThrowInvalidText() =>
        throw new MessageFormatException(
            MessageFormatErrorCode.BadText, "The string has a surrogate without its partner (FormatterLimits.RefuseInvalidText is on).");

    [DoesNotReturn]
    internal static void ThrowDestinationTooSmall() =>
        throw new ArgumentException("The destination span is too small for the value.");

    [DoesNotReturn]
    internal static void ThrowShortSpan() =>
        throw new InvalidOperationException("The buffer writer gave a span that is shorter than the size that was asked for.");

    [DoesNotReturn]
    internal static void ThrowSurrogate() =>
        throw new ArgumentException("A surrogate is half a character and cannot be written alone.", "value");
}
