namespace System.Messaging;

// The properties of a message. Reading one that was not received with the message throws, as on .NET Framework.
public partial class Message
{
    internal const string NoId = @"00000000-0000-0000-0000-000000000000\0";

    /// <summary>The properties that only a received message has.</summary>
    private const MessageProperties OfReceived = MessageProperties.Acknowledgment | MessageProperties.ArrivedTime |
        MessageProperties.Authenticated | MessageProperties.DestinationQueue | MessageProperties.LookupId | MessageProperties.MessageType |
        MessageProperties.SenderId | MessageProperties.SenderVersion | MessageProperties.SentTime | MessageProperties.SourceMachine;

    private AcknowledgeTypes _acknowledgeType;
    private Acknowledgment _acknowledgment;
    private MessageQueue? _administrationQueue;
    private int _appSpecific;
    private DateTime _arrivedTime;
    private bool _attachSenderId = true;
    private bool _authenticated;
    private string _authenticationProviderName = "Microsoft Base Cryptographic Provider, Ver. 1.0";
    private CryptographicProviderType _authenticationProviderType = CryptographicProviderType.RsaFull;
    private Guid _connectorType;
    private string _correlationId = "";
    private MessageQueue? _destinationQueue;
    private byte[] _destinationSymmetricKey = [];
    private byte[] _digitalSignature = [];
    private EncryptionAlgorithm _encryptionAlgorithm = EncryptionAlgorithm.Rc2;
    private byte[] _extension = [];
    private HashAlgorithm _hashAlgorithm = HashAlgorithm.Sha512;
    private string _id = NoId;
    private bool _isFirstInTransaction;
    private bool _isLastInTransaction;
    private string _label = "";
    private long _lookupId;
    private MessageType _messageType = MessageType.Normal;
    private MessagePriority _priority = MessagePriority.Normal;
    private bool _recoverable;
    private MessageQueue? _responseQueue;
    private byte[] _senderCertificate = [];
    private byte[] _senderId = [];
    private long _senderVersion = 0x10;
    private DateTime _sentTime;
    private string _sourceMachine = "";
    private TimeSpan _timeToBeReceived = InfiniteTimeout;
    private TimeSpan _timeToReachQueue = InfiniteTimeout;
    private string _transactionId = "";
    private MessageQueue? _transactionStatusQueue;
    private bool _useAuthentication;
    private bool _useDeadLetterQueue;
    private bool _useEncryption;
    private bool _useJournalQueue;
    private bool _useTracing;

    /// <summary>Gets or sets which acknowledgement messages are sent to the <see cref="AdministrationQueue"/>.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public AcknowledgeTypes AcknowledgeType
    {
        get => Get(MessageProperties.AcknowledgeType, _acknowledgeType);
        set => Set(MessageProperties.AcknowledgeType, ref _acknowledgeType, value);
    }

    /// <summary>Gets what the message reports, if its <see cref="MessageType"/> is an acknowledgement.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public Acknowledgment Acknowledgment
    {
        get => Get(MessageProperties.Acknowledgment, _acknowledgment);
        internal set => _acknowledgment = value;
    }

    /// <summary>Gets or sets the queue for acknowledgement messages.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public MessageQueue? AdministrationQueue
    {
        get => Get(MessageProperties.AdministrationQueue, _administrationQueue);
        set => Set(MessageProperties.AdministrationQueue, ref _administrationQueue, value);
    }

    /// <summary>Gets or sets a number of the application.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public int AppSpecific
    {
        get => Get(MessageProperties.AppSpecific, _appSpecific);
        set => Set(MessageProperties.AppSpecific, ref _appSpecific, value);
    }

    /// <summary>Gets when the message has reached its queue, in local time.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public DateTime ArrivedTime
    {
        get => Get(MessageProperties.ArrivedTime, _arrivedTime);
        internal set => _arrivedTime = value;
    }

    /// <summary>Gets or sets whether MSMQ attaches the security identifier of the sender. There is none here: <see cref="SenderId"/> is
    /// empty.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool AttachSenderId
    {
        get => Get(MessageProperties.AttachSenderId, _attachSenderId);
        set => Set(MessageProperties.AttachSenderId, ref _attachSenderId, value);
    }

    /// <summary>Gets whether MSMQ has verified the signature: never here.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public bool Authenticated
    {
        get => Get(MessageProperties.Authenticated, _authenticated);
        internal set => _authenticated = value;
    }

    /// <summary>Gets or sets the cryptographic provider of Windows. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public string AuthenticationProviderName
    {
        get => Get(MessageProperties.AuthenticationProviderName, _authenticationProviderName);
        set => Set(
            MessageProperties.AuthenticationProviderName, ref _authenticationProviderName,
            value ?? throw new ArgumentNullException(nameof(AuthenticationProviderName)));
    }

    /// <summary>Gets or sets the type of the cryptographic provider. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value is not defined.</exception>
    public CryptographicProviderType AuthenticationProviderType
    {
        get => Get(MessageProperties.AuthenticationProviderType, _authenticationProviderType);
        set => Set(
            MessageProperties.AuthenticationProviderType, ref _authenticationProviderType,
            Checks.Defined(value, nameof(AuthenticationProviderType)));
    }

    /// <summary>Gets or sets the id of a connector.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public Guid ConnectorType
    {
        get => Get(MessageProperties.ConnectorType, _connectorType);
        set => Set(MessageProperties.ConnectorType, ref _connectorType, value);
    }

    /// <summary>Gets or sets the <see cref="Id"/> of the message that this one answers.</summary>
    /// <value>An id of MSMQ, <c>guid\number</c>, the <see cref="Id"/> or correlation id of a received message, or an empty string.</value>
    /// <exception cref="InvalidOperationException">The message was received without this property, or the value is not an id.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public string CorrelationId
    {
        get => Get(MessageProperties.CorrelationId, _correlationId);
        set => Set(MessageProperties.CorrelationId, ref _correlationId, MessageIds.Check(value, nameof(CorrelationId)));
    }

    /// <summary>Gets the queue to which the message was sent.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public MessageQueue? DestinationQueue
    {
        get => Get(MessageProperties.DestinationQueue, _destinationQueue);
        internal set => _destinationQueue = value;
    }

    /// <summary>Gets or sets the key of an encrypted message. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public byte[] DestinationSymmetricKey
    {
        get => Get(MessageProperties.DestinationSymmetricKey, _destinationSymmetricKey);
        set => Set(
            MessageProperties.DestinationSymmetricKey, ref _destinationSymmetricKey,
            value ?? throw new ArgumentNullException(nameof(DestinationSymmetricKey)));
    }

    /// <summary>Gets or sets the signature of the message. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public byte[] DigitalSignature
    {
        get => Get(MessageProperties.DigitalSignature, _digitalSignature);
        set => Set(MessageProperties.DigitalSignature, ref _digitalSignature, value ?? throw new ArgumentNullException(nameof(DigitalSignature)));
    }

    /// <summary>Gets or sets the algorithm of an encrypted message. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value is not defined.</exception>
    public EncryptionAlgorithm EncryptionAlgorithm
    {
        get => Get(MessageProperties.EncryptionAlgorithm, _encryptionAlgorithm);
        set => Set(MessageProperties.EncryptionAlgorithm, ref _encryptionAlgorithm, Checks.Defined(value, nameof(EncryptionAlgorithm)));
    }

    /// <summary>Gets or sets additional bytes of the application.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public byte[] Extension
    {
        get => Get(MessageProperties.Extension, _extension);
        set => Set(MessageProperties.Extension, ref _extension, value ?? throw new ArgumentNullException(nameof(Extension)));
    }

    /// <summary>Gets or sets the hash algorithm of a signature. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value is not defined.</exception>
    public HashAlgorithm HashAlgorithm
    {
        get => Get(MessageProperties.HashAlgorithm, _hashAlgorithm);
        set => Set(MessageProperties.HashAlgorithm, ref _hashAlgorithm, Checks.Defined(value, nameof(HashAlgorithm)));
    }

    /// <summary>Gets the id that the queue gave to the message: <c>guid\number</c>.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public string Id
    {
        get => Get(MessageProperties.Id, _id);
        internal set => _id = value;
    }

    /// <summary>Gets whether the message was the first that its transaction sent.</summary>
    /// <value>False if the message was not received.</value>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool IsFirstInTransaction
    {
        get => Get(MessageProperties.IsFirstInTransaction, _isFirstInTransaction);
        internal set => _isFirstInTransaction = value;
    }

    /// <summary>Gets whether the message was the last that its transaction sent.</summary>
    /// <value>False if the message was not received.</value>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool IsLastInTransaction
    {
        get => Get(MessageProperties.IsLastInTransaction, _isLastInTransaction);
        internal set => _isLastInTransaction = value;
    }

    /// <summary>Gets or sets a short description, of at most 249 characters.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentException">The value is longer.</exception>
    public string Label
    {
        get => Get(MessageProperties.Label, _label);
        set => Set(MessageProperties.Label, ref _label, ShortLabel(value));
    }

    /// <summary>Gets a number of the message, which grows with the time of the send.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public long LookupId
    {
        get => Get(MessageProperties.LookupId, _lookupId);
        internal set => _lookupId = value;
    }

    /// <summary>Gets the type of the message.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public MessageType MessageType
    {
        get => Get(MessageProperties.MessageType, _messageType);
        internal set => _messageType = value;
    }

    /// <summary>Gets or sets the priority: a queue delivers messages of a higher priority first. A message that is sent in a transaction arrives with
    /// <see cref="MessagePriority.Lowest"/>, since transactional messages keep their order.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value is not defined.</exception>
    public MessagePriority Priority
    {
        get => Get(MessageProperties.Priority, _priority);
        set => Set(MessageProperties.Priority, ref _priority, Checks.Defined(value, nameof(Priority)));
    }

    /// <summary>Gets or sets whether the message survives the end of the machine. Queues in a folder and on brokers keep every message as if it
    /// were set.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool Recoverable
    {
        get => Get(MessageProperties.Recoverable, _recoverable);
        set => Set(MessageProperties.Recoverable, ref _recoverable, value);
    }

    /// <summary>Gets or sets the queue for the answer.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public MessageQueue? ResponseQueue
    {
        get => Get(MessageProperties.ResponseQueue, _responseQueue);
        set => Set(MessageProperties.ResponseQueue, ref _responseQueue, value);
    }

    /// <summary>Gets or sets the certificate of the sender. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public byte[] SenderCertificate
    {
        get => Get(MessageProperties.SenderCertificate, _senderCertificate);
        set => Set(MessageProperties.SenderCertificate, ref _senderCertificate, value ?? throw new ArgumentNullException(nameof(SenderCertificate)));
    }

    /// <summary>Gets the security identifier of the sender: empty.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public byte[] SenderId
    {
        get => Get(MessageProperties.SenderId, _senderId);
        internal set => _senderId = value;
    }

    /// <summary>Gets the version of Message Queuing with which the message was sent: 0x10, as MSMQ 3 and later.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public long SenderVersion
    {
        get => Get(MessageProperties.SenderVersion, _senderVersion);
        internal set => _senderVersion = value;
    }

    /// <summary>Gets when the message was sent, in local time.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public DateTime SentTime
    {
        get => Get(MessageProperties.SentTime, _sentTime);
        internal set => _sentTime = value;
    }

    /// <summary>Gets the machine of the sender.</summary>
    /// <exception cref="InvalidOperationException">The message was not received, or without this property.</exception>
    public string SourceMachine
    {
        get => Get(MessageProperties.SourceMachine, _sourceMachine);
        internal set => _sourceMachine = value;
    }

    /// <summary>Gets or sets how long after its send the message may be received.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentException">The value is negative.</exception>
    public TimeSpan TimeToBeReceived
    {
        get => Get(MessageProperties.TimeToBeReceived, _timeToBeReceived);
        set => Set(MessageProperties.TimeToBeReceived, ref _timeToBeReceived, Time(value, nameof(TimeToBeReceived)));
    }

    /// <summary>Gets or sets how long the message may take to reach its queue.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    /// <exception cref="ArgumentException">The value is negative.</exception>
    public TimeSpan TimeToReachQueue
    {
        get => Get(MessageProperties.TimeToReachQueue, _timeToReachQueue);
        set => Set(MessageProperties.TimeToReachQueue, ref _timeToReachQueue, Time(value, nameof(TimeToReachQueue)));
    }

    /// <summary>Gets the id of the transaction that has sent the message.</summary>
    /// <value>Empty if the message was not received, or not sent in a transaction.</value>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public string TransactionId
    {
        get => Get(MessageProperties.TransactionId, _transactionId);
        internal set => _transactionId = value;
    }

    /// <summary>Gets or sets the queue for acknowledgements of a connector.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public MessageQueue? TransactionStatusQueue
    {
        get => Get(MessageProperties.TransactionStatusQueue, _transactionStatusQueue);
        set => Set(MessageProperties.TransactionStatusQueue, ref _transactionStatusQueue, value);
    }

    /// <summary>Gets or sets whether MSMQ signs the message. Sending one throws: see <see
    /// cref="Formatters.SystemMessaging.MessagingConfiguration.IgnoreMessageSecurity"/>.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool UseAuthentication
    {
        get => Get(MessageProperties.UseAuthentication, _useAuthentication);
        set => Set(MessageProperties.UseAuthentication, ref _useAuthentication, value);
    }

    /// <summary>Gets or sets whether the message goes to a dead-letter queue of the sender's location if it is not received in time.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool UseDeadLetterQueue
    {
        get => Get(MessageProperties.UseDeadLetterQueue, _useDeadLetterQueue);
        set => Set(MessageProperties.UseDeadLetterQueue, ref _useDeadLetterQueue, value);
    }

    /// <summary>Gets or sets whether MSMQ encrypts the body. Sending one throws: see <see
    /// cref="Formatters.SystemMessaging.MessagingConfiguration.IgnoreMessageSecurity"/>.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool UseEncryption
    {
        get => Get(MessageProperties.UseEncryption, _useEncryption);
        set => Set(MessageProperties.UseEncryption, ref _useEncryption, value);
    }

    /// <summary>Gets or sets whether a copy goes to the journal of the sender's location.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool UseJournalQueue
    {
        get => Get(MessageProperties.UseJournalQueue, _useJournalQueue);
        set => Set(MessageProperties.UseJournalQueue, ref _useJournalQueue, value);
    }

    /// <summary>Gets or sets whether MSMQ reports the route of the message. It is carried, and not used.</summary>
    /// <exception cref="InvalidOperationException">The message was received without this property.</exception>
    public bool UseTracing
    {
        get => Get(MessageProperties.UseTracing, _useTracing);
        set => Set(MessageProperties.UseTracing, ref _useTracing, value);
    }

    private T Get<T>(MessageProperties property, T value)
    {
        if ((_readable & property) != 0)
            return value;
        throw new InvalidOperationException(IsReceived
            ? $"The property {property} was not received with the message: set {nameof(MessagePropertyFilter)}.{property} in the queue's "
                + $"{nameof(MessageQueue.MessageReadPropertyFilter)} before the message is received."
            : $"The property {property} can be read only from a received message.");
    }

    private void Set<T>(MessageProperties property, ref T field, T value)
    {
        field = value;
        _readable |= property;
        _set |= property;
    }

    private static TimeSpan Time(TimeSpan time, string name) => time >= TimeSpan.Zero
        ? time > InfiniteTimeout ? InfiniteTimeout : time
        : throw new ArgumentException("Zero or more.", name);

    private static string ShortLabel(string label)
    {
        ArgumentNullException.ThrowIfNull(label);
        return label.Length <= MaxLabelCharCount
            ? label
            : throw new ArgumentException($"The label has {label.Length} characters; the most is {MaxLabelCharCount}.", nameof(label));
    }
}
