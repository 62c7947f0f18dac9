using System.ComponentModel;

namespace System.Messaging;

/// <summary>The properties of messages that a queue sends for objects other than a <see cref="Message"/>.</summary>
[TypeConverter(typeof(ExpandableObjectConverter))]
public class DefaultPropertiesToSend
{
    private readonly Message _message = new();

    /// <summary>Creates properties with their default values.</summary>
    public DefaultPropertiesToSend()
    {
    }

    /// <inheritdoc cref="Message.AcknowledgeType"/>
    [DefaultValue(AcknowledgeTypes.None)]
    public AcknowledgeTypes AcknowledgeType
    {
        get => _message.AcknowledgeType;
        set => _message.AcknowledgeType = value;
    }

    /// <inheritdoc cref="Message.AdministrationQueue"/>
    [DefaultValue(null)]
    public MessageQueue? AdministrationQueue
    {
        get => _message.AdministrationQueue;
        set => _message.AdministrationQueue = value;
    }

    /// <inheritdoc cref="Message.AppSpecific"/>
    [DefaultValue(0)]
    public int AppSpecific
    {
        get => _message.AppSpecific;
        set => _message.AppSpecific = value;
    }

    /// <inheritdoc cref="Message.AttachSenderId"/>
    [DefaultValue(true)]
    public bool AttachSenderId
    {
        get => _message.AttachSenderId;
        set => _message.AttachSenderId = value;
    }

    /// <inheritdoc cref="Message.EncryptionAlgorithm"/>
    [DefaultValue(EncryptionAlgorithm.Rc2)]
    public EncryptionAlgorithm EncryptionAlgorithm
    {
        get => _message.EncryptionAlgorithm;
        set => _message.EncryptionAlgorithm = value;
    }

    /// <inheritdoc cref="Message.Extension"/>
    public byte[] Extension
    {
        get => _message.Extension;
        set => _message.Extension = value;
    }

    /// <inheritdoc cref="Message.HashAlgorithm"/>
    [DefaultValue(HashAlgorithm.Sha512)]
    public HashAlgorithm HashAlgorithm
    {
        get => _message.HashAlgorithm;
        set => _message.HashAlgorithm = value;
    }

    /// <inheritdoc cref="Message.Label"/>
    [DefaultValue("")]
    public string Label
    {
        get => _message.Label;
        set => _message.Label = value;
    }

    /// <inheritdoc cref="Message.Priority"/>
    [DefaultValue(MessagePriority.Normal)]
    public MessagePriority Priority
    {
        get => _message.Priority;
        set => _message.Priority = value;
    }

    /// <inheritdoc cref="Message.Recoverable"/>
    [DefaultValue(false)]
    public bool Recoverable
    {
        get => _message.Recoverable;
        set => _message.Recoverable = value;
    }

    /// <inheritdoc cref="Message.ResponseQueue"/>
    [DefaultValue(null)]
    public MessageQueue? ResponseQueue
    {
        get => _message.ResponseQueue;
        set => _message.ResponseQueue = value;
    }

    /// <inheritdoc cref="Message.TimeToBeReceived"/>
    public TimeSpan TimeToBeReceived
    {
        get => _message.TimeToBeReceived;
        set => _message.TimeToBeReceived = value;
    }

    /// <inheritdoc cref="Message.TimeToReachQueue"/>
    public TimeSpan TimeToReachQueue
    {
        get => _message.TimeToReachQueue;
        set => _message.TimeToReachQueue = value;
    }

    /// <inheritdoc cref="Message.TransactionStatusQueue"/>
    [DefaultValue(null)]
    public MessageQueue? TransactionStatusQueue
    {
        get => _message.TransactionStatusQueue;
        set => _message.TransactionStatusQueue = value;
    }

    /// <inheritdoc cref="Message.UseAuthentication"/>
    [DefaultValue(false)]
    public bool UseAuthentication
    {
        get => _message.UseAuthentication;
        set => _message.UseAuthentication = value;
    }

    /// <inheritdoc cref="Message.UseDeadLetterQueue"/>
    [DefaultValue(false)]
    public bool UseDeadLetterQueue
    {
        get => _message.UseDeadLetterQueue;
        set => _message.UseDeadLetterQueue = value;
    }

    /// <inheritdoc cref="Message.UseEncryption"/>
    [DefaultValue(false)]
    public bool UseEncryption
    {
        get => _message.UseEncryption;
        set => _message.UseEncryption = value;
    }

    /// <inheritdoc cref="Message.UseJournalQueue"/>
    [DefaultValue(false)]
    public bool UseJournalQueue
    {
        get => _message.UseJournalQueue;
        set => _message.UseJournalQueue = value;
    }

    /// <inheritdoc cref="Message.UseTracing"/>
    [DefaultValue(false)]
    public bool UseTracing
    {
        get => _message.UseTracing;
        set => _message.UseTracing = value;
    }

    /// <summary>Creates a message with these properties.</summary>
    internal Message ToMessage(object? body)
    {
        var message = new Message
        {
            AcknowledgeType = AcknowledgeType,
            AdministrationQueue = AdministrationQueue,
            AppSpecific = AppSpecific,
            AttachSenderId = AttachSenderId,
            EncryptionAlgorithm = EncryptionAlgorithm,
            Extension = Extension,
            HashAlgorithm = HashAlgorithm,
            Label = Label,
            Priority = Priority,
            Recoverable = Recoverable,
            ResponseQueue = ResponseQueue,
            TimeToBeReceived = TimeToBeReceived,
            TimeToReachQueue = TimeToReachQueue,
            TransactionStatusQueue = TransactionStatusQueue,
            UseAuthentication = UseAuthentication,
            UseDeadLetterQueue = UseDeadLetterQueue,
            UseEncryption = UseEncryption,
            UseJournalQueue = UseJournalQueue,
            UseTracing = UseTracing,
        };
        if (body is not null)
            message.Body = body;
        return message;
    }
}
