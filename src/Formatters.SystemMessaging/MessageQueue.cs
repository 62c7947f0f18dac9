using System.Collections;
using System.ComponentModel;
using System.Threading;
using System.Threading.Tasks;

namespace System.Messaging;

/// <summary>A queue, as in .NET Framework, over a queue of <c>Formatters.Queues</c>: in a folder, in memory, in a database or on a broker.</summary>
/// <remarks>
/// <para>Which queue a path refers to is set in <see cref="Formatters.SystemMessaging.MessagingConfiguration"/>. Without settings,
/// <c>.\private$\orders</c> is the queue <c>orders</c> in a folder of the user, which the user's programs share.</para>
/// <para>The methods of a queue may be called by several threads at once; the setters of its properties may not.</para>
/// </remarks>
[DefaultEvent(nameof(ReceiveCompleted))]
[DesignerCategory("")]
public partial class MessageQueue : Component, IEnumerable
{
    /// <summary>The time of an operation that waits for a message without limit: 4,294,967,295 milliseconds, the longest timeout.</summary>
    public static readonly TimeSpan InfiniteTimeout = TimeSpan.FromMilliseconds(uint.MaxValue);

    /// <summary>The quota of a queue without one, in KB.</summary>
    public static readonly long InfiniteQueueSize = uint.MaxValue;

    private string _text = "";
    private QueuePath? _path;
    private CancellationTokenSource _closing = new();
    private IMessageFormatter? _formatter;
    private DefaultPropertiesToSend? _defaults;
    private MessagePropertyFilter? _filter;
    private ResolvedPath? _resolved;

    /// <summary>Creates a queue without a path.</summary>
    public MessageQueue()
    {
    }

    /// <summary>Creates a queue.</summary>
    /// <param name="path">The path: <c>.\private$\orders</c>, <c>machine\orders</c>, <c>FormatName:DIRECT=OS:machine\private$\orders</c>,
    /// <c>Label:orders</c>; or an address of <c>Formatters.Queues</c>, such as <c>amqp://host/orders</c>. It is checked when it is first
    /// used.</param>
    public MessageQueue(string path)
        : this(path, QueueAccessMode.SendAndReceive)
    {
    }

    /// <summary>Creates a queue for some operations.</summary>
    /// <param name="path">The path, which is checked when it is first used.</param>
    /// <param name="accessMode">The operations.</param>
    /// <exception cref="InvalidEnumArgumentException"><paramref name="accessMode"/> is not defined.</exception>
    public MessageQueue(string path, QueueAccessMode accessMode)
        : this(path, sharedModeDenyReceive: false, enableCache: false, accessMode)
    {
    }

    /// <summary>Creates a queue.</summary>
    /// <param name="path">The path, which is checked when it is first used.</param>
    /// <param name="sharedModeDenyReceive">Whether other objects of this process may not receive: <see cref="DenySharedReceive"/>.</param>
    public MessageQueue(string path, bool sharedModeDenyReceive)
        : this(path, sharedModeDenyReceive, enableCache: false)
    {
    }

    /// <summary>Creates a queue.</summary>
    /// <param name="path">The path, which is checked when it is first used.</param>
    /// <param name="sharedModeDenyReceive">Whether other objects of this process may not receive: <see cref="DenySharedReceive"/>.</param>
    /// <param name="enableCache">Whether .NET Framework caches the path. It has no effect here.</param>
    public MessageQueue(string path, bool sharedModeDenyReceive, bool enableCache)
        : this(path, sharedModeDenyReceive, enableCache, QueueAccessMode.SendAndReceive)
    {
    }

    /// <summary>Creates a queue for some operations.</summary>
    /// <param name="path">The path, which is checked when it is first used.</param>
    /// <param name="sharedModeDenyReceive">Whether other objects of this process may not receive: <see cref="DenySharedReceive"/>.</param>
    /// <param name="enableCache">Whether .NET Framework caches the path. It has no effect here.</param>
    /// <param name="accessMode">The operations.</param>
    /// <exception cref="InvalidEnumArgumentException"><paramref name="accessMode"/> is not defined.</exception>
    public MessageQueue(string path, bool sharedModeDenyReceive, bool enableCache, QueueAccessMode accessMode)
    {
        _ = enableCache;
        _text = path ?? "";
        AccessMode = Checks.Defined(accessMode, nameof(accessMode));
        DenySharedReceive = sharedModeDenyReceive;
    }

    internal MessageQueue(QueuePath path)
    {
        (_text, _path) = (path.Text, path);
        AccessMode = QueueAccessMode.SendAndReceive;
    }

    /// <summary>Occurs when an operation of <see cref="BeginReceive()"/> without a callback has ended.</summary>
    public event ReceiveCompletedEventHandler? ReceiveCompleted;

    /// <summary>Occurs when an operation of <see cref="BeginPeek()"/> without a callback has ended.</summary>
    public event PeekCompletedEventHandler? PeekCompleted;

    /// <summary>Gets or sets whether .NET Framework caches handles. It has no effect here: queues stay open.</summary>
    [Browsable(false)]
    public static bool EnableConnectionCache { get; set; }

    /// <summary>Gets the operations for which the queue was opened.</summary>
    public QueueAccessMode AccessMode { get; private set; } = QueueAccessMode.SendAndReceive;

    /// <summary>Gets whether the queue can be peeked at and received from.</summary>
    [Browsable(false)]
    public bool CanRead => AccessMode != QueueAccessMode.Send;

    /// <summary>Gets whether the queue can be sent to.</summary>
    [Browsable(false)]
    public bool CanWrite => (AccessMode & QueueAccessMode.Send) != 0;

    /// <summary>Gets or sets the properties of messages that are sent for objects other than a <see cref="Message"/>.</summary>
    [Browsable(false)]
    public DefaultPropertiesToSend DefaultPropertiesToSend
    {
        get => _defaults ??= new DefaultPropertiesToSend();
        set => _defaults = value;
    }

    /// <summary>Gets or sets whether other objects of this process may not receive from the queue while this one is open.</summary>
    [Browsable(false)]
    [DefaultValue(false)]
    public bool DenySharedReceive { get; set; }

    /// <summary>Gets the format name, <c>DIRECT=OS:machine\private$\orders</c>.</summary>
    /// <value>An empty string if there is no path.</value>
    /// <inheritdoc cref="QueuePath" path="/exception[not(contains(@cref, 'Operation'))]"/>
    public string FormatName => _text.Length == 0 ? "" : QueuePath.FormatName;

    /// <summary>Gets or sets the formatter of messages that have none.</summary>
    /// <value>Default an <see cref="XmlMessageFormatter"/> without target types.</value>
    [Browsable(false)]
    public IMessageFormatter? Formatter
    {
        get => _formatter ??= DesignMode ? null : new XmlMessageFormatter();
        set => _formatter = value;
    }

    /// <summary>Gets or sets the machine of the queue: the part of the path before the first backslash, a period for this machine.</summary>
    /// <value>An empty string if there is no path. Without a path, setting it gives the path of the machine's journal.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentException">The value is not the name of a machine.</exception>
    /// <exception cref="InvalidOperationException">The path is a label that no public queue has, or several have.</exception>
    /// <exception cref="MessageQueueException">The path is the id of a queue that does not exist.</exception>
    [Browsable(false)]
    public string MachineName
    {
        get => Names.Machine;
        set => Path = $@"{QueuePath.CheckMachine(value, nameof(MachineName))}\{(_text.Length == 0 ? "Journal$" : QueueName)}";
    }

    /// <summary>Gets or sets the properties that are received with messages.</summary>
    [Browsable(false)]
    public MessagePropertyFilter MessageReadPropertyFilter
    {
        get => _filter ??= new MessagePropertyFilter();
        set => _filter = value ?? throw new ArgumentNullException(nameof(MessageReadPropertyFilter));
    }

    /// <summary>Gets or sets the path. Null stands for an empty string.</summary>
    /// <exception cref="ArgumentException">The value is malformed.</exception>
    [Browsable(false)]
    [DefaultValue("")]
    public string Path
    {
        get => _text;
        set
        {
            Messaging.QueuePath.CheckForm(value ?? "", nameof(Path));
            Close();
            (_text, _path) = (value ?? "", null);
        }
    }

    /// <summary>Gets or sets the name of the queue, with <c>private$\</c>: the part of the path after the first backslash.</summary>
    /// <value>An empty string if there is no path.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentException">The value is malformed.</exception>
    /// <inheritdoc cref="MachineName" path="/exception[not(contains(@cref, 'Argument'))]"/>
    [Browsable(false)]
    public string QueueName
    {
        get => Names.Name;
        set
        {
            ArgumentNullException.ThrowIfNull(value, nameof(QueueName));
            Path = $@"{(_text.Length == 0 ? "." : MachineName)}\{value}";
        }
    }

    /// <summary>Gets a handle of MSMQ.</summary>
    /// <exception cref="PlatformNotSupportedException">Always.</exception>
    [Browsable(false)]
    public IntPtr ReadHandle => throw NotHere.Handle(nameof(ReadHandle));

    /// <summary>Gets or sets the object on whose thread events are raised.</summary>
    [Browsable(false)]
    [DefaultValue(null)]
    public ISynchronizeInvoke? SynchronizingObject { get; set; }

    /// <summary>Gets a handle of MSMQ.</summary>
    /// <exception cref="PlatformNotSupportedException">Always.</exception>
    [Browsable(false)]
    public IntPtr WriteHandle => throw NotHere.Handle(nameof(WriteHandle));

    private (string Machine, string Name) Names => _text.Length == 0 ? ("", "") : QueueSystem.Current.NamedPath(QueuePath).Names;

    /// <summary>Gets the parsed path.</summary>
    /// <exception cref="InvalidOperationException">There is no path.</exception>
    /// <exception cref="ArgumentException">The path is malformed.</exception>
    /// <exception cref="MessageQueueException">The path has the name of a machine or queue, or a format name, that is not valid.</exception>
    internal QueuePath QueuePath => _path ??= _text.Length > 0
        ? Messaging.QueuePath.ParsePath(_text)
        : throw new InvalidOperationException($"The queue has no {nameof(Path)}.");

    /// <summary>Has no effect: there is no cache of handles.</summary>
    public static void ClearConnectionCache()
    {
    }

    /// <summary>Ends the waiting operations of this object, with <see cref="MessageQueueErrorCode.OperationCanceled"/>. The next operation opens the
    /// queue again.</summary>
    public void Close()
    {
        CancellationTokenSource closing = Interlocked.Exchange(ref _closing, new CancellationTokenSource());
        closing.Cancel();
        SharedReceivers.Release(this);
    }

    /// <summary>Has no effect: properties are read when they are requested.</summary>
    public void Refresh()
    {
    }

    /// <summary>Returns the path.</summary>
    /// <returns>The path.</returns>
    public override string ToString() => Path;

    /// <summary>Closes the queue.</summary>
    /// <param name="disposing">Whether it is called by <see cref="Component.Dispose()"/>.</param>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            Close();
        base.Dispose(disposing);
    }

    /// <summary>Finds the queue of the path.</summary>
    private QueueTarget Resolve(QueueSystem system)
    {
        QueuePath path = QueuePath;
        if (_resolved is { } last && ReferenceEquals(last.System, system) && ReferenceEquals(last.Path, path))
            return last.Target;
        QueueTarget target = system.Resolve(path);
        // Ids and labels may be given to other queues.
        if (path.Kind is QueuePathKind.Name or QueuePathKind.Address)
            _resolved = new ResolvedPath(system, path, target);
        return target;
    }

    /// <summary>Runs an operation that ends when this object is closed.</summary>
    private T Run<T>(Func<CancellationToken, Task<T>> operation) => RunAsync(operation, CancellationToken.None).GetAwaiter().GetResult();

    private async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> operation, CancellationToken cancellationToken)
    {
        CancellationToken closing = Volatile.Read(ref _closing).Token;
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(closing, QueueSystem.Current.Closing, cancellationToken);
        try
        {
            return await Errors.RunAsync(() => operation(ending.Token)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw Errors.Closed();
        }
    }

    /// <summary>The queue to which a path was resolved.</summary>
    private sealed record ResolvedPath(QueueSystem System, QueuePath Path, QueueTarget Target);
}
