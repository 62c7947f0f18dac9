using System.ComponentModel;

namespace System.Messaging;

/// <summary>Selects the properties that are read with a message. Reading another property of that message throws.</summary>
/// <remarks>The queues of this library always read whole messages; the filter decides what a program sees, as on .NET Framework.</remarks>
[TypeConverter(typeof(ExpandableObjectConverter))]
public class MessagePropertyFilter : ICloneable
{
    private int _defaultBodySize = 1024;
    private int _defaultExtensionSize = 255;
    private int _defaultLabelSize = 255;

    /// <summary>Creates a filter with the default properties: see <see cref="SetDefaults"/>.</summary>
    public MessagePropertyFilter()
    {
    }

    /// <summary>Gets or sets the selected properties.</summary>
    internal MessageProperties Properties { get; set; } = MessageProperties.Default;

    /// <summary>Gets or sets the initial buffer for bodies on .NET Framework. It has no effect here.</summary>
    /// <exception cref="ArgumentException">The value is negative.</exception>
    public int DefaultBodySize
    {
        get => _defaultBodySize;
        set => _defaultBodySize = value >= 0 ? value : throw new ArgumentException("Zero or more.", nameof(DefaultBodySize));
    }

    /// <summary>Gets or sets the initial buffer for extensions on .NET Framework. It has no effect here.</summary>
    /// <exception cref="ArgumentException">The value is negative.</exception>
    public int DefaultExtensionSize
    {
        get => _defaultExtensionSize;
        set => _defaultExtensionSize = value >= 0 ? value : throw new ArgumentException("Zero or more.", nameof(DefaultExtensionSize));
    }

    /// <summary>Gets or sets the initial buffer for labels on .NET Framework. It has no effect here.</summary>
    /// <exception cref="ArgumentException">The value is negative.</exception>
    public int DefaultLabelSize
    {
        get => _defaultLabelSize;
        set => _defaultLabelSize = value >= 0 ? value : throw new ArgumentException("Zero or more.", nameof(DefaultLabelSize));
    }

    /// <summary>Gets or sets whether <see cref="Message.AcknowledgeType"/> is read.</summary>
    public bool AcknowledgeType
    {
        get => Has(MessageProperties.AcknowledgeType);
        set => Set(MessageProperties.AcknowledgeType, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Acknowledgment"/> is read.</summary>
    public bool Acknowledgment
    {
        get => Has(MessageProperties.Acknowledgment);
        set => Set(MessageProperties.Acknowledgment, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.AdministrationQueue"/> is read.</summary>
    public bool AdministrationQueue
    {
        get => Has(MessageProperties.AdministrationQueue);
        set => Set(MessageProperties.AdministrationQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.AppSpecific"/> is read.</summary>
    public bool AppSpecific
    {
        get => Has(MessageProperties.AppSpecific);
        set => Set(MessageProperties.AppSpecific, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.ArrivedTime"/> is read.</summary>
    public bool ArrivedTime
    {
        get => Has(MessageProperties.ArrivedTime);
        set => Set(MessageProperties.ArrivedTime, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.AttachSenderId"/> is read.</summary>
    public bool AttachSenderId
    {
        get => Has(MessageProperties.AttachSenderId);
        set => Set(MessageProperties.AttachSenderId, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Authenticated"/> is read.</summary>
    public bool Authenticated
    {
        get => Has(MessageProperties.Authenticated);
        set => Set(MessageProperties.Authenticated, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.AuthenticationProviderName"/> is read.</summary>
    public bool AuthenticationProviderName
    {
        get => Has(MessageProperties.AuthenticationProviderName);
        set => Set(MessageProperties.AuthenticationProviderName, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.AuthenticationProviderType"/> is read.</summary>
    public bool AuthenticationProviderType
    {
        get => Has(MessageProperties.AuthenticationProviderType);
        set => Set(MessageProperties.AuthenticationProviderType, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Body"/> is read.</summary>
    public bool Body
    {
        get => Has(MessageProperties.Body);
        set => Set(MessageProperties.Body, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.ConnectorType"/> is read.</summary>
    public bool ConnectorType
    {
        get => Has(MessageProperties.ConnectorType);
        set => Set(MessageProperties.ConnectorType, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.CorrelationId"/> is read.</summary>
    public bool CorrelationId
    {
        get => Has(MessageProperties.CorrelationId);
        set => Set(MessageProperties.CorrelationId, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.DestinationQueue"/> is read.</summary>
    public bool DestinationQueue
    {
        get => Has(MessageProperties.DestinationQueue);
        set => Set(MessageProperties.DestinationQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.DestinationSymmetricKey"/> is read.</summary>
    public bool DestinationSymmetricKey
    {
        get => Has(MessageProperties.DestinationSymmetricKey);
        set => Set(MessageProperties.DestinationSymmetricKey, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.DigitalSignature"/> is read.</summary>
    public bool DigitalSignature
    {
        get => Has(MessageProperties.DigitalSignature);
        set => Set(MessageProperties.DigitalSignature, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.EncryptionAlgorithm"/> is read.</summary>
    public bool EncryptionAlgorithm
    {
        get => Has(MessageProperties.EncryptionAlgorithm);
        set => Set(MessageProperties.EncryptionAlgorithm, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Extension"/> is read.</summary>
    public bool Extension
    {
        get => Has(MessageProperties.Extension);
        set => Set(MessageProperties.Extension, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.HashAlgorithm"/> is read.</summary>
    public bool HashAlgorithm
    {
        get => Has(MessageProperties.HashAlgorithm);
        set => Set(MessageProperties.HashAlgorithm, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Id"/> is read.</summary>
    public bool Id
    {
        get => Has(MessageProperties.Id);
        set => Set(MessageProperties.Id, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.IsFirstInTransaction"/> is read.</summary>
    public bool IsFirstInTransaction
    {
        get => Has(MessageProperties.IsFirstInTransaction);
        set => Set(MessageProperties.IsFirstInTransaction, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.IsLastInTransaction"/> is read.</summary>
    public bool IsLastInTransaction
    {
        get => Has(MessageProperties.IsLastInTransaction);
        set => Set(MessageProperties.IsLastInTransaction, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Label"/> is read.</summary>
    public bool Label
    {
        get => Has(MessageProperties.Label);
        set => Set(MessageProperties.Label, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.LookupId"/> is read.</summary>
    public bool LookupId
    {
        get => Has(MessageProperties.LookupId);
        set => Set(MessageProperties.LookupId, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.MessageType"/> is read.</summary>
    public bool MessageType
    {
        get => Has(MessageProperties.MessageType);
        set => Set(MessageProperties.MessageType, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Priority"/> is read.</summary>
    public bool Priority
    {
        get => Has(MessageProperties.Priority);
        set => Set(MessageProperties.Priority, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.Recoverable"/> is read.</summary>
    public bool Recoverable
    {
        get => Has(MessageProperties.Recoverable);
        set => Set(MessageProperties.Recoverable, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.ResponseQueue"/> is read.</summary>
    public bool ResponseQueue
    {
        get => Has(MessageProperties.ResponseQueue);
        set => Set(MessageProperties.ResponseQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.SenderCertificate"/> is read.</summary>
    public bool SenderCertificate
    {
        get => Has(MessageProperties.SenderCertificate);
        set => Set(MessageProperties.SenderCertificate, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.SenderId"/> is read.</summary>
    public bool SenderId
    {
        get => Has(MessageProperties.SenderId);
        set => Set(MessageProperties.SenderId, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.SenderVersion"/> is read.</summary>
    public bool SenderVersion
    {
        get => Has(MessageProperties.SenderVersion);
        set => Set(MessageProperties.SenderVersion, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.SentTime"/> is read.</summary>
    public bool SentTime
    {
        get => Has(MessageProperties.SentTime);
        set => Set(MessageProperties.SentTime, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.SourceMachine"/> is read.</summary>
    public bool SourceMachine
    {
        get => Has(MessageProperties.SourceMachine);
        set => Set(MessageProperties.SourceMachine, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.TimeToBeReceived"/> is read.</summary>
    public bool TimeToBeReceived
    {
        get => Has(MessageProperties.TimeToBeReceived);
        set => Set(MessageProperties.TimeToBeReceived, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.TimeToReachQueue"/> is read.</summary>
    public bool TimeToReachQueue
    {
        get => Has(MessageProperties.TimeToReachQueue);
        set => Set(MessageProperties.TimeToReachQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.TransactionId"/> is read.</summary>
    public bool TransactionId
    {
        get => Has(MessageProperties.TransactionId);
        set => Set(MessageProperties.TransactionId, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.TransactionStatusQueue"/> is read.</summary>
    public bool TransactionStatusQueue
    {
        get => Has(MessageProperties.TransactionStatusQueue);
        set => Set(MessageProperties.TransactionStatusQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.UseAuthentication"/> is read.</summary>
    public bool UseAuthentication
    {
        get => Has(MessageProperties.UseAuthentication);
        set => Set(MessageProperties.UseAuthentication, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.UseDeadLetterQueue"/> is read.</summary>
    public bool UseDeadLetterQueue
    {
        get => Has(MessageProperties.UseDeadLetterQueue);
        set => Set(MessageProperties.UseDeadLetterQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.UseEncryption"/> is read.</summary>
    public bool UseEncryption
    {
        get => Has(MessageProperties.UseEncryption);
        set => Set(MessageProperties.UseEncryption, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.UseJournalQueue"/> is read.</summary>
    public bool UseJournalQueue
    {
        get => Has(MessageProperties.UseJournalQueue);
        set => Set(MessageProperties.UseJournalQueue, value);
    }

    /// <summary>Gets or sets whether <see cref="Message.UseTracing"/> is read.</summary>
    public bool UseTracing
    {
        get => Has(MessageProperties.UseTracing);
        set => Set(MessageProperties.UseTracing, value);
    }

    /// <summary>Selects no property.</summary>
    public void ClearAll() => Properties = MessageProperties.None;

    /// <summary>Selects the default properties: acknowledgement, acknowledgement type, administration and response queue, body, id, label, lookup id,
    /// message type, and the use of dead-letter and journal queues.</summary>
    public void SetDefaults()
    {
        Properties = MessageProperties.Default;
        DefaultBodySize = 1024;
        DefaultExtensionSize = 255;
        DefaultLabelSize = 255;
    }

    /// <summary>Selects all properties.</summary>
    public void SetAll() => Properties = MessageProperties.All;

    /// <summary>Copies the filter.</summary>
    /// <returns>A new filter.</returns>
    public virtual object Clone() => MemberwiseClone();

    private bool Has(MessageProperties property) => (Properties & property) != 0;

    private void Set(MessageProperties property, bool value) => Properties = value ? Properties | property : Properties & ~property;
}
