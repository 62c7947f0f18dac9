using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Acknowledgement messages, in the same block of the log as the event that they report.
internal sealed partial class QueueFolder
{
    /// <inheritdoc/>
    public LocalQueueStore? FindQueue(string name) => _queues.GetValueOrDefault(name);

    /// <inheritdoc/>
    public LocalQueueStore? OpenQueue(string name) => FindQueue(name);

    /// <summary>Determines whether the queues that a message names exist.</summary>
    internal bool HasQueuesOf(QueueMessage message) => NamesOf(message).All(_queues.ContainsKey);

    /// <summary>Creates the queues that messages name.</summary>
    internal async ValueTask OpenQueuesOfAsync(IEnumerable<QueueMessage> messages, CancellationToken cancellationToken)
    {
        foreach (string name in messages.SelectMany(NamesOf).Distinct().Where(name => !_queues.ContainsKey(name)).ToArray())
            await OpenQueueAsync(name, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes acknowledgements that are not part of another write.</summary>
    internal ValueTask AcknowledgeAsync(IEnumerable<FileMessage> messages, AcknowledgmentClass acknowledgment)
    {
        FileMessage[] made = [.. messages.Select(message => MakeAcknowledgment(message, acknowledgment, null)).OfType<FileMessage>()];
        foreach (FileMessage message in made)
            message.Queue.CountAgain(message);
        return made.Length == 0 ? default : SendAsync(made);
    }

    private static IEnumerable<string> NamesOf(QueueMessage message) =>
        new[] { message.AcknowledgeTypes != AcknowledgeTypes.None ? message.AdministrationQueue : null, message.SourceJournalQueue }.OfType<string>();

    private FileMessage? MakeAcknowledgment(FileMessage message, AcknowledgmentClass acknowledgment, DeadLetter? deadLetter)
    {
        if (!message.Requests(acknowledgment) || _queues.GetValueOrDefault(
            message.AdministrationQueue!) is not { IsDeletedInLog: false } administration)
            return null;
        var entry = new LogEntry();
        var place = new LogPlace(entry, administration);
        entry.Add(place);
        return new FileMessage(place, message.NewAcknowledgmentOf(acknowledgment, deadLetter));
    }

    /// <summary>Writes the acknowledgement that a message requests into the block that has the event; called under the log's gate.</summary>
    /// <returns>Null if it requests none, or the administration queue does not exist.</returns>
    private FileMessage? EncodeAcknowledgment(LogBuffer block, FileMessage message, AcknowledgmentClass acknowledgment, DeadLetter? deadLetter)
    {
        FileMessage? made = MakeAcknowledgment(message, acknowledgment, deadLetter);
        if (made is not null)
            EncodeMessage(block, made);
        return made;
    }

    private static void ApplyAcknowledgment(FileMessage acknowledgment, LogSegment segment, long blockPosition)
    {
        acknowledgment.Queue.Folder.ApplyMessage(acknowledgment, segment, blockPosition);
        acknowledgment.Queue.TryAdd(acknowledgment, isCounted: false);
    }
}
