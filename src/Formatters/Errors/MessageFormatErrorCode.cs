namespace Formatters;

/// <summary>The reasons why a body cannot be read or an object cannot be written.</summary>
public enum MessageFormatErrorCode
{
    /// <summary>No code was given.</summary>
    None = 0,

    /// <summary>The body ends before the value does, or a length or count in it needs more bytes than remain.</summary>
    Truncated = 1,

    /// <summary>Bytes remain after the value.</summary>
    TrailingBytes = 2,

    /// <summary>A length or count is negative, or its 7-bit encoding is longer than needed or too large for 31 bits.</summary>
    BadLength = 3,

    /// <summary>Text is not valid UTF-8 or UTF-16.</summary>
    BadText = 4,

    /// <summary>
    /// The bytes are not a valid value of the type: a bool that is neither 0 nor 1, a decimal with a scale above 28, a date out of range.
    /// </summary>
    BadValue = 5,

    /// <summary>The body breaks the syntax of its wire format (XML, JSON, MessagePack, CBOR, compact, protobuf).</summary>
    Malformed = 6,

    /// <summary>Records are nested more deeply than <see cref="FormatterLimits.MaxDepth"/>, or an object graph being written has a cycle.</summary>
    DepthExceeded = 7,

    /// <summary>The body or one of its collections is larger than <see cref="FormatterLimits"/> allow.</summary>
    LimitExceeded = 8,

    /// <summary>There is a null where the contract does not allow it.</summary>
    UnexpectedNull = 9,

    /// <summary>The same key occurs twice.</summary>
    DuplicateKey = 10,

    /// <summary>
    /// The body, or an object to be written, is of a type that the formatter or the contract does not know: also an object of a class derived from
    /// the declared one.
    /// </summary>
    TypeNotAllowed = 11,

    /// <summary>No formatter reads this content type or body type.</summary>
    UnknownFormat = 12,

    /// <summary>A union has a tag that the reader's contract does not know: the sender is newer.</summary>
    UnknownTag = 14,
    /// <summary>
    /// The body, of another version, does not have a member that needs a value: it is <c>required</c>, or an object that cannot be null.
    /// </summary>
    MissingMember = 13,

    /// <summary>The body has a member under a number for which the contract declares another kind of value.</summary>
    MemberMismatch = 15,

    /// <summary>The signature, or the tag of an encrypted body, is not valid: the body was changed, or was created with another key.</summary>
    NotAuthentic = 16,

    /// <summary>The body was signed or encrypted with a key that the reader does not have: the sender is newer, or the key was removed.</summary>
    UnknownKey = 17,

    /// <summary>
    /// An object to be written holds bytes of another wire format, or of the other form of records: a case of a union, or members, that its reader
    /// did not know.
    /// </summary>
    ForeignBytes = 18,
}
