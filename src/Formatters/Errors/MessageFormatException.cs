using System;
using System.Globalization;
using System.Text;

namespace Formatters;

/// <summary>The exception that all formatters throw when a body cannot be read or an object cannot be written.</summary>
/// <remarks>
/// The message never contains content of the body, and neither do the messages of inner exceptions. Exceptions of libraries, which may repeat what
/// they could not read, are left out; exceptions of the application's code are passed on unchanged. Misuse of the API (a null argument, a disposed
/// object) throws an <see cref="ArgumentException"/> or <see cref="InvalidOperationException"/> instead.
/// </remarks>
public sealed class MessageFormatException : FormatException
{
    private readonly string _detail;

    /// <summary>Creates an exception without detail.</summary>
    public MessageFormatException()
        : this(MessageFormatErrorCode.None, "The message could not be formatted.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    /// <param name="message">The description of the error, without content of the body.</param>
    public MessageFormatException(string message)
        : this(MessageFormatErrorCode.None, message)
    {
    }

    /// <summary>Creates an exception with a message and a cause.</summary>
    /// <param name="message">The description of the error, without content of the body.</param>
    /// <param name="innerException">The cause.</param>
    public MessageFormatException(string message, Exception? innerException)
        : this(MessageFormatErrorCode.None, message, innerException: innerException)
    {
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="code">The kind of error.</param>
    /// <param name="message">The description of the error, without content of the body; offset and member path are added to it.</param>
    /// <param name="byteOffset">The offset from the start of the body; -1 if unknown.</param>
    /// <param name="memberPath">The member that was being read or written, as <c>Order.LineItems[3].Name</c>; null if unknown.</param>
    /// <param name="isPoison">See <see cref="IsPoison"/>.</param>
    /// <param name="innerException">The cause.</param>
    public MessageFormatException(
        MessageFormatErrorCode code,
        string message,
        long byteOffset = -1,
        string? memberPath = null,
        bool isPoison = false,
        Exception? innerException = null)
        : base(message, innerException)
    {
        _detail = message;
        Code = code;
        ByteOffset = byteOffset;
        MemberPath = memberPath;
        IsPoison = isPoison;
    }

    /// <summary>Gets the kind of error.</summary>
    public MessageFormatErrorCode Code { get; }

    /// <summary>
    /// Gets the offset of the error from the start of the body: the first byte of the invalid value, or for <see
    /// cref="MessageFormatErrorCode.Truncated"/> the first missing byte. -1 if unknown.
    /// </summary>
    public long ByteOffset { get; }

    /// <summary>Gets the member that was being read or written, as <c>Order.LineItems[3].Name</c>. Null if unknown.</summary>
    /// <remarks>
    /// <para>It begins with the type of the payload as C# code names it, without namespace and outer types (<c>Order</c>, <c>List&lt;Order&gt;</c>).
    /// Members have their names in the source, whatever a body calls them: <c>.Name</c>, and <c>.Item1</c> of a tuple. Elements have an index,
    /// entries of dictionaries too: <c>[3]</c>. A case of a union adds nothing. This is the same in every wire format, in generated code and by
    /// reflection. The path never contains content of the body.</para>
    /// <para>Some errors have a shorter path. Hand-written <c>Load</c> methods know their records, not their members: <c>Order.LineItem[3]</c>.
    /// System.Text.Json does not count entries, and on writing no elements: <c>[key]</c>, <c>[]</c>. It gives no path for exceptions of setters, and
    /// XmlSerializer gives none at all. A legacy binary body is a list of records: there the path begins with the type of the record,
    /// <c>LineItem.Name</c>, and has an index only on writing.</para>
    /// </remarks>
    public string? MemberPath { get; private set; }

    /// <summary>
    /// Gets whether reading the same bytes with the same contract can never succeed: the message belongs in a dead-letter or error queue, not back in
    /// its own. False for errors of writing, for <see cref="MessageFormatErrorCode.UnknownFormat"/> (another receiver may know it) and for exceeded
    /// limits (which can be raised).
    /// </summary>
    public bool IsPoison { get; }

    /// <summary>Creates the same error with a greater offset, for bytes that start later in the body than the inner formatter counted.</summary>
    internal MessageFormatException FurtherOn(int byteCount) => new(Code, _detail, ByteOffset + byteCount, MemberPath, IsPoison, InnerException);

    /// <inheritdoc/>
    public override string Message
    {
        get
        {
            if (ByteOffset < 0 && MemberPath is null)
                return _detail;
            var text = new StringBuilder(_detail, _detail.Length + 64);
            text.Append(" (");
            if (MemberPath is not null)
                text.Append("member ").Append(MemberPath);
            if (ByteOffset >= 0)
            {
                if (MemberPath is not null)
                    text.Append(", ");
                text.Append("byte offset ").Append(ByteOffset.ToString(CultureInfo.InvariantCulture));
            }

            return text.Append(')').ToString();
        }
    }

    /// <summary>
    /// Prepends a part to the member path, while the exception passes the record of the member. For exception filters: always returns false, so that
    /// nothing is caught. (Catching and rethrowing at every level would need stack, of which none may be left.)
    /// </summary>
    internal bool PrependPath(string part)
    {
        const int MaxCharCount = 1024;
        if (MemberPath is null)
            MemberPath = part;
        else if (MemberPath.Length < MaxCharCount)
            MemberPath = MemberPath[0] == '[' ? part + MemberPath : part + "." + MemberPath;
        return false;
    }
}
