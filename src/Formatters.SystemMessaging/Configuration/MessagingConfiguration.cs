using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Messaging;
using System.Text.Json;
using System.Threading;
using Formatters.Queues;

namespace Formatters.SystemMessaging;

/// <summary>Maps the paths of System.Messaging to queues of <c>Formatters.Queues</c>.</summary>
/// <remarks>
/// <para>Without settings, the queues of this machine are in a folder of the user, and no other machine is known. Settings come from the section
/// <c>Messaging</c> of <c>appsettings.json</c> beside the program, then from environment variables, or from <see cref="Use"/>.</para>
/// <para>Immutable: derive one with <c>MessagingConfiguration.Load() with { LocalAddress = "memory:" }</c>.</para>
/// </remarks>
/// <example><code>
/// { "Messaging": {
///   "Queues": { ".\\private$\\orders": "amqp://localhost/orders" },
///   "Machines": { "billing01": "postgres://app@billing01/queues/" },
///   "AllowedTypes": [ "Shop.Order, Shop" ] } }
/// </code></example>
public sealed record MessagingConfiguration
{
    /// <summary>The name of the environment variable for <see cref="Folder"/>.</summary>
    public const string FolderVariable = "FORMATTERS_MESSAGING_FOLDER";

    /// <summary>The name of the environment variable for <see cref="LocalAddress"/>.</summary>
    public const string LocalVariable = "FORMATTERS_MESSAGING_LOCAL";

    /// <summary>The name of the environment variable for <see cref="Queues"/>: <c>path=address</c>, separated by <c>|</c>.</summary>
    public const string QueuesVariable = "FORMATTERS_MESSAGING_QUEUES";

    /// <summary>The name of the environment variable for <see cref="Machines"/>: <c>machine=address</c>, separated by <c>|</c>.</summary>
    public const string MachinesVariable = "FORMATTERS_MESSAGING_MACHINES";

    /// <summary>The name of the environment variable for <see cref="IgnoreAccessControl"/>: <c>true</c> or <c>false</c>.</summary>
    public const string IgnoreAccessControlVariable = "FORMATTERS_MESSAGING_IGNORE_ACCESS_CONTROL";

    /// <summary>The name of the environment variable for <see cref="IgnoreMessageSecurity"/>: <c>true</c> or <c>false</c>.</summary>
    public const string IgnoreMessageSecurityVariable = "FORMATTERS_MESSAGING_IGNORE_MESSAGE_SECURITY";

    /// <summary>The name of the environment variable for the path of the settings file.</summary>
    public const string SettingsVariable = "FORMATTERS_MESSAGING_SETTINGS";

    private static readonly object Gate = new();
    private static MessagingConfiguration? _current;

    /// <summary>Gets the configuration of this process: the one of <see cref="Use"/>, or that of <see cref="Load"/>.</summary>
    /// <exception cref="InvalidDataException">The settings file or an environment variable is not valid.</exception>
    public static MessagingConfiguration Current
    {
        get
        {
            lock (Gate)
                return _current ??= Load();
        }
    }

    /// <summary>Gets the folder for the local queues, the outgoing queues, and the properties of queues on brokers.</summary>
    /// <value>Default <c>Formatters.SystemMessaging</c> in the user's local application data: <c>~/.local/share</c> on Linux (<c>XDG_DATA_HOME</c>),
    /// and <c>%LOCALAPPDATA%</c> on Windows.</value>
    public string Folder { get; init; } = DefaultFolder();

    /// <summary>Gets the address of the location of this machine's queues: <c>memory:</c>, <c>file:/data/queues/</c>,
    /// <c>postgres://app@host/database/</c>, <c>amqp://host/</c>.</summary>
    /// <value>Default null: the folder <c>queues</c> in <see cref="Folder"/>.</value>
    public string? LocalAddress { get; init; }

    /// <summary>Gets the addresses of single queues, by path, format name or label.</summary>
    /// <value>Default empty. The case of a path does not matter; a path of this machine may begin with a period.</value>
    public IReadOnlyDictionary<string, string> Queues { get; init; } = new Dictionary<string, string>();

    /// <summary>Gets the addresses of locations by the names of machines; <c>*</c> applies to all others.</summary>
    /// <value>Default empty. <c>{machine}</c> in an address stands for the machine's name.</value>
    public IReadOnlyDictionary<string, string> Machines { get; init; } = new Dictionary<string, string>();

    /// <summary>Gets further kinds of queues.</summary>
    /// <value>Default empty. Memory and folders are built in. PostgreSQL and RabbitMQ are found if the program references their packages; give them
    /// here if they need options.</value>
    public IReadOnlyList<QueueProvider> Providers { get; init; } = [];

    /// <summary>Gets the names of types that <see cref="BinaryMessageFormatter"/> reads: <c>Shop.Order, Shop</c>.</summary>
    /// <value>Default empty.</value>
    public IReadOnlyList<string> AllowedTypes { get; init; } = [];

    /// <summary>Gets the names of assemblies of which <see cref="BinaryMessageFormatter"/> reads all types marked <c>[Serializable]</c>.</summary>
    /// <value>Default empty.</value>
    public IReadOnlyList<string> AllowedAssemblies { get; init; } = [];

    /// <summary>Gets whether <see cref="MessageQueue.SetPermissions(string, MessageQueueAccessRights)"/>, <see
    /// cref="MessageQueue.ResetPermissions"/> and <see cref="MessageQueueInstaller.Permissions"/> have no effect. Grant rights at the folder, the
    /// database or the broker.</summary>
    /// <value>Default <see langword="false"/>: they throw.</value>
    public bool IgnoreAccessControl { get; init; }

    /// <summary>Gets whether messages with <see cref="Message.UseAuthentication"/> and <see cref="Message.UseEncryption"/> are sent as they are,
    /// neither signed nor encrypted.</summary>
    /// <value>Default <see langword="false"/>: sending one throws.</value>
    public bool IgnoreMessageSecurity { get; init; }

    /// <summary>Gets whether messages for a queue that cannot be reached are kept in <see cref="Folder"/>, and forwarded later.</summary>
    /// <value>Default <see langword="true"/>, as MSMQ does. Otherwise the send throws.</value>
    public bool UseOutgoingQueue { get; init; } = true;

    /// <summary>Gets how long an operation waits for a location: for a folder that another program has, or a broker that does not answer.</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan OperationTimeout
    {
        get;
        init => field = value > TimeSpan.Zero
            ? value
            : throw new ArgumentOutOfRangeException(nameof(OperationTimeout), value, "More than zero.");
    }
        = TimeSpan.FromSeconds(30);

    /// <summary>Sets the configuration of this process, and closes the queues that are open.</summary>
    /// <param name="configuration">The configuration.</param>
    /// <exception cref="ArgumentNullException"><paramref name="configuration"/> is null.</exception>
    /// <remarks>Call it where the program starts. Waiting receives fail, as if their queue were closed.</remarks>
    public static void Use(MessagingConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        lock (Gate)
            _current = configuration;
        QueueSystem.Replace();
    }

    /// <summary>Closes the queues that are open, so that other programs can open their folders.</summary>
    /// <remarks>The next operation opens them again. It is not needed before a program ends.</remarks>
    public static void Close() => QueueSystem.Replace();

    /// <summary>Reads the settings: a file, then the environment variables.</summary>
    /// <param name="settingsFile">The path of a settings file; null: that of <see cref="SettingsVariable"/>, or <c>appsettings.json</c> beside the
    /// program, if it exists.</param>
    /// <returns>The configuration.</returns>
    /// <exception cref="FileNotFoundException"><paramref name="settingsFile"/>, or that of the variable, does not exist.</exception>
    /// <exception cref="InvalidDataException">A setting is not valid; the message names it.</exception>
    public static MessagingConfiguration Load(string? settingsFile = null)
    {
        settingsFile ??= Variable(SettingsVariable);
        var configuration = new MessagingConfiguration();
        string path = settingsFile ?? Path.Combine(AppContext.BaseDirectory, "appsettings.json");
        if (settingsFile is not null || File.Exists(path))
            configuration = MessagingSettings.Read(configuration, path);
        configuration = configuration with
        {
            Folder = Variable(FolderVariable) ?? configuration.Folder,
            LocalAddress = Variable(LocalVariable) ?? configuration.LocalAddress,
            Queues = Merge(configuration.Queues, QueuesVariable),
            Machines = Merge(configuration.Machines, MachinesVariable),
            IgnoreAccessControl = Flag(IgnoreAccessControlVariable) ?? configuration.IgnoreAccessControl,
            IgnoreMessageSecurity = Flag(IgnoreMessageSecurityVariable) ?? configuration.IgnoreMessageSecurity,
        };
        return configuration;
    }

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;

    private static bool? Flag(string name) => Variable(name) is not { } text ? null : bool.TryParse(text, out bool value)
        ? value
        : throw new InvalidDataException($"The environment variable {name} is '{text}'; it is true or false.");

    private static IReadOnlyDictionary<string, string> Merge(IReadOnlyDictionary<string, string> table, string variable)
    {
        if (Variable(variable) is not { } text)
            return table;
        var merged = new Dictionary<string, string>(table);
        foreach (string entry in text.Split('|', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            // A format name has an equals sign; an address begins with a scheme.
            int equals = entry.Select((c, i) => c == '=' && IsAddress(entry.AsSpan(i + 1)) ? i : -1).FirstOrDefault(static i => i >= 0, -1);
            if (equals <= 0)
                throw new InvalidDataException($"The environment variable {variable} has '{entry}'; the form is name=address|name=address.");
            merged[entry[..equals].Trim()] = entry[(equals + 1)..].Trim();
        }

        return merged;
    }

    private static bool IsAddress(ReadOnlySpan<char> text)
    {
        int colon = text.IndexOf(':');
        return colon > 0 && Uri.CheckSchemeName(text[..colon].Trim().ToString());
    }

    private static string DefaultFolder()
    {
        string data = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.DoNotVerify);
        return Path.Combine(data.Length > 0 ? data : AppContext.BaseDirectory, "Formatters.SystemMessaging");
    }
}
