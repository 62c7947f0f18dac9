using System;
using System.Globalization;
using System.Text;

namespace Formatters;

/// <summary>A body could not be read, or an object could not be written: the one exception of every formatter for bad input.</summary>
/// <remarks>
/// Its text never carries content of the body, nor do those of its inner exceptions: what a library threw, which may repeat what it could not read, is left out, and what code of
/// the application threw is passed on as it is. Misuse of the API (a null argument, a disposed object) gives the
/// <see cref="ArgumentException"/> family or <see cref="InvalidOperationException"/> instead.
/// </remarks>
public sealed class MessageFormatException : FormatException
{
    private readonly string _detail;

    /// <summary>Makes an exception without detail.</summary>
    public MessageFormatException()
        : this(MessageFormatErrorCode.None, "The message could not be formatted.")
    {
    }

    /// <summary>Makes an exception with a text.</summary>
    /// <param name="message">What is wrong, without content of the body.</param>
    public MessageFormatException(string message)
        : this(MessageFormatErrorCode.None, message)
    {
    }

    /// <summary>Makes an exception with a text and a cause.</summary>
    /// <param name="message">What is wrong, without content of the body.</param>
    /// <param name="innerException">The cause.</param>
    public MessageFormatException(string message, Exception? innerException)
        : this(MessageFormatErrorCode.None, message, innerException: innerException)
    {
    }

    /// <summary>Makes an exception.</summary>
    /// <param name="code">The kind of error.</param>
    /// <param name="message">What is wrong, without content of the body; offset and member path are added to it.</param>
    /// <param name="byteOffset">Where in the body, in bytes from its start; -1 if unknown.</param>
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

    /// <summary>The kind of error.</summary>
    public MessageFormatErrorCode Code { get; }

    /// <summary>
    /// Where in the body the error lies, in bytes from its start: the first byte of the bad value, or for
    /// <see cref="MessageFormatErrorCode.Truncated"/> the first byte that is missing. -1 if unknown.
    /// </summary>
    public long ByteOffset { get; }

    /// <summary>The member that was being read or written, as <c>Order.LineItems[3].Name</c>. Null if unknown.</summary>
    /// <remarks>
    /// <para>It begins with the type of the payload as C# code names it, without namespace and outer types (<c>Order</c>, <c>List&lt;Order&gt;</c>). Members have
    /// their names in the source, whatever a body calls them: <c>.Name</c>, and <c>.Item1</c> of a tuple. Elements have an index, entries of dictionaries too:
    /// <c>[3]</c>. A case of a union adds nothing. So it is in every wire format, by generated code and by reflection. Nothing of the content of a body stands in it.</para>
    /// <para>Less is known of some errors: hand-written <c>Load</c> methods know their records, not their members, as <c>Order.LineItem[3]</c>. System.Text.Json
    /// does not count entries, and on writing no elements: <c>[key]</c>, <c>[]</c>. Of what setters throw it says nothing, nor does XmlSerializer of any
    /// error. A legacy binary body is a list of records: there the path begins with the record's own type, <c>LineItem.Name</c>, and has an index on writing only.</para>
    /// </remarks>
    public string? MemberPath { get; private set; }

    /// <summary>
    /// Whether reading the same bytes with the same contract can never succeed, so that the message belongs in the dead-letter or error
    /// queue and not back in its own. False for errors of writing, for <see cref="MessageFormatErrorCode.UnknownFormat"/> (another
    /// receiver may know it) and for exceeded limits (which can be raised).
    /// </summary>
    public bool IsPoison { get; }

    /// <summary>The same error, of bytes that lie further on in the body than the formatter inside counted.</summary>
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
    /// Puts an outer part before the member path, while the exception passes the record that holds the member. For exception filters: always false,
    /// so that nothing is caught. (To catch and rethrow at every level would need stack for every level, where there may be none left.)
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
