using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>
/// Checks the strings of messages: queues store them as UTF-8, which cannot represent an unpaired surrogate. Compiled into each package of queues,
/// because it is not public.
/// </summary>
internal static class QueueStrings
{
    /// <summary>Checks all strings of a message.</summary>
    /// <exception cref="ArgumentException">One is not well-formed; the message names it.</exception>
    internal static void ThrowIfMalformed(QueueMessage message)
    {
        Check(message.Label, nameof(message.Label));
        Check(message.MessageId, nameof(message.MessageId));
        Check(message.CorrelationId, nameof(message.CorrelationId));
        Check(message.ResponseQueue, nameof(message.ResponseQueue));
        Check(message.Body.ContentType, nameof(message.Body.ContentType));
        Check(message.AdministrationQueue, nameof(message.AdministrationQueue));
        Check(message.SourceJournalQueue, nameof(message.SourceJournalQueue));
        Check(message.SessionId, nameof(message.SessionId));
        Check(message.Acknowledgment?.QueueName, nameof(message.Acknowledgment));
        Check(message.Acknowledgment?.Reason, nameof(message.Acknowledgment));
        Check(message.Acknowledgment?.Description, nameof(message.Acknowledgment));
        if (!message.HasHeaders)
            return;
        foreach (KeyValuePair<string, object> header in message.Headers)
        {
            Check(header.Key, "header name");
            if (header.Value is string text && IndexOfHalfPair(text) >= 0)
                throw Malformed($"header {header.Key}", text);
        }

        static void Check(string? text, string name)
        {
            if (text is not null && IndexOfHalfPair(text) >= 0)
                throw Malformed(name, text);
        }
    }

    /// <summary>Checks a string that is not a property of a message to be sent.</summary>
    /// <exception cref="ArgumentException">It is not well-formed.</exception>
    internal static void ThrowIfMalformed(string? text, string name)
    {
        if (text is not null && IndexOfHalfPair(text) is >= 0 and var index)
            throw new ArgumentException($"The string has half of a surrogate pair at index {index}, which UTF-8 cannot carry.", name);
    }

    /// <summary>Finds an unpaired surrogate.</summary>
    /// <returns>Its index; -1 if there is none.</returns>
    internal static int IndexOfHalfPair(string text)
    {
#if NET
        int i = text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF');
        if (i < 0)
            return -1;
#else
        int i = 0;
#endif
        for (; i < text.Length; i++)
        {
            if (!char.IsSurrogate(text[i]))
                continue;
            if (i + 1 == text.Length || !char.IsSurrogatePair(text[i], text[i + 1]))
                return i;
            i++;
        }

        return -1;
    }

    private static ArgumentException Malformed(string name, string text) =>
        new(
            $"The message's {name} has half of a surrogate pair at index {IndexOfHalfPair(text)}. Queues store UTF-8, which cannot carry it: send "
            + "well-formed text, or bytes in a header.");
}
