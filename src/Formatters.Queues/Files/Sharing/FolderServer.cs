using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Serves a folder of queues to the other processes of the machine, on a socket in the folder.</summary>
internal sealed class FolderServer : IAsyncDisposable
{
    /// <summary>The interval of checks: that the socket still has its name and, at the beginning, which processes are missing.</summary>
    private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan ReturnInterval = TimeSpan.FromMilliseconds(20);

    /// <summary>The time for which messages are kept for a process that runs but does not come back, because it is stopped.</summary>
    private const int MaxReturnMilliseconds = 5000;

    private readonly FolderSharing _sharing;
    private readonly FolderMeetingPlace? _place;
    private readonly Lock _gate = new();
    private readonly List<FolderSession> _sessions = [];
    private readonly HashSet<Guid> _missing = [];
    private readonly HashSet<Guid> _ended = [];
    private readonly TaskCompletionSource _returned = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long _started = Environment.TickCount64;
    private readonly Timer? _timer;
    private Socket? _listener;
    private volatile bool _isDisposed;

    private FolderServer(QueueFolder folder, string path, FolderSharing sharing)
    {
        Folder = folder;
        Path = path;
        _sharing = sharing;
        try
        {
            _place = new FolderMeetingPlace(path, sharing);
            _missing = [.. _place.GetRunning()];
            folder.Applied.Keep(_missing);
            _listener = _place.Listen(sharing);
            _ = AcceptAsync(_listener);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or SocketException or NotSupportedException)
        {
            // A disk without sockets: this process works alone, and others are told that it has the folder.
            _missing.Clear();
        }

        NoteReturn(default);
        if (_listener is not null)
            _timer = new Timer(static server => ((FolderServer)server!).Check(), this, ReturnInterval, Timeout.InfiniteTimeSpan);
    }

    internal static FolderProcess ThisProcess => new(Environment.ProcessId, Environment.MachineName, IsOwner: true, LockedCount: 0);

    internal QueueFolder Folder { get; }

    internal string Path { get; }

    /// <summary>
    /// Gets a task that completes when every running process that was connected to the last owner has named the messages that it had received.
    /// Until then none is delivered to another.
    /// </summary>
    internal Task AllHaveReturned => _returned.Task;

    internal static FolderServer Start(QueueFolder folder, string path, FolderSharing sharing) => new(folder, path, sharing);

    internal IReadOnlyList<FolderProcess> GetProcesses()
    {
        lock (_gate)
            return [ThisProcess, .. _sessions.Select(static session => session.Describe()).OfType<FolderProcess>()];
    }

    /// <summary>Adds the process of a session, after earlier sessions of the same process have ended.</summary>
    internal async Task EnterAsync(FolderSession session, Guid process)
    {
        FolderSession? earlier;
        lock (_gate)
            earlier = _sessions.Find(other => other != session && other.Process == process);
        if (earlier is not null)
            await earlier.EndAsync().ConfigureAwait(false);
    }

    /// <summary>Notes that a process has named all that it had received.</summary>
    internal void NoteReturn(Guid process)
    {
        lock (_gate)
        {
            _missing.Remove(process);
            if (_missing.Count > 0)
                return;
        }

        _returned.TrySetResult();
    }

    internal void Remove(FolderSession session)
    {
        lock (_gate)
            _sessions.Remove(session);
        if (session.Process == default || _isDisposed)
            return;
        lock (_gate)
            _ended.Add(session.Process);
    }

    /// <summary>Ends the service: completes what was requested, except receives that wait, and ends the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
        }

        _timer?.Dispose();
        if (_listener is not null)
        {
            // While this process still has the lock, the name is its own.
            if (Folder.StoppedReason is null)
                _place!.DeleteSocket();
            _listener.Dispose();
        }

        _returned.TrySetResult();
        FolderSession[] sessions;
        lock (_gate)
            sessions = [.. _sessions];
        await Task.WhenAll(sessions.Select(static session => session.EndAsync())).ConfigureAwait(false);
        _place?.Dispose();
    }

    private async Task AcceptAsync(Socket listener)
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = await listener.AcceptAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                if (_isDisposed || listener != _listener)
                    return;
                // There are too many open files: other processes wait in the socket's backlog.
                await Task.Delay(ReturnInterval).ConfigureAwait(false);
                continue;
            }

            if (_sharing == FolderSharing.User && !PeerCredentials.AreOfThisUser(socket))
            {
                socket.Dispose();
                continue;
            }

            var session = new FolderSession(this, new FrameConnection(socket, FolderSession.MaxPendingByteCount));
            lock (_gate)
            {
                if (_isDisposed)
                {
                    socket.Dispose();
                    return;
                }

                _sessions.Add(session);
            }

            session.Start();
        }
    }

    private void Check()
    {
        try
        {
            if (!AllHaveReturned.IsCompleted)
                CheckMissing();
            ForgetEnded();
            if (!_isDisposed && !_place!.HasSocket && Folder.StoppedReason is null)
            {
                Socket listener = _place.Listen(_sharing);
                Socket? old = _listener;
                _listener = listener;
                old?.Dispose();
                _ = AcceptAsync(listener);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or SocketException)
        {
            // Tried again at the next check.
        }

        if (_isDisposed)
            return;
        try
        {
            _timer?.Change(AllHaveReturned.IsCompleted ? CheckInterval : ReturnInterval, Timeout.InfiniteTimeSpan);
        }
        catch (ObjectDisposedException)
        {
            // The folder was closed meanwhile.
        }
    }

    /// <summary>Forgets the processes whose connections have ended and that run no more.</summary>
    private void ForgetEnded()
    {
        Guid[] ended;
        lock (_gate)
        {
            _ended.ExceptWith(_sessions.Select(static session => session.Process));
            ended = [.. _ended];
        }

        foreach (Guid process in ended)
        {
            if (_place!.IsRunning(process))
                continue;
            Folder.Applied.Remove(process);
            lock (_gate)
                _ended.Remove(process);
        }
    }

    private void CheckMissing()
    {
        Guid[] missing;
        lock (_gate)
            missing = [.. _missing];
        bool isLate = Environment.TickCount64 - _started > MaxReturnMilliseconds;
        foreach (Guid process in missing)
        {
            if (isLate || !_place!.IsRunning(process))
                NoteReturn(process);
        }
    }
}
