namespace System.Messaging;

/// <summary>The names of the headers that carry what a message of <c>Formatters.Queues</c> does not have.</summary>
internal static class MessageHeaders
{
    internal const string SentTime = "msmq-sent";
    internal const string ArrivedTime = "msmq-arrived";
    internal const string LookupId = "msmq-lookup";
    internal const string SourceMachine = "msmq-source";
    internal const string Destination = "msmq-destination";
    internal const string Flags = "msmq-flags";
    internal const string AppSpecific = "msmq-app";
    internal const string Extension = "msmq-extension";
    internal const string AdministrationQueue = "msmq-admin";
    internal const string AcknowledgeType = "msmq-acknowledge";
    internal const string ResponseQueue = "msmq-response";
    internal const string TransactionStatusQueue = "msmq-status";
    internal const string TimeToBeReceived = "msmq-ttbr";
    internal const string TimeToReachQueue = "msmq-ttrq";
    internal const string Priority = "msmq-priority";
    internal const string Expires = "msmq-expires";
    internal const string TransactionId = "msmq-transaction";
    internal const string ConnectorType = "msmq-connector";
    internal const string Class = "msmq-class";
    internal const string ProviderName = "msmq-provider";
    internal const string ProviderType = "msmq-provider-type";
    internal const string EncryptionAlgorithm = "msmq-encryption";
    internal const string HashAlgorithm = "msmq-hash";
    internal const string Certificate = "msmq-certificate";
    internal const string SymmetricKey = "msmq-key";
    internal const string Signature = "msmq-signature";

    /// <summary>The yes-or-no properties of a message.</summary>
    [Flags]
    internal enum Flag
    {
        None = 0,
        Recoverable = 1,
        UseDeadLetterQueue = 2,
        UseJournalQueue = 4,
        UseTracing = 8,
        UseAuthentication = 16,
        UseEncryption = 32,
        NoSenderId = 64,
        FirstInTransaction = 128,
        LastInTransaction = 256,
    }
}
