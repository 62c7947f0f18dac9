using System.Runtime.InteropServices;
using System.Runtime.Serialization;

namespace System.Messaging;

/// <summary>The exception that is thrown when an operation on a queue failed, with the error code of MSMQ.</summary>
[Serializable]
public class MessageQueueException : ExternalException
{
    private readonly string _message;

    internal MessageQueueException(MessageQueueErrorCode code, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        HResult = (int)code;
        MessageQueueErrorCode = code;
        _message = message;
    }

    /// <summary>Creates an exception from serialized data.</summary>
    /// <param name="info">The data.</param>
    /// <param name="context">Its source.</param>
    protected MessageQueueException(SerializationInfo info, StreamingContext context)
        : base(info, context)
    {
        MessageQueueErrorCode = (MessageQueueErrorCode)info.GetInt32("NativeErrorCode");
        _message = base.Message;
    }

    /// <summary>Gets the error code.</summary>
    public MessageQueueErrorCode MessageQueueErrorCode { get; }

    /// <summary>Gets what happened.</summary>
    public override string Message => _message;

    /// <summary>Adds the data of the exception.</summary>
    /// <param name="info">Receives the data.</param>
    /// <param name="context">Its destination.</param>
    [Obsolete("Formatter-based serialization is obsolete.", DiagnosticId = "SYSLIB0051")]
    public override void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        ArgumentNullException.ThrowIfNull(info);
        info.AddValue("NativeErrorCode", (int)MessageQueueErrorCode);
        base.GetObjectData(info, context);
    }
}
