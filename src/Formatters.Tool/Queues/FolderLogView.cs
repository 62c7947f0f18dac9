using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using Formatters.Queues;

namespace Formatters.Tools.Queues;

/// <summary>The queues of a folder that cannot be opened, because another process has it or because it is damaged, as its log shows them.</summary>
internal sealed class FolderLogView : IDisposable
{
    private readonly QueueFolderLog _log;
    private readonly string? _name;

    private FolderLogView(QueueFolderLog log, string? name)
    {
        _log = log;
        _name = name;
    }

    /// <summary>0 if the log is whole.</summary>
    internal int ExitCode => _log.IsWhole ? ExitCodes.Success : ExitCodes.Failure;

    /// <summary>Reads the log of a folder that could not be opened, and says so on the error output.</summary>
    /// <param name="address">A folder, or a queue in one.</param>
    /// <param name="why">Why it could not be opened.</param>
    /// <param name="error">The error output.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <returns>The view; null if the address is not one of a folder with a log.</returns>
    internal static FolderLogView? TryRead(QueueAddress address, QueueException why, TextWriter error, CancellationToken cancellationToken)
    {
        if (!address.Uri.IsFile)
            return null;
        string path = Path.TrimEndingDirectorySeparator(address.Uri.LocalPath);
        string? name = null;
        if (address.QueueName.Length > 0 && !QueueCheck.IsFolderOfQueues(path))
            (path, name) = (Path.GetDirectoryName(path)!, address.QueueName);
        QueueFolderLog log;
        try
        {
            log = QueueFolderLog.Open(path, cancellationToken: cancellationToken);
        }
        catch (QueueException)
        {
            return null;
        }

        if (name is not null && !log.Queues.Any(queue => queue.Name == name))
        {
            log.Dispose();
            return null;
        }

        error.WriteLine($"{ToolInfo.Name}: {why.Message} Its log was read without opening it: locked messages count as waiting, express ones are not in it.");
        return new FolderLogView(log, name);
    }

    /// <summary>The queues; locks and ages are unknown.</summary>
    internal IReadOnlyList<QueueStatus> List() =>
    [
        .. _log.Queues.Where(queue => _name is null || queue.Name == _name).Select(queue => new QueueStatus
        {
            Address = QueueAddress.Parse(new Uri(new Uri(Path.GetFullPath(_log.Folder) + "/"), Uri.EscapeDataString(queue.Name)).AbsoluteUri),
            Name = queue.Name,
            MessageCount = queue.MessageCount,
        }),
    ];

    /// <summary>The messages of the queue.</summary>
    /// <exception cref="UsageException">The address is that of the folder.</exception>
    internal IReadOnlyList<PeekedMessage> Peek(PeekOptions options) =>
        _log.Peek(_name ?? throw new UsageException($"'{_log.Folder}' is a folder: name one queue in it."), options);

    public void Dispose() => _log.Dispose();
}
