using System;
using System.Linq;

namespace Formatters.Msmq;

/// <summary>Applies <c>MessageQueue.DefaultPropertiesToSend</c>, which System.Messaging applies to payloads but not to messages.</summary>
internal static class QueueDefaults
{
    /// <summary>Sets the properties of a new message to a queue's defaults.</summary>
    internal static void Apply(MessageQueue queue, Message message)
    {
        DefaultPropertiesToSend defaults;
        try
        {
            defaults = queue.DefaultPropertiesToSend;
        }
        catch (NotImplementedException)
        {
            // Mono does not support this.
            return;
        }

        // A property that is set travels with the message, so only different ones are set.
        if (defaults.AcknowledgeType != message.AcknowledgeType)
            message.AcknowledgeType = defaults.AcknowledgeType;
        if (defaults.AdministrationQueue is { } administrationQueue)
            message.AdministrationQueue = administrationQueue;
        if (defaults.AppSpecific != message.AppSpecific)
            message.AppSpecific = defaults.AppSpecific;
        if (defaults.AttachSenderId != message.AttachSenderId)
            message.AttachSenderId = defaults.AttachSenderId;
        if (defaults.EncryptionAlgorithm != message.EncryptionAlgorithm)
            message.EncryptionAlgorithm = defaults.EncryptionAlgorithm;
        if (defaults.Extension is { } extension && !extension.SequenceEqual(message.Extension ?? []))
            message.Extension = extension;
        if (defaults.HashAlgorithm != message.HashAlgorithm)
            message.HashAlgorithm = defaults.HashAlgorithm;
        if (!string.IsNullOrEmpty(defaults.Label))
            message.Label = defaults.Label;
        if (defaults.Priority != message.Priority)
            message.Priority = defaults.Priority;
        if (defaults.Recoverable != message.Recoverable)
            message.Recoverable = defaults.Recoverable;
        if (defaults.ResponseQueue is { } responseQueue)
            message.ResponseQueue = responseQueue;
        if (defaults.TimeToBeReceived != message.TimeToBeReceived)
            message.TimeToBeReceived = defaults.TimeToBeReceived;
        if (defaults.TimeToReachQueue != message.TimeToReachQueue)
            message.TimeToReachQueue = defaults.TimeToReachQueue;
        if (defaults.TransactionStatusQueue is { } transactionStatusQueue)
            message.TransactionStatusQueue = transactionStatusQueue;
        ApplyUses(defaults, message);
    }

    private static void ApplyUses(DefaultPropertiesToSend defaults, Message message)
    {
        if (defaults.UseAuthentication != message.UseAuthentication)
            message.UseAuthentication = defaults.UseAuthentication;
        if (defaults.UseDeadLetterQueue != message.UseDeadLetterQueue)
            message.UseDeadLetterQueue = defaults.UseDeadLetterQueue;
        if (defaults.UseEncryption != message.UseEncryption)
            message.UseEncryption = defaults.UseEncryption;
        if (defaults.UseJournalQueue != message.UseJournalQueue)
            message.UseJournalQueue = defaults.UseJournalQueue;
        if (defaults.UseTracing != message.UseTracing)
            message.UseTracing = defaults.UseTracing;
    }
}
