using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Opens durable queues in a folder, without a server: <c>file:queues/orders</c> is the queue <c>orders</c> in the folder <c>queues</c>.
/// </summary>
/// <remarks>
/// <para>A folder may have many queues, in one log. The process that opens it first owns it and serves the other processes of the machine; when it
/// ends, one of them takes over. A folder stays open until the provider is disposed; express messages stay in it until its owner ends. A folder
/// stops within a second after it or its file <c>lock</c> was moved, deleted or replaced, and at a failed write or flush.</para>
/// <para>A recoverable send completes, and an acknowledgement or a transaction's commit is final, when it was flushed to the disk; concurrent
/// operations share one flush. Express messages stay in memory.</para>
/// <para>Every operation on a stopped folder throws a <see cref="QueueException"/> with <see cref="QueueErrorCode.FolderStopped"/>, also a receive
/// that waits. Opening a queue or topic again opens the folder again, if its log is there; handles that were open before remain stopped.</para>
/// <para>A log that is damaged, or whose end is missing, is rejected: the exception names segment and offset, and nothing is changed. The remainder
/// of a write that a crash interrupted, which was never confirmed, is removed.</para>
/// </remarks>
public sealed class FileQueueProvider : QueueProvider, IAsyncDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private readonly Dictionary<string, OpenFolder> _folders = new(StringComparer.Ordinal);
    private readonly FileQueueOptions _options;
    private bool _isDisposed;

    /// <summary>Creates a provider with <see cref="FileQueueOptions.Default"/>.</summary>
    public FileQueueProvider()
        : this(FileQueueOptions.Default)
    {
    }

    /// <summary>Creates a provider.</summary>
    /// <param name="options">Options for the queues of the folders that it opens.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    public FileQueueProvider(FileQueueOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["file"];

    /// <inheritdoc/>
    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        (string path, string name) = Split(address);
        ArgumentNullException.ThrowIfNull(options);
        DeliveryMode mode = options.DeliveryMode ?? DeliveryMode.Recoverable;
        options = options with
        {
            DeliveryMode = mode,
            HoldBackByteCount = options.HoldBackByteCount
                ?? (mode == DeliveryMode.Express ? QueueOptions.HoldBackByteCountInMemory : QueueOptions.HoldBackByteCountOnDisk),
        };
        OpenFolder folder = await OpenFolderAsync(path, cancellationToken).ConfigureAwait(false);
        FileQueue.CapabilitiesOf(folder.DelayNote, mode).ThrowIfNotSupported(options, address);
        return await folder.OpenQueueAsync(address, name, options, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// The durable subscriptions of a topic are the queues <c>topic.subscription</c> of the folder; a recoverable message for them is one record of
    /// the log, which is there for all of them or for none. Other subscriptions are in memory, and end with their handles.
    /// </remarks>
    public override async ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        (string path, string name) = Split(address);
        ArgumentNullException.ThrowIfNull(options);
        options = options with { DeliveryMode = options.DeliveryMode ?? DeliveryMode.Recoverable };
        if (options.DuplicateWindow is not null)
            throw new NotSupportedException($"'{address}': {nameof(QueueOptions.DuplicateWindow)} is not supported by a topic.");
        OpenFolder folder = await OpenFolderAsync(path, cancellationToken).ConfigureAwait(false);
        FileQueue.CapabilitiesOf(folder.DelayNote, options.DeliveryMode.Value).ThrowIfNotSupported(options, address);
        return await folder.OpenTopicAsync(address, name, options, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        (string path, string name) = Split(address);
        if (!Directory.Exists(path))
            return false;
        OpenFolder folder = await OpenFolderAsync(path, cancellationToken).ConfigureAwait(false);
        return await folder.DeleteQueueAsync(name, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// The folder is opened if it is not open already, and stays open, as for a queue. <c>file:queues</c> is the folder <c>queues</c> if that is a
    /// folder of queues, and otherwise the queue of this name in the current folder.
    /// </remarks>
    public override async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (!address.Uri.IsFile || address.Uri.Query.Length > 0 || address.Uri.Fragment.Length > 0)
            throw new FormatException($"'{address}' is neither a folder of queues nor a queue in one. The form is file:folder/ or file:folder/name.");
        string path = Path.TrimEndingDirectorySeparator(address.Uri.LocalPath);
        string? name = null;
        if (address.QueueName.Length > 0 && !await IsOfQueuesAsync(path).ConfigureAwait(false))
            (path, name) = Split(address);
        if (!await IsOfQueuesAsync(path).ConfigureAwait(false))
            throw new QueueException($"'{path}' is not a folder of queues: it has no log.");
        OpenFolder opened = await OpenFolderAsync(path, cancellationToken, mayBeStopped: true).ConfigureAwait(false);
        return await opened.ListAsync(name, cancellationToken).ConfigureAwait(false);

        // A folder that is open may have been moved or deleted; its own operations report that.
        async ValueTask<bool> IsOfQueuesAsync(string folder)
        {
            await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                return _folders.ContainsKey(folder) || OpenFolder.HasLog(folder);
            }
            finally
            {
                _gate.Release();
            }
        }
    }

    /// <summary>Returns the processes that have a folder open, first its owner.</summary>
    /// <param name="address">The folder's address, without a queue: <c>file:queues</c>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The processes, this one included: the folder is opened with the call, or created.</returns>
    /// <exception cref="FormatException">The address is not that of a folder.</exception>
    /// <exception cref="QueueException">The folder cannot be opened.</exception>
    /// <exception cref="ObjectDisposedException">The provider is closed.</exception>
    public async ValueTask<IReadOnlyList<FolderProcess>> GetProcessesAsync(string address, CancellationToken cancellationToken = default)
    {
        OpenFolder folder = await OpenFolderAsync(FolderOf(address), cancellationToken).ConfigureAwait(false);
        return await folder.GetProcessesAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Opens a coordinator of transactions over the queues of a folder and a database; the folder is opened, or created, with it.</summary>
    /// <param name="address">The folder's address, without a queue: <c>file:queues</c>.</param>
    /// <param name="resourceManager">The database. It must stay open as long as the coordinator.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The coordinator. It has already committed what an ended process had decided but not delivered, and rolled back what that process had
    /// prepared but not decided. Dispose it; disposing the provider also disposes it.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="FormatException">The address is not that of a folder.</exception>
    /// <exception cref="QueueException">The folder or the database cannot be opened, or the database rejected the end of a prepared
    /// transaction.</exception>
    /// <exception cref="ObjectDisposedException">The provider is closed.</exception>
    public async ValueTask<TransactionCoordinator> OpenCoordinatorAsync(string address, ResourceManager resourceManager,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(resourceManager);
        OpenFolder folder = await OpenFolderAsync(FolderOf(address), cancellationToken).ConfigureAwait(false);
        return await folder.OpenCoordinatorAsync(resourceManager, cancellationToken).ConfigureAwait(false);
    }

    internal override QueueClient? TryCombine(QueueAddress address, QueueOptions options, IReadOnlyList<QueueClient> queues) =>
        options.DeliveryMode != DeliveryMode.Express
            && queues.All(queue => queue is FileQueue file && file.Folder == (queues[0] as FileQueue)?.Folder)
            ? new FileMulticastQueue(address, options, queues)
            : options.DeliveryMode != DeliveryMode.Express
                && queues.All(queue => queue is FollowerQueue follower && follower.Client == (queues[0] as FollowerQueue)?.Client)
            ? new FollowerMulticastQueue(address, options, queues)
            : null;

    /// <summary>Closes the folders: completes the writes in progress, and releases the folders for other processes.</summary>
    /// <returns>Completes when they are closed.</returns>
    public async ValueTask DisposeAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            _isDisposed = true;
            foreach (OpenFolder folder in _folders.Values)
                await folder.DisposeAsync().ConfigureAwait(false);
            _folders.Clear();
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Opens a folder, again if it has stopped.</summary>
    private async ValueTask<OpenFolder> OpenFolderAsync(string path, CancellationToken cancellationToken, bool mayBeStopped = false)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_folders.TryGetValue(path, out OpenFolder? folder))
            {
                if (mayBeStopped || folder.StoppedReason is null)
                    return folder;
                await folder.DisposeAsync().ConfigureAwait(false);
                // A new folder in place of one that was only moved would take messages that are missing when the old one is back.
                if (!OpenFolder.HasLog(path))
                    throw new QueueException(
                        $"The queue folder '{path}' was moved or deleted. It is opened again when its log is back; a new provider creates a new one.")
                    {
                        IsUnreachable = true,
                        Code = QueueErrorCode.FolderStopped,
                    };
            }

            return _folders[path] = await OpenAsync(path, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    private async ValueTask<OpenFolder> OpenAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            // Reading a large log takes long.
            OwnedFolder owned = await Task.Run(() => OwnedFolder.Open(path, _options), cancellationToken).ConfigureAwait(false);
            await owned.WaitForOthersAsync().ConfigureAwait(false);
            return owned;
        }
        catch (QueueException e) when (e.Code == QueueErrorCode.InUse && _options.Sharing != FolderSharing.Exclusive)
        {
            return await FolderClient.OpenAsync(path, _options, cancellationToken).ConfigureAwait(false);
        }
    }

    private static string FolderOf(string address)
    {
        Uri uri = QueueAddress.Parse(address).Uri;
        return uri.IsFile && uri.Query.Length == 0 && uri.Fragment.Length == 0
            ? Path.TrimEndingDirectorySeparator(uri.LocalPath)
            : throw new FormatException($"'{address}' is not the address of a folder. The form is file:folder or file:///folder.");
    }

    private static (string Path, string Name) Split(QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        Uri uri = address.Uri;
        if (!uri.IsFile || address.QueueName.Length == 0 || uri.Query.Length > 0 || uri.Fragment.Length > 0)
            throw new FormatException($"'{address}' is not the address of a queue in a folder. The form is file:folder/name or file:///folder/name.");
        return (Path.TrimEndingDirectorySeparator(new Uri(uri, ".").LocalPath), address.QueueName);
    }
}
