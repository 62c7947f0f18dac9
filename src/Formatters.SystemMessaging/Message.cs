using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.IO;

namespace System.Messaging;

/// <summary>A message to be sent, or received from a queue.</summary>
[DesignerCategory("")]
public partial class Message : Component
{
    /// <summary>The time of a message that does not expire.</summary>
    public static readonly TimeSpan InfiniteTimeout = TimeSpan.FromSeconds(uint.MaxValue);

    internal const int MaxLabelCharCount = 249;

    private MessageProperties _readable = MessageProperties.All & ~OfReceived;
    private MessageProperties _set;
    private object? _body;
    private bool _hasBody;
    private Stream? _bodyStream;
    private int _bodyType;

    /// <summary>Creates a message without a body.</summary>
    public Message()
    {
    }

    /// <summary>Creates a message.</summary>
    /// <param name="body">The object that is written to the body when the message is sent.</param>
    public Message(object? body) => Body = body;

    /// <summary>Creates a message with a formatter.</summary>
    /// <param name="body">The object that is written to the body when the message is sent.</param>
    /// <param name="formatter">The formatter that writes it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    public Message(object? body, IMessageFormatter formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        Formatter = formatter;
        Body = body;
    }

    /// <summary>Gets or sets the object in the body. A received body is read by the <see cref="Formatter"/> when the property is first
    /// read.</summary>
    /// <exception cref="InvalidOperationException">The message was received without its body; it has no formatter; or the formatter does not read
    /// the body, or not as one of its types.</exception>
    /// <exception cref="System.Runtime.Serialization.SerializationException">A body of <see cref="BinaryMessageFormatter"/> is damaged, or has a type
    /// that was not declared.</exception>
    [Browsable(false)]
    public object? Body
    {
        get
        {
            Get(MessageProperties.Body, 0);
            if (_hasBody)
                return _body;
            if (_bodyStream is null && !IsReceived)
                return null;
            if (Formatter is null)
            {
                throw new InvalidOperationException(
                    $"The message has no {nameof(Formatter)} to read its body with. Set it on the message, or on the queue before the message is "
                    + "received.");
            }

            _body = Formatter.Read(this);
            _hasBody = true;
            return _body;
        }

        set
        {
            _body = value;
            _hasBody = true;
            _readable |= MessageProperties.Body;
        }
    }

    /// <summary>Gets or sets the bytes of the body. Without a <see cref="Body"/>, they are sent from the beginning of the stream.</summary>
    /// <exception cref="InvalidOperationException">The message was received without its body.</exception>
    public Stream BodyStream
    {
        get
        {
            Get(MessageProperties.Body, 0);
            return _bodyStream ??= new MemoryStream();
        }

        set
        {
            _bodyStream = value ?? Stream.Null;
            _readable |= MessageProperties.Body;
            if (IsReceived)
                _hasBody = false;
        }
    }

    /// <summary>Gets or sets the type of the bytes: 0 for XML, 768 for <see cref="BinaryMessageFormatter"/>, a VARTYPE for <see
    /// cref="ActiveXMessageFormatter"/>.</summary>
    /// <exception cref="InvalidOperationException">The message was received without its body.</exception>
    public int BodyType
    {
        get => Get(MessageProperties.Body, _bodyType);
        set => Set(MessageProperties.Body, ref _bodyType, value);
    }

    /// <summary>Gets or sets the formatter that writes and reads the body.</summary>
    /// <value>Default null: the formatter of the queue to which the message is sent.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    [Browsable(false)]
    [DisallowNull]
    public IMessageFormatter? Formatter
    {
        get;
        set
        {
            field = value ?? throw new ArgumentNullException(nameof(Formatter));
            // Another formatter may read the body differently.
            if (IsReceived && _bodyStream is not null)
                _hasBody = false;
        }
    }

    /// <summary>Gets or sets the certificate with which Windows signs the message.</summary>
    public SecurityContext? SecurityContext { get; set; }

    /// <summary>Gets whether the message was received.</summary>
    internal bool IsReceived { get; private set; }

    /// <summary>Gets whether the message has an object to be written.</summary>
    internal bool HasBodyObject => _hasBody;

    /// <summary>Gets the properties that the program has set.</summary>
    internal MessageProperties SetProperties => _set;

    internal object? BodyObject => _body;

    internal Stream? BodyStreamOrNull => _bodyStream;

    /// <summary>Gets the content type of the body, if its queue carries one: for formatters of this library.</summary>
    internal string? ContentType { get; set; }

    /// <summary>Makes the message a received one, of which only some properties can be read.</summary>
    internal void SetReceived(MessageProperties readable)
    {
        IsReceived = true;
        _readable = readable;
        _set = MessageProperties.None;
    }

    /// <summary>Makes all properties readable, to copy them.</summary>
    internal MessageProperties Unlock()
    {
        MessageProperties before = _readable;
        _readable = MessageProperties.All;
        return before;
    }

    internal void Lock(MessageProperties readable) => _readable = readable;

    /// <summary>Keeps the object whose bytes a formatter has just written.</summary>
    internal void SetWritten(object body) => (_body, _hasBody) = (body, true);

    /// <summary>Sets what a send has determined.</summary>
    internal void SetSent(string id) => _id = id;
}
