using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A folder that this process has open: as its owner, or through the owner.</summary>
internal abstract class OpenFolder(string path) : IAsyncDisposable
{
    /// <summary>Gets the folder's path.</summary>
    internal string Path => path;

    /// <summary>Gets why the folder accepts no more operations, or null.</summary>
    internal abstract string? StoppedReason { get; }

    /// <summary>Gets the note for reports about an emulated disk; empty otherwise.</summary>
    internal abstract string DelayNote { get; }

    internal abstract ValueTask<QueueClient> OpenQueueAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken);

    internal abstract ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken);

    internal abstract ValueTask<bool> DeleteQueueAsync(string name, CancellationToken cancellationToken);

    internal abstract ValueTask<IReadOnlyList<QueueStatus>> ListAsync(string? name, CancellationToken cancellationToken);

    internal abstract ValueTask<IReadOnlyList<FolderProcess>> GetProcessesAsync(CancellationToken cancellationToken);

    internal abstract ValueTask<TransactionCoordinator> OpenCoordinatorAsync(ResourceManager resourceManager, CancellationToken cancellationToken);

    public abstract ValueTask DisposeAsync();

    /// <summary>Creates the address of a queue of the folder.</summary>
    internal static QueueAddress AddressOf(string path, string name) =>
        new(new Uri(QueueAddress.FileUri(path).AbsoluteUri + "/" + Uri.EscapeDataString(name)));

    /// <summary>Determines whether a folder has a log.</summary>
    internal static bool HasLog(string path) => Directory.Exists(path)
        && (File.Exists(System.IO.Path.Combine(path, LogManifest.FileName)) || HasSegment(path));

    private static bool HasSegment(string path)
    {
        using IEnumerator<string> segments = Directory.EnumerateFiles(path, "*.log").GetEnumerator();
        return segments.MoveNext();
    }
}

/// <summary>A folder that this process owns: it has the lock and the log, and serves other processes.</summary>
internal sealed class OwnedFolder : OpenFolder
{
    private readonly QueueFolder _folder;
    private readonly FolderServer? _server;

    private OwnedFolder(string path, QueueFolder folder, FolderServer? server)
        : base(path)
    {
        _folder = folder;
        _server = server;
        if (server is not null)
            _ = StopAsync();
    }

    internal override string? StoppedReason => _folder.StoppedReason;

    internal override string DelayNote => _folder.DelayNote;

    /// <summary>Takes the lock of a folder and opens its log.</summary>
    /// <exception cref="QueueException">Another process has the folder, or it cannot be opened.</exception>
    internal static OwnedFolder Open(string path, FileQueueOptions options)
    {
        var folder = new QueueFolder(path, new DiskFolder(path, options.Sharing), options);
        return new OwnedFolder(path, folder, options.Sharing == FolderSharing.Exclusive ? null : FolderServer.Start(folder, path, options.Sharing));
    }

    /// <summary>Waits until the processes that were connected to the last owner have named what they had received.</summary>
    internal Task WaitForOthersAsync() => _server?.AllHaveReturned ?? Task.CompletedTask;

    internal override async ValueTask<QueueClient> OpenQueueAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken) => await OpenQueueAsync(_folder, address, name, options, cancellationToken).ConfigureAwait(false);

    /// <summary>Opens a queue of a folder, and the queues that its options name.</summary>
    internal static async ValueTask<FileQueue> OpenQueueAsync(QueueFolder folder, QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken)
    {
        FileQueue.CapabilitiesOf(folder.DelayNote, options.DeliveryMode!.Value).ThrowIfNotSupported(options, address);
        return new FileQueue(
            await folder.OpenQueueAsync(name, cancellationToken).ConfigureAwait(false),
            address,
            options,
            await OpenOtherAsync(options.DeadLetterQueue).ConfigureAwait(false),
            await OpenOtherAsync(options.JournalQueue).ConfigureAwait(false));

        async ValueTask<FileQueueStore?> OpenOtherAsync(string? other) =>
            other is null ? null : await folder.OpenQueueAsync(other, cancellationToken).ConfigureAwait(false);
    }

    internal override ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken) => new(new FileTopic(_folder, _folder.OpenTopic(name), address, options));

    internal override ValueTask<bool> DeleteQueueAsync(string name, CancellationToken cancellationToken) =>
        _folder.DeleteQueueAsync(name, cancellationToken);

    internal override ValueTask<IReadOnlyList<QueueStatus>> ListAsync(string? name, CancellationToken cancellationToken) => new(_folder.List(name));

    internal override ValueTask<IReadOnlyList<FolderProcess>> GetProcessesAsync(CancellationToken cancellationToken) =>
        new(_server?.GetProcesses() ?? [FolderServer.ThisProcess]);

    internal override ValueTask<TransactionCoordinator> OpenCoordinatorAsync(ResourceManager resourceManager,
        CancellationToken cancellationToken) => _folder.OpenCoordinatorAsync(resourceManager, cancellationToken);

    public override async ValueTask DisposeAsync()
    {
        // First, so that the others are not answered by a folder that is closing, and find the lock free soon.
        if (_server is not null)
            await _server.DisposeAsync().ConfigureAwait(false);
        await _folder.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Releases the folder when it has stopped, so that another process can open what is on the disk.</summary>
    private async Task StopAsync()
    {
        await _folder.Stopped.ConfigureAwait(false);
        await DisposeAsync().ConfigureAwait(false);
    }
}

/// <summary>A process that has a folder of queues open: see <see cref="FileQueueProvider.GetProcessesAsync"/>.</summary>
/// <param name="ProcessId">Its id on its machine, or in its container.</param>
/// <param name="MachineName">The name of its machine or container.</param>
/// <param name="IsOwner">Whether it has the folder's log and serves the others. If it ends, another takes over.</param>
/// <param name="LockedCount">The number of messages that it has received and not settled; of the owner, none is counted.</param>
public sealed record FolderProcess(int ProcessId, string MachineName, bool IsOwner, int LockedCount);
