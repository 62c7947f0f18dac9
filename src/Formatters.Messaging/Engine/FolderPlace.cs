using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>Queues in a folder, which the programs of a machine share.</summary>
/// <remarks>
/// One process at a time has the folder open. One that waits for it touches the file <c>wanted</c>; the one that has it then ends its waiting
/// operations, completes the others, and closes the folder. Transactions keep it.
/// </remarks>
internal sealed class FolderPlace : QueuePlace
{
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan WatchInterval = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan WantedAge = TimeSpan.FromSeconds(2);

    private readonly SemaphoreSlim _gate = new(1);
    private readonly string _folder;
    private readonly string _wanted;
    private readonly TimeSpan _timeout;
    private Opening? _opening;
    private Task _closing = Task.CompletedTask;

    internal FolderPlace(string baseAddress, string folder, TimeSpan timeout)
        : base(baseAddress, new FilePropertyStore(Path.Combine(folder, "properties")))
    {
        _folder = folder;
        _wanted = Path.Combine(folder, "properties", "wanted");
        _timeout = timeout;
    }

    internal override async ValueTask<PlaceLease> EnterAsync(CancellationToken cancellationToken, bool isPinned = false)
    {
        long started = Environment.TickCount64;
        while (true)
        {
            await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
            Task closing = _closing;
            try
            {
                if (_opening is { } opening)
                {
                    if (opening.TryEnter(isPinned))
                        return Lease(opening, isPinned);
                }
                else if (closing.IsCompleted)
                {
                    if (await TryOpenAsync(started, cancellationToken).ConfigureAwait(false) is { } opened)
                    {
                        _opening = opened;
                        opened.TryEnter(isPinned);
                        return Lease(opened, isPinned);
                    }

                    closing = Task.CompletedTask;
                }
            }
            finally
            {
                _gate.Release();
            }

            if (closing.IsCompleted)
                await Task.Delay(PollInterval, cancellationToken).ConfigureAwait(false);
            else
                await closing.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public override async ValueTask DisposeAsync()
    {
        Opening? opening = _opening;
        if (opening is not null)
        {
            opening.RequestYield();
            await opening.Closed.ConfigureAwait(false);
        }

        await _closing.ConfigureAwait(false);
    }

    private PlaceLease Lease(Opening opening, bool isPinned) => new(this, opening.Queues, () => opening.Leave(isPinned), opening.Yield);

    private async ValueTask<Opening?> TryOpenAsync(long started, CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_wanted)!);
        var provider = new FileQueueProvider();
        try
        {
            // Opening any queue opens the folder.
            var queues = new OpenQueues(new QueueConnector(provider));
            await queues.OpenAsync(new QueueTarget(this, QueuePath.DeadLetterName, QueuePath.DeadLetters) { IsImplicit = true }, QueueOptions.Default,
                cancellationToken).ConfigureAwait(false);
            DeleteWanted();
            var opening = new Opening(provider, queues);
            _closing = WatchAsync(opening);
            return opening;
        }
        catch (QueueException e)
        {
            await provider.DisposeAsync().ConfigureAwait(false);
            if (e.Code != QueueErrorCode.InUse
                || Environment.TickCount64 - started > _timeout.TotalMilliseconds)
                throw;
            Touch();
            return null;
        }
        catch
        {
            await provider.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes the folder when another program wants it, or this one is done.</summary>
    private async Task WatchAsync(Opening opening)
    {
        while (!opening.IsYielding)
        {
            await Task.WhenAny(Task.Delay(WatchInterval), opening.YieldRequested).ConfigureAwait(false);
            if (IsWanted())
                opening.RequestYield();
        }

        await opening.Left.ConfigureAwait(false);
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            await opening.DisposeAsync().ConfigureAwait(false);
            _opening = null;
        }
        finally
        {
            _gate.Release();
        }

        // The other program polls more often than this.
        if (IsWanted())
            await Task.Delay(4 * PollInterval).ConfigureAwait(false);
    }

    private bool IsWanted()
    {
        var file = new FileInfo(_wanted);
        return file.Exists && DateTime.UtcNow - file.LastWriteTimeUtc < WantedAge;
    }

    private void Touch()
    {
        try
        {
            File.WriteAllText(_wanted, Environment.ProcessId.ToString(Globalization.CultureInfo.InvariantCulture));
        }
        catch (IOException)
        {
            // Another program writes it.
        }
    }

    private void DeleteWanted()
    {
        try
        {
            File.Delete(_wanted);
        }
        catch (IOException)
        {
            // Another program writes it.
        }
    }

    /// <summary>The folder while this process has it open.</summary>
    private sealed class Opening(FileQueueProvider provider, OpenQueues queues) : IAsyncDisposable
    {
        private readonly CancellationTokenSource _yield = new();
        private readonly TaskCompletionSource _yieldRequested = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly object _gate = new();
        private int _users;
        private int _pins;
        private bool _isYielding;

        internal OpenQueues Queues => queues;

        internal CancellationToken Yield => _yield.Token;

        internal bool IsYielding
        {
            get
            {
                lock (_gate)
                    return _isYielding;
            }
        }

        internal Task YieldRequested => _yieldRequested.Task;

        /// <summary>Gets a task that completes when all operations have ended after a request to yield.</summary>
        internal Task Left => _left.Task;

        internal Task Closed => _closed.Task;

        internal bool TryEnter(bool isPinned)
        {
            lock (_gate)
            {
                if (_isYielding && (isPinned || _pins == 0))
                    return false;
                _users++;
                if (isPinned)
                    _pins++;
                return true;
            }
        }

        internal void Leave(bool wasPinned)
        {
            lock (_gate)
            {
                if (wasPinned)
                    _pins--;
                if (--_users == 0 && _isYielding)
                    _left.TrySetResult();
            }
        }

        internal void RequestYield()
        {
            lock (_gate)
            {
                if (_isYielding)
                    return;
                _isYielding = true;
                if (_users == 0)
                    _left.TrySetResult();
            }

            _yieldRequested.TrySetResult();
            _yield.Cancel();
        }

        public async ValueTask DisposeAsync()
        {
            try
            {
                await queues.DisposeAsync().ConfigureAwait(false);
                await provider.DisposeAsync().ConfigureAwait(false);
            }
            finally
            {
                _closed.TrySetResult();
            }
        }
    }
}
