using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.SystemMessaging;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>A queue that a path refers to: its location and its name there.</summary>
internal sealed record QueueTarget(QueuePlace Place, string Name, QueuePath Path)
{
    /// <summary>Gets whether the queue needs no creation: a queue of the system, a journal, a subqueue, or one in the settings.</summary>
    internal bool IsImplicit { get; init; }

    /// <summary>Gets the name of the queue to which the properties belong: of a journal or subqueue, the queue itself.</summary>
    internal string PropertiesName { get; init; } = Name;

    internal QueueAddress Address => Place.AddressOf(Name);

    /// <summary>Gets whether the queue must have been created: using it does not create it.</summary>
    internal bool MustExist => !Path.IsSystem && !(IsImplicit && PropertiesName == Name);

    /// <summary>Gets whether the messages are copies: the queue is a journal or a dead-letter queue.</summary>
    internal bool HasCopies => Name.EndsWith(QueuePath.JournalName, StringComparison.Ordinal)
        || Name is QueuePath.DeadLetterName or QueuePath.TransactionalDeadLetterName;

    /// <summary>Returns a queue of the same location that needs no creation.</summary>
    internal QueueTarget Beside(string name) => new(Place, name, Path) { IsImplicit = true };
}

/// <summary>The locations of a configuration, and the queues that paths refer to.</summary>
internal sealed class QueueSystem
{
    internal const string OutgoingPrefix = "outgoing$.";

    /// <summary>The kinds of queues in other packages, by scheme: used if the program references the package.</summary>
    private static readonly (string[] Schemes, string Package, string Type)[] OptionalProviders =
    [
        (["postgres", "postgresql"], "Formatters.Queues.PostgreSql", "Formatters.Queues.PostgreSql.PostgreSqlQueueProvider"),
        (["amqp", "amqps"], "Formatters.Queues.RabbitMQ", "Formatters.Queues.RabbitMQ.RabbitMqQueueProvider"),
        (["sb", "sb-emulator"], "Formatters.Queues.ServiceBus", "Formatters.Queues.ServiceBus.ServiceBusQueueProvider"),
    ];

    private static readonly object Gate = new();
    private static QueueSystem? _current;

    private readonly Dictionary<string, string> _queues = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _machines = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<string, Lazy<QueuePlace>> _places = new(StringComparer.Ordinal);
    private readonly List<QueueProvider> _providers;
    private readonly CancellationTokenSource _closing = new();

    private QueueSystem(MessagingConfiguration configuration)
    {
        Configuration = configuration;
        foreach ((string path, string address) in configuration.Queues)
        {
            try
            {
                _queues[KeyOf(path)] = address;
                _ = QueueAddress.Parse(address);
            }
            catch (Exception e) when (e is ArgumentException or FormatException or MessageQueueException)
            {
                throw new InvalidDataException($"The setting {nameof(configuration.Queues)} has '{path}', which is not valid: {e.Message}", e);
            }
        }

        foreach ((string machine, string address) in configuration.Machines)
            _machines[machine] = WithSlash(address);
        _providers = [MemoryQueueProvider.Shared, .. configuration.Providers];
        LocalFolder = FolderAt(Path.Combine(Path.GetFullPath(configuration.Folder), "queues"));
        Local = configuration.LocalAddress is { Length: > 0 } local ? PlaceAt(WithSlash(local)) : LocalFolder;
        Outgoing = new OutgoingQueues(this);
    }

    /// <summary>Gets the locations of the current configuration.</summary>
    internal static QueueSystem Current
    {
        get
        {
            lock (Gate)
            {
                if (_current is null)
                {
                    _current = new QueueSystem(MessagingConfiguration.Current);
                    _current.Outgoing.Resume();
                }

                return _current;
            }
        }
    }

    internal MessagingConfiguration Configuration { get; }

    /// <summary>Gets the location of this machine's queues.</summary>
    internal QueuePlace Local { get; }

    /// <summary>Gets the folder of the outgoing queues.</summary>
    internal QueuePlace LocalFolder { get; }

    internal OutgoingQueues Outgoing { get; }

    /// <summary>Gets a token that is canceled when the configuration is replaced.</summary>
    internal CancellationToken Closing => _closing.Token;

    /// <summary>Closes the locations; the next operation opens those of the configuration that is current then.</summary>
    internal static void Replace()
    {
        QueueSystem? closing;
        lock (Gate)
        {
            closing = _current;
            _current = null;
        }

        if (closing is null)
            return;
        closing._closing.Cancel();
        // A transaction that is not over keeps its location open.
        Task.WhenAll(closing._places.Values.Where(static place => place.IsValueCreated).Select(static place => place.Value.DisposeAsync().AsTask()))
            .Wait(TimeSpan.FromSeconds(10));
    }

    /// <summary>Finds the queue of a path that names one queue.</summary>
    /// <exception cref="InvalidOperationException">No public queue has the label, or several have it.</exception>
    /// <exception cref="MessageQueueException">The settings do not map the path, or there is no queue with the id.</exception>
    internal QueueTarget Resolve(QueuePath path)
    {
        switch (path.Kind)
        {
            case QueuePathKind.List or QueuePathKind.Multicast:
                throw new MessageQueueException(
                    MessageQueueErrorCode.UnsupportedFormatNameOperation, $"'{path.Text}' names several queues: it can only be sent to.");
            case QueuePathKind.Address:
                return At(path.Text, path);
        }

        if (_queues.TryGetValue(path.Key, out string? mapped))
            return At(mapped, path);
        if (path.Part == QueuePart.Journal && _queues.TryGetValue((path with { Part = QueuePart.Messages }).Key, out mapped))
        {
            QueueTarget queue = At(mapped, path);
            return queue with { Name = queue.Name + ".journal$", IsImplicit = true };
        }

        switch (path.Kind)
        {
            case QueuePathKind.Id or QueuePathKind.Label:
                return FindByProperty(path)
                    ?? (path.Kind == QueuePathKind.Label
                        ? throw new InvalidOperationException($"No public queue of this machine has the label '{path.Name}'.")
                        : throw new MessageQueueException(
                            MessageQueueErrorCode.QueueNotFound, $"There is no queue '{path.Text}' on this machine."));
            case QueuePathKind.Opaque:
                throw new MessageQueueException(
                    MessageQueueErrorCode.QueueNotFound,
                    $"No queue is known as '{path.Text}'. Add it to the setting {nameof(MessagingConfiguration.Queues)}: "
                    + $"\"FormatName:{path.Name.Replace(@"\", @"\\", StringComparison.Ordinal)}\": \"address of the queue\".");
        }

        return new QueueTarget(PlaceOf(path.Machine), path.NameInPlace, path)
        {
            IsImplicit = path.IsSystem || path.Part == QueuePart.Journal || path.SubQueue is not null,
            PropertiesName = (path with { Part = QueuePart.Messages, SubQueue = null }).NameInPlace,
        };
    }

    /// <summary>Finds the queues of a path for sending.</summary>
    internal IReadOnlyList<QueueTarget> ResolveAll(QueuePath path) => path.Kind switch
    {
        QueuePathKind.List => [.. path.Elements.SelectMany(ResolveAll)],
        QueuePathKind.Multicast when !_queues.ContainsKey(path.Key) => [.. Local.Store.List()
            .Where(queue => queue.Properties.MulticastAddress == path.Name)
            .Select(queue => new QueueTarget(Local, queue.Name, PathOf(queue.Properties)))],
        QueuePathKind.Multicast => [At(_queues[path.Key], path)],
        _ => [Resolve(path)],
    };

    /// <summary>Returns the location of a machine's queues.</summary>
    internal QueuePlace PlaceOf(string machine)
    {
        if (QueuePath.IsLocal(machine))
            return Local;
        if (_machines.TryGetValue(machine, out string? address) || _machines.TryGetValue("*", out address))
            return PlaceAt(address.Replace("{machine}", machine, StringComparison.Ordinal));
        throw new MessageQueueException(
            MessageQueueErrorCode.MachineNotFound,
            $"Where the queues of the machine '{machine}' are is not known. Add it to the setting {nameof(MessagingConfiguration.Machines)}: "
            + $"\"{machine}\": \"amqp://host/\".");
    }

    internal static QueuePath PathOf(QueueProperties properties) => QueuePath.ParsePath(@".\" + properties.Path);

    /// <summary>Returns a format name of a queue's address, if the address is not of one of this machine's queues.</summary>
    internal string? FindAddress(QueuePath path)
    {
        try
        {
            return path.Kind is QueuePathKind.List or QueuePathKind.Multicast ? null : Resolve(path).Address.ToString();
        }
        catch (Exception e) when (e is MessageQueueException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>Returns the path of the queue that an id or label refers to; the path itself if it is another, or the settings map it.</summary>
    internal QueuePath NamedPath(QueuePath path) =>
        path.Kind is QueuePathKind.Id or QueuePathKind.Label && !_queues.ContainsKey(path.Key)
            ? PathOf(Local.Store.Find(Resolve(path).Name)!)
            : path;

    /// <summary>Determines whether a label refers to a queue.</summary>
    /// <exception cref="InvalidOperationException">Several public queues have the label.</exception>
    internal bool HasLabel(QueuePath label) => _queues.ContainsKey(label.Key) || FindByProperty(label) is not null;

    private QueueTarget? FindByProperty(QueuePath path)
    {
        QueueTarget? found = null;
        foreach ((string name, QueueProperties properties) in Local.Store.List())
        {
            QueuePath own = PathOf(properties);
            if (path.Kind == QueuePathKind.Id ? properties.Id.ToString() != path.Name : own.IsPrivate || properties.Label != path.Name)
                continue;
            if (found is not null)
                throw new InvalidOperationException($"Several public queues of this machine have the label '{path.Name}'.");
            found = path.Part == QueuePart.Journal ? Resolve(own with { Part = QueuePart.Journal }) : new QueueTarget(Local, name, path);
        }

        return found;
    }

    private QueueTarget At(string address, QueuePath path)
    {
        QueueAddress parsed = QueueAddress.Parse(address);
        int end = address.LastIndexOfAny(['/', ':']) + 1;
        string name = Uri.UnescapeDataString(address[end..]);
        if (name.Length == 0)
            throw new MessageQueueException(MessageQueueErrorCode.IllegalQueuePathName, $"'{parsed}' has no queue's name.");
        string place = parsed.Uri.IsFile ? parsed.Uri.AbsoluteUri[..(parsed.Uri.AbsoluteUri.LastIndexOf('/') + 1)] : address[..end];
        return new QueueTarget(PlaceAt(place), name, path) { IsImplicit = true };
    }

    private QueuePlace PlaceAt(string baseAddress)
    {
        if (baseAddress.StartsWith("file:", StringComparison.OrdinalIgnoreCase))
            return FolderAt(QueueAddress.Parse(baseAddress + "x").Uri.LocalPath[..^2]);
        return Place(baseAddress, () => new QueuePlace(baseAddress, StoreOf(baseAddress), ConnectorOf(baseAddress)));
    }

    private QueuePlace FolderAt(string folder)
    {
        string[] parts = Path.Combine(folder, "x").Split(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar);
        string baseAddress = QueueAddress.Parse("file:" + string.Join('/', parts.Select(Uri.EscapeDataString))).Uri.AbsoluteUri[..^1];
        return Place(baseAddress, () =>
        {
            // The operations of MessageQueue block their thread.
            var provider = new FileQueueProvider(new FileQueueOptions { WritesOnCallingThread = true });
            return new QueuePlace(baseAddress, new FilePropertyStore(Path.Combine(folder, "properties")), new QueueConnector(provider), provider);
        });
    }

    private QueuePlace Place(string baseAddress, Func<QueuePlace> create) => _places.GetOrAdd(baseAddress, _ => new Lazy<QueuePlace>(create)).Value;

    private PropertyStore StoreOf(string baseAddress)
    {
        if (baseAddress.StartsWith("memory:", StringComparison.OrdinalIgnoreCase))
            return new MemoryPropertyStore();
        // Without the password, which may change.
        string text = QueueAddress.Parse(baseAddress + "x").ToString();
        string name = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 8));
        return new FilePropertyStore(Path.Combine(Path.GetFullPath(Configuration.Folder), "brokers", name));
    }

    private QueueConnector ConnectorOf(string baseAddress)
    {
        string scheme = baseAddress[..baseAddress.IndexOf(':', StringComparison.Ordinal)].ToLowerInvariant();
        lock (_providers)
        {
            if (!_providers.Any(provider => provider.Schemes.Contains(scheme)))
            {
                (_, string package, string type) = OptionalProviders.FirstOrDefault(optional => optional.Schemes.Contains(scheme));
                _providers.Add(package is null
                    ? throw new MessageQueueException(
                        MessageQueueErrorCode.ServiceNotAvailable,
                        $"No kind of queues has addresses of '{scheme}:'. Add its provider to {nameof(MessagingConfiguration.Providers)}.")
                    : Activator.CreateInstance(Type.GetType($"{type}, {package}", throwOnError: false) ?? throw new MessageQueueException(
                        MessageQueueErrorCode.ServiceNotAvailable,
                        $"Addresses of '{scheme}:' need the package {package}: add a PackageReference to the program's project.")) as QueueProvider
                    ?? throw new MessageQueueException(MessageQueueErrorCode.ServiceNotAvailable, $"{type} is not a provider of queues."));
            }

            return new QueueConnector([.. _providers]);
        }
    }

    private static string KeyOf(string path) => (QueuePath.TryParsePath(path) ?? QueuePath.TryParseFormatName(path) ?? QueuePath.ParsePath(path)).Key;

    private static string WithSlash(string address)
    {
        string text = address.Trim();
        return text.EndsWith('/') || text.EndsWith(':') ? text : text + "/";
    }
}
