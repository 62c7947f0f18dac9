using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>A location of queues: the process, a folder, a database or a broker.</summary>
internal sealed class QueuePlace : IAsyncDisposable
{
    private const int MaxAddressCount = 1000;

    private readonly ConcurrentDictionary<string, QueueAddress> _addresses = new(StringComparer.Ordinal);
    private readonly OpenQueues _queues;
    private readonly FileQueueProvider? _folders;
    private readonly string _prefix;
    private readonly bool _isServiceBus;
    private TaskCompletionSource _changed = NewSignal();

    /// <param name="baseAddress">The address of the location.</param>
    /// <param name="store">The properties of its queues.</param>
    /// <param name="connector">Opens its queues.</param>
    /// <param name="folders">The provider of a folder, which is closed with the location; null for another location.</param>
    internal QueuePlace(string baseAddress, PropertyStore store, QueueConnector connector, FileQueueProvider? folders = null)
    {
        BaseAddress = baseAddress;
        Store = store;
        _folders = folders;
        _queues = new OpenQueues(connector);
        string scheme = baseAddress[..baseAddress.IndexOf(':', StringComparison.Ordinal)];
        _isServiceBus = scheme is "sb" or "sb-emulator";
        IsBroker = _isServiceBus || scheme is "amqp" or "amqps";
        _prefix = scheme == "memory" ? Uri.UnescapeDataString(baseAddress[7..]) : "";
    }

    /// <summary>Gets the address to which the escaped name of a queue is appended.</summary>
    internal string BaseAddress { get; }

    /// <summary>Gets the address for messages, without a password.</summary>
    internal string Display => QueueAddress.Parse(BaseAddress + "x").ToString()[..^1];

    internal PropertyStore Store { get; }

    /// <summary>Gets whether the queues are on a broker (RabbitMQ, Azure Service Bus).</summary>
    internal bool IsBroker { get; }

    internal QueueAddress AddressOf(string name)
    {
        if (_addresses.TryGetValue(name, out QueueAddress? address))
            return address;
        // Programs may have a queue for each answer.
        if (_addresses.Count >= MaxAddressCount)
            _addresses.Clear();
        return _addresses[name] = QueueAddress.Parse(AddressTextOf(name));
    }

    /// <summary>Returns the address of a queue as text, with the password.</summary>
    internal string AddressTextOf(string name) => BaseAddress + Uri.EscapeDataString(NameInService(name));

    /// <summary>Returns the name by which options and properties of messages refer to a queue of this location.</summary>
    internal string NameInOptions(string name) => _prefix + NameInService(name);

    /// <summary>Returns the name of a queue by its name in <see cref="NameInOptions"/>.</summary>
    internal string NameOf(string nameInOptions) =>
        _isServiceBus ? nameInOptions.Replace("_24", "$", StringComparison.Ordinal) : nameInOptions[_prefix.Length..];

    // The names of Azure Service Bus have no '$', which journals, dead-letter queues and public queues have here.
    private string NameInService(string name) => _isServiceBus ? name.Replace("$", "_24", StringComparison.Ordinal) : name;

    internal QueueConnector Connector => _queues.Connector;

    /// <summary>Opens a folder, or creates it, so that its queues can be listed.</summary>
    /// <exception cref="QueueException">It cannot be opened.</exception>
    internal async ValueTask OpenFolderAsync(CancellationToken cancellationToken)
    {
        if (_folders is not null)
            await _folders.GetProcessesAsync(BaseAddress, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Opens a handle that operations share.</summary>
    /// <exception cref="MessageQueueException">The queue must exist, and does not.</exception>
    /// <exception cref="QueueException">The location cannot be opened.</exception>
    internal ValueTask<QueueClient> OpenAsync(QueueTarget target, QueueOptions options, CancellationToken cancellationToken) =>
        _queues.OpenAsync(target, options, cancellationToken);

    /// <summary>Opens a handle that the caller disposes.</summary>
    /// <inheritdoc cref="OpenAsync" path="/exception"/>
    internal Task<QueueClient> OpenOwnAsync(QueueTarget target, QueueOptions options, CancellationToken cancellationToken) =>
        _queues.OpenOwnAsync(target, options, cancellationToken);

    /// <summary>Opens a handle for receiving. On a broker, which delivers messages to a handle ahead of time, no other operation uses it.</summary>
    /// <param name="target">The queue.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="waits">Whether the receive waits for a message. RabbitMQ delivers none ahead of time to one that does not, nor to a
    /// transaction.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <inheritdoc cref="OpenAsync" path="/exception"/>
    internal async ValueTask<ReceivingHandle> OpenReceiverAsync(QueueTarget target, QueueOptions options, bool waits,
        CancellationToken cancellationToken) =>
        IsBroker
            ? await _queues.RentAsync(target, options, waits || _isServiceBus, cancellationToken).ConfigureAwait(false)
            : new ReceivingHandle(await OpenAsync(target, options, cancellationToken).ConfigureAwait(false), null);

    /// <summary>Determines whether the location has a queue, created by any program; null if it does not tell.</summary>
    internal Task<bool?> ExistsAsync(string name, CancellationToken cancellationToken) => _queues.ExistsAsync(this, name, cancellationToken);

    /// <summary>Closes the handles of a queue, after an error or before it is deleted.</summary>
    internal ValueTask CloseAsync(string name) => _queues.CloseAsync(AddressOf(name));

    /// <summary>Wakes those that wait for a message.</summary>
    internal void Signal() => Interlocked.Exchange(ref _changed, NewSignal()).TrySetResult();

    /// <summary>Waits until something was sent by this process, or a short time has passed.</summary>
    internal async ValueTask WaitForChangeAsync(Task changed, TimeSpan atMost, CancellationToken cancellationToken)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var delay = Task.Delay(atMost, ending.Token);
        await Task.WhenAny(changed, delay).ConfigureAwait(false);
        await ending.CancelAsync().ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>Gets a task that completes at the next <see cref="Signal"/>.</summary>
    internal Task Changed => Volatile.Read(ref _changed).Task;

    public async ValueTask DisposeAsync()
    {
        await _queues.DisposeAsync().ConfigureAwait(false);
        if (_folders is not null)
            await _folders.DisposeAsync().ConfigureAwait(false);
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>A handle of a queue for an operation that receives. Disposing it keeps it open for the next operation, for a time.</summary>
internal readonly struct ReceivingHandle(QueueClient queue, Action<QueueClient>? release) : IDisposable
{
    internal QueueClient Queue => queue;

    public void Dispose() => release?.Invoke(queue);
}

/// <summary>The open handles of the queues of a location.</summary>
internal sealed class OpenQueues(QueueConnector connector) : IAsyncDisposable
{
    // How long an idle receiving handle stays open: while it may have messages that other programs cannot receive, and otherwise.
    private const int HoldingMilliseconds = 50;
    private const int IdleMilliseconds = 30_000;

    // More idle handles, each of which has connections, are closed soon.
    private const int MaxIdleCount = 50;

    // After so many waiting receives, each so soon after the one before it, a handle prefetches so many messages. A longer pause halves their number,
    // so that in a long burst one pause does not end the prefetching: opening another handle takes as long as many receives. The clock must be
    // precise, too.
    private const int BurstCount = 5;
    private const int MaxBurstCount = 20;
    private static readonly TimeSpan BurstGap = TimeSpan.FromMilliseconds(2);
    private const int BurstPrefetchCount = 50;

    private readonly SemaphoreSlim _gate = new(1);
    private readonly List<IdleHandle> _idle = [];
    private readonly Dictionary<string, (long Since, int Count)> _bursts = new(StringComparer.Ordinal);
    private Timer? _closer;
    private long _closesAt = long.MaxValue;
    private bool _isClosed;
    private readonly Dictionary<(string Address, QueueOptions Options), QueueClient> _queues = [];

    internal QueueConnector Connector => connector;

    internal async ValueTask<QueueClient> OpenAsync(QueueTarget target, QueueOptions options, CancellationToken cancellationToken)
    {
        (string, QueueOptions) key = (target.Address.Uri.AbsoluteUri, options);
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!_queues.TryGetValue(key, out QueueClient? queue))
            {
                queue = await OpenOwnAsync(target, options, cancellationToken).ConfigureAwait(false);
                _queues.Add(key, queue);
            }

            return queue;
        }
        finally
        {
            _gate.Release();
        }
    }

    internal async Task<QueueClient> OpenOwnAsync(QueueTarget target, QueueOptions options, CancellationToken cancellationToken)
    {
        // Opening would create it.
        if (target.MustExist && await ExistsAsync(target.Place, target.PropertiesName, cancellationToken).ConfigureAwait(false) == false)
            throw Errors.NotFound(target);
        return await connector.OpenAsync(AddressText(target.Address), options, cancellationToken).ConfigureAwait(false);
    }

    internal async Task<bool?> ExistsAsync(QueuePlace place, string name, CancellationToken cancellationToken)
    {
        try
        {
            await place.OpenFolderAsync(cancellationToken).ConfigureAwait(false);
            return (await connector.ListAsync(place.AddressTextOf(name), cancellationToken).ConfigureAwait(false)).Count > 0;
        }
        catch (Exception e) when (e is NotSupportedException or QueueException { IsUnreachable: false })
        {
            // The location does not list queues, or not for this user.
            return null;
        }
    }

    /// <summary>Takes an idle handle, or opens one, for the use of one operation.</summary>
    /// <param name="target">The queue.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="waits">Whether the broker may deliver messages to the handle ahead of time.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal async ValueTask<ReceivingHandle> RentAsync(QueueTarget target, QueueOptions options, bool waits, CancellationToken cancellationToken)
    {
        string text = target.Address.Uri.AbsoluteUri;
        QueueClient? queue = null;
        bool mayHold = waits, hasHeld = false;
        IdleHandle[] holding;
        lock (_idle)
        {
            // A program that receives without pause takes what it is handed; another would keep messages from other programs.
            if (!waits)
                _bursts.Remove(text);
            else if (options.DeliveryMode != DeliveryMode.Transactional && CountBurst(text) >= BurstCount)
                options = options with { PrefetchCount = BurstPrefetchCount };
            int index = _idle.FindLastIndex(idle => idle.Address == text && idle.Options == options);
            if (index >= 0)
            {
                queue = _idle[index].Queue;
                // One that has waited takes more messages after each that it hands over.
                hasHeld = _idle[index].MayHold;
                mayHold |= hasHeld;
                _idle.RemoveAt(index);
            }

            holding = TakeIdle(idle => idle.Address == text && idle.MayHold && !(waits && hasHeld && idle.Options == options));
        }

        // What another handle was handed goes back to its place in the queue first.
        foreach (IdleHandle idle in holding)
            await CloseAsync(idle.Queue).ConfigureAwait(false);
        queue ??= await OpenOwnAsync(target, options, cancellationToken).ConfigureAwait(false);
        return new ReceivingHandle(queue, Return);

        void Return(QueueClient returned)
        {
            lock (_idle)
            {
                if (_isClosed)
                {
                    _ = CloseAsync(returned).AsTask();
                    return;
                }

                bool isBrief = mayHold || _idle.Count >= MaxIdleCount;
                long closesAt = Environment.TickCount64 + (isBrief ? HoldingMilliseconds : IdleMilliseconds);
                _idle.Add(new IdleHandle(text, options, returned, mayHold, closesAt));
                if (_bursts.TryGetValue(text, out (long, int Count) burst))
                    _bursts[text] = (Stopwatch.GetTimestamp(), burst.Count);
                CloseIdleAt(closesAt);
            }
        }
    }

    /// <summary>Counts a receive that waits, and returns how many have followed each other closely.</summary>
    private int CountBurst(string address)
    {
        (long since, int count) = _bursts.GetValueOrDefault(address);
        count = Stopwatch.GetElapsedTime(since) <= BurstGap ? Math.Min(count + 1, MaxBurstCount) : count / 2;
        _bursts[address] = (since, count);
        return count;
    }

    /// <summary>Sets the timer that closes idle handles, if it is not due before that time. Called with the lock held.</summary>
    private void CloseIdleAt(long time)
    {
        if (time >= _closesAt)
            return;
        _closesAt = time;
        _closer ??= new Timer(static queues => _ = ((OpenQueues)queues!).CloseIdleAsync(), this, Timeout.Infinite, Timeout.Infinite);
        _closer.Change(Math.Max(0, time - Environment.TickCount64), Timeout.Infinite);
    }

    private async Task CloseIdleAsync()
    {
        IdleHandle[] closing;
        lock (_idle)
        {
            _closesAt = long.MaxValue;
            closing = TakeIdle(static idle => idle.ClosesAt <= Environment.TickCount64);
            foreach (IdleHandle idle in closing.Where(static idle => idle.MayHold))
                _bursts.Remove(idle.Address);
            if (_idle.Count > 0)
                CloseIdleAt(_idle.Min(static idle => idle.ClosesAt));
        }

        foreach (IdleHandle idle in closing)
            await CloseAsync(idle.Queue).ConfigureAwait(false);
    }

    private IdleHandle[] TakeIdle(Predicate<IdleHandle> match)
    {
        lock (_idle)
        {
            IdleHandle[] taken = [.. _idle.FindAll(match)];
            _idle.RemoveAll(match);
            return taken;
        }
    }

    internal async ValueTask CloseAsync(QueueAddress address)
    {
        QueueClient[] closing;
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            (string Address, QueueOptions Options)[] keys = [.. _queues.Keys.Where(key => key.Address == address.Uri.AbsoluteUri)];
            closing = [.. keys.Select(key => _queues[key])];
            foreach ((string, QueueOptions) key in keys)
                _queues.Remove(key);
        }
        finally
        {
            _gate.Release();
        }

        foreach (QueueClient queue in closing.Concat(TakeIdle(idle => idle.Address == address.Uri.AbsoluteUri).Select(static idle => idle.Queue)))
            await CloseAsync(queue).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        lock (_idle)
            _isClosed = true;
        _closer?.Dispose();
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            foreach (QueueClient queue in _queues.Values.Concat(TakeIdle(static _ => true).Select(static idle => idle.Queue)))
                await CloseAsync(queue).ConfigureAwait(false);
            _queues.Clear();
        }
        finally
        {
            _gate.Release();
        }
    }

    // The address with its password and its further hosts.
    private static string AddressText(QueueAddress address)
    {
        string text = address.Uri.AbsoluteUri;
        if (address.OtherHosts.Count == 0)
            return text;
        int start = text.IndexOf("://", StringComparison.Ordinal) + 3;
        int end = text.IndexOf('/', start);
        return text.Insert(end < 0 ? text.Length : end, "," + string.Join(',', address.OtherHosts));
    }

    private sealed record IdleHandle(string Address, QueueOptions Options, QueueClient Queue, bool MayHold, long ClosesAt);

    /// <summary>Closes a handle.</summary>
    internal static async ValueTask CloseAsync(QueueClient queue)
    {
        try
        {
            await queue.DisposeAsync().ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The connection is lost: nothing is left to close.
        }
    }
}
