using System;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>Connects a process to the owner of a folder, and again after each change of the owner, until the folder is closed.</summary>
/// <remarks>
/// When the owner ends, one of the other processes takes the lock, opens the log and serves. Each process connects to it, and restores its state
/// there by a <see cref="FolderReplay"/>. A process that has become the owner uses its own socket.
/// </remarks>
internal sealed class FolderConnector : IAsyncDisposable
{
    private readonly string _path;
    private readonly FileQueueOptions _options;
    private readonly FolderCalls _calls;
    private readonly FollowerState _state;
    private readonly FolderMeetingPlace _place;
    private readonly Guid _process = Guid.NewGuid();
    private readonly SafeFileHandle _registration;
    private OwnedFolder? _owned;
    private Task _connecting = Task.CompletedTask;

    /// <summary>Registers the process at the folder.</summary>
    /// <exception cref="QueueException">The folder cannot be shared.</exception>
    internal FolderConnector(string path, FileQueueOptions options, FolderCalls calls, FollowerState state)
    {
        (_path, _options, _calls, _state) = (path, options, calls, state);
        try
        {
            _place = new FolderMeetingPlace(path, options.Sharing);
            _registration = _place.Register(_process, options.Sharing);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _place?.Dispose();
            throw new QueueException($"The folder '{path}' is open in another process, and cannot be shared with it: {e.Message}", e)
            {
                Code = QueueErrorCode.InUse,
            };
        }
    }

    /// <summary>Gets the id of the folder, with which the ids of its messages begin.</summary>
    internal Guid FolderId { get; private set; }

    /// <inheritdoc cref="OpenFolder.DelayNote"/>
    internal string DelayNote { get; private set; } = "";

    /// <summary>Connects to the owner; if there is none, makes this process the owner and connects to its own socket.</summary>
    /// <param name="isFirst">Whether the folder is being opened: it may then be new, or one that cannot be shared.</param>
    /// <param name="cancellationToken">Ends the attempts.</param>
    internal async Task ConnectAsync(bool isFirst, CancellationToken cancellationToken)
    {
        int delay = 1;
        long start = Environment.TickCount64;
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (_place.TryConnect() is { } socket)
            {
                var connection = new FrameConnection(socket, long.MaxValue);
                if (await TryEnterAsync(connection, cancellationToken).ConfigureAwait(false))
                    return;
            }
            else if (!isFirst && !OpenFolder.HasLog(_path))
            {
                throw new QueueException($"The queue folder '{_path}' was moved or deleted.")
                {
                    IsUnreachable = true,
                    Code = QueueErrorCode.FolderStopped,
                };
            }
            else if (await TryOwnAsync(cancellationToken).ConfigureAwait(false) is not { } inUse)
            {
                delay = 0;
            }
            else if (isFirst && (FolderLock.CannotBeShared(_path, out bool isElsewhere)
                || (isElsewhere && Environment.TickCount64 - start > FolderCalls.MaxSilentMilliseconds)))
            {
                throw inUse;
            }

            await Task.Delay(delay, cancellationToken).ConfigureAwait(false);
            delay = Math.Clamp(2 * delay, 1, 50);
        }
    }

    /// <summary>Ends the connection and, if this process is the owner, its service.</summary>
    public async ValueTask DisposeAsync()
    {
        await _calls.DisposeAsync().ConfigureAwait(false);
        FrameConnection? connection = _calls.Detach();
        await _connecting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (connection is not null)
            await connection.CloseAsync().ConfigureAwait(false);
        _calls.Fail(new QueueException($"The queue folder '{_path}' is closed."));
        _place.Unregister(_process, _registration);
        if (_owned is not null)
            await _owned.DisposeAsync().ConfigureAwait(false);
        _place.Dispose();
    }

    /// <summary>Takes the folder's lock and opens its log, if no other process has it.</summary>
    /// <returns>Null if this process is the owner; otherwise the exception that says who is.</returns>
    private async Task<QueueException?> TryOwnAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (_owned is not null)
                await _owned.DisposeAsync().ConfigureAwait(false);
            _owned = null;
            _owned = await Task.Run(() => OwnedFolder.Open(_path, _options), cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (QueueException e) when (e.Code == QueueErrorCode.InUse)
        {
            return e;
        }
    }

    /// <summary>Says hello to the owner, and restores the state of this process.</summary>
    /// <returns>False if the connection ended.</returns>
    private async Task<bool> TryEnterAsync(FrameConnection connection, CancellationToken cancellationToken)
    {
        var replay = new FolderReplay(connection, _calls, _state);
        Task reading = FrameReader.ReadAsync(connection, replay.OnFrame, runsCallers: true);
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(static connection =>
            ((FrameConnection)connection!).Dispose(), connection);
        _ = EndAsync();
        try
        {
            FollowerSnapshot state = _state.Copy();
            ReadWelcome(await replay.CallAsync(FolderRequests.Hello(_process, state.LastDelivery)).ConfigureAwait(false));
            await replay.RunAsync(state).ConfigureAwait(false);
            return true;
        }
        catch (FolderReplay.ReplayEndedException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return false;
        }
        catch
        {
            connection.Dispose();
            throw;
        }

        async Task EndAsync()
        {
            await reading.ConfigureAwait(false);
            replay.End();
            OnDisconnected(connection);
        }
    }

    private void ReadWelcome(byte[] welcome)
    {
        var reader = new BinaryBodyReader(welcome.AsSpan(1), FolderProtocol.Limits);
        FolderId = reader.ReadGuid();
        int processId = reader.ReadInt32();
        string machine = reader.ReadString();
        _calls.OwnerName = machine == Environment.MachineName ? $"process {processId}" : $"process {processId} on '{machine}'";
        DelayNote = reader.ReadString();
    }

    private void OnDisconnected(FrameConnection connection)
    {
        lock (_calls.Gate)
        {
            if (_calls.TryDetach(connection) && !_calls.Closing.IsCancellationRequested)
                _connecting = Task.Run(ReconnectAsync);
        }
    }

    private async Task ReconnectAsync()
    {
        try
        {
            await ConnectAsync(isFirst: false, _calls.Closing).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The folder is closed.
        }
        catch (Exception e)
        {
            _calls.Fail(e as QueueException ?? new QueueException($"The queue folder '{_path}' cannot be opened: {e.Message}", e)
            {
                IsUnreachable = true,
                Code = QueueErrorCode.FolderStopped,
            });
        }
    }
}
