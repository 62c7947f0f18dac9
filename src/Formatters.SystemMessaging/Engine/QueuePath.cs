using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace System.Messaging;

/// <summary>The part of a queue that a path names.</summary>
internal enum QueuePart
{
    Messages = 0,
    Journal = 1,
}

/// <summary>Defines how a path names a queue.</summary>
internal enum QueuePathKind
{
    /// <summary>By machine and name.</summary>
    Name = 0,

    /// <summary>By the id of a public queue: <c>PUBLIC=guid</c>.</summary>
    Id = 1,

    /// <summary>By a label: <c>LABEL:name</c>.</summary>
    Label = 2,

    /// <summary>By a multicast address: <c>MULTICAST=224.0.0.1:8001</c>.</summary>
    Multicast = 3,

    /// <summary>By a name that only a configuration maps: <c>PRIVATE=guid\number</c>, <c>DL=guid</c>, <c>DIRECT=HTTP://…</c>.</summary>
    Opaque = 4,

    /// <summary>By an address of <c>Formatters.Queues</c>.</summary>
    Address = 5,

    /// <summary>By several of the others.</summary>
    List = 6,
}

/// <summary>A path or format name of MSMQ.</summary>
internal sealed record QueuePath
{
    internal const string FormatNamePrefix = "FORMATNAME:";
    internal const string LabelPrefix = "LABEL:";
    internal const string DeadLetterName = "deadletter$";
    internal const string TransactionalDeadLetterName = "xactdeadletter$";
    internal const string JournalName = "journal$";

    private const string Private = @"private$\";

    private static readonly Regex AddressForm = new(
        "^(memory|file|amqps?|postgres(ql)?|sb(-emulator)?):", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

    private static readonly Regex OpaqueForm = new(
        @"^(PRIVATE=[0-9a-f-]{36}\\[0-9a-f]{1,8}|MACHINE=[0-9a-f-]{36}|DL=[0-9a-f-]{36}|CONNECTOR=.+|DIRECT=HTTPS?://.+)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

    /// <summary>Gets the path of this machine's dead-letter queue.</summary>
    internal static QueuePath DeadLetters { get; } = ParsePath(@"FormatName:DIRECT=OS:.\SYSTEM$;DEADLETTER");

    /// <summary>Gets the path of this machine's journal.</summary>
    internal static QueuePath Journal { get; } = ParsePath(@"FormatName:DIRECT=OS:.\SYSTEM$;JOURNAL");

    /// <summary>Gets the path as it was given.</summary>
    internal required string Text { get; init; }

    internal required QueuePathKind Kind { get; init; }

    /// <summary>Gets whether it is a path: neither a format name nor a label.</summary>
    internal bool IsPath { get; init; }

    /// <summary>Gets the machine, in lower case; "." is this machine.</summary>
    internal string Machine { get; init; } = ".";

    internal bool IsPrivate { get; init; }

    /// <summary>Gets the name of the queue, in lower case; or the id, label or address.</summary>
    internal string Name { get; init; } = "";

    internal QueuePart Part { get; init; }

    /// <summary>Gets the subqueue, in lower case: <c>retry</c> in <c>.\private$\orders;retry</c>.</summary>
    internal string? SubQueue { get; init; }

    internal IReadOnlyList<QueuePath> Elements { get; init; } = [];

    /// <summary>Gets whether it is one of the three system queues of a machine.</summary>
    internal bool IsSystem => Kind == QueuePathKind.Name && Name is DeadLetterName or TransactionalDeadLetterName or JournalName;

    /// <summary>Gets the name of the queue at its location.</summary>
    internal string NameInPlace =>
        (IsPrivate || IsSystem ? "" : "public$.") + Name.Replace('/', '.') + (SubQueue is null ? "" : "." + SubQueue)
        + (Part == QueuePart.Journal ? ".journal$" : "");

    /// <summary>Gets the name with its machine, for the table of a configuration: <c>machine\private$\orders</c>.</summary>
    internal string Key => Kind switch
    {
        QueuePathKind.Name => $@"{(IsLocal(Machine) ? "." : Machine)}\{(IsPrivate ? Private : "")}{Name}"
            + (SubQueue is null ? "" : ";" + SubQueue) + (Part == QueuePart.Journal ? ";journal" : ""),
        QueuePathKind.Label => "label:" + Name.ToLowerInvariant(),
        QueuePathKind.Id => "public=" + Name,
        QueuePathKind.Multicast => "multicast=" + Name,
        _ => Name.ToLowerInvariant(),
    };

    /// <summary>Gets the format name.</summary>
    internal string FormatName => Kind switch
    {
        QueuePathKind.Name when IsSystem && Name == JournalName => $@"DIRECT=OS:{MachineName}\SYSTEM$;JOURNAL",
        QueuePathKind.Name when IsSystem => $@"DIRECT=OS:{MachineName}\SYSTEM$;{(Name == DeadLetterName ? "DEADLETTER" : "DEADXACT")}",
        QueuePathKind.Name => $@"DIRECT=OS:{MachineName}\{(IsPrivate ? Private : "")}{Name}" + (SubQueue is null ? "" : ";" + SubQueue)
            + (Part == QueuePart.Journal ? ";JOURNAL" : ""),
        QueuePathKind.Id => "PUBLIC=" + Name,
        QueuePathKind.Multicast => "MULTICAST=" + Name,
        QueuePathKind.List => string.Join(",", Elements.Select(static element => element.FormatName)),
        _ => Name,
    };

    /// <summary>Gets the machine and the name of the queue as they were written; empty if the path is not of this form.</summary>
    internal (string Machine, string Name) Names =>
        Kind == QueuePathKind.Name && Text[(Text.LastIndexOf(':') + 1)..].Split('\\', 2) is [var machine, var name]
            ? (machine, name)
            : ("", "");

    internal string MachineName => IsLocal(Machine) ? LocalMachineInLowerCase : Machine;

    /// <summary>Gets the name of this machine.</summary>
    internal static string LocalMachine { get; } = Environment.MachineName;

    private static string LocalMachineInLowerCase { get; } = LocalMachine.ToLowerInvariant();

    internal static bool IsLocal(string machine) =>
        machine is "." or "localhost" or "127.0.0.1" or "::1" || machine.Equals(LocalMachine, StringComparison.OrdinalIgnoreCase);

    /// <summary>Checks the form of a path: what the setter of <see cref="MessageQueue.Path"/> checks.</summary>
    /// <exception cref="ArgumentException">It is neither a path, nor has a prefix, nor is an address.</exception>
    internal static void CheckForm(string path, string name)
    {
        if (!HasForm(path.Trim()))
            throw Malformed(path, name);
    }

    /// <summary>Parses a path, a format name after <c>FormatName:</c>, a label after <c>Label:</c>, or an address.</summary>
    /// <exception cref="ArgumentException">It is neither a path, nor has a prefix, nor is an address.</exception>
    /// <exception cref="MessageQueueException">The name of the machine or queue, or the format name, is not valid.</exception>
    internal static QueuePath ParsePath(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (TryParsePath(path) is { } parsed)
            return parsed;
        CheckForm(path, nameof(path));
        throw new MessageQueueException(
            HasPrefix(path.Trim(), FormatNamePrefix) ? MessageQueueErrorCode.IllegalFormatName : MessageQueueErrorCode.IllegalQueuePathName,
            Malformed(path, nameof(path)).Message);
    }

    /// <summary>Parses a path as <see cref="ParsePath"/> does; returns null if it is malformed.</summary>
    internal static QueuePath? TryParsePath(string path)
    {
        string text = path.Trim();
        if (HasPrefix(text, FormatNamePrefix))
            return TryParseFormatName(text[FormatNamePrefix.Length..]) is { } parsed ? parsed with { Text = text } : null;
        if (HasPrefix(text, LabelPrefix) && text.Length > LabelPrefix.Length)
            return new QueuePath { Text = text, Kind = QueuePathKind.Label, Name = text[LabelPrefix.Length..] };
        if (AddressForm.IsMatch(text))
            return new QueuePath { Text = text, Kind = QueuePathKind.Address, Name = text };
        return HasForm(text) && TryParseName(text, isFormatName: false) is { } name ? name with { Text = text, IsPath = true } : null;
    }

    /// <summary>Parses a format name without <c>FormatName:</c>; returns null if it is malformed.</summary>
    internal static QueuePath? TryParseFormatName(string formatName)
    {
        string[] parts = formatName.Split(',');
        if (parts.Length > 1)
        {
            QueuePath?[] elements = [.. parts.Select(static part => TryParseFormatName(part.Trim()))];
            return elements.Contains(null) ? null : new QueuePath { Text = formatName, Kind = QueuePathKind.List, Elements = elements! };
        }

        string text = formatName.Trim();
        if (AddressForm.IsMatch(text))
            return new QueuePath { Text = text, Kind = QueuePathKind.Address, Name = text };
        foreach (string prefix in (string[])["DIRECT=OS:", "DIRECT=TCP:", "DIRECT=SPX:"])
        {
            if (HasPrefix(text, prefix))
                return TryParseName(text[prefix.Length..], isFormatName: true) is { } name ? name with { Text = text } : null;
        }

        string withoutOption = text.Split(';')[0];
        if (HasPrefix(text, "PUBLIC=") && Guid.TryParse(withoutOption[7..], out Guid id))
        {
            return new QueuePath { Text = text, Kind = QueuePathKind.Id, Name = id.ToString(),
                Part = text.EndsWith(";JOURNAL", StringComparison.OrdinalIgnoreCase) ? QueuePart.Journal : QueuePart.Messages };
        }

        if (HasPrefix(text, "MULTICAST=") && IsMulticast(text[10..]))
            return new QueuePath { Text = text, Kind = QueuePathKind.Multicast, Name = text[10..] };
        if (HasPrefix(text, "MACHINE=") && text.Contains(';', StringComparison.Ordinal)
            && TryParseName(@".\SYSTEM$" + text[text.IndexOf(';', StringComparison.Ordinal)..], isFormatName: true) is { } system)
            return system with { Text = text };
        return OpaqueForm.IsMatch(withoutOption) ? new QueuePath { Text = text, Kind = QueuePathKind.Opaque, Name = text } : null;
    }

    internal static bool IsMulticast(string address) =>
        address.LastIndexOf(':') is var colon and > 0 && Net.IPAddress.TryParse(address[..colon], out _)
        && ushort.TryParse(address[(colon + 1)..], out _);

    /// <summary>Checks the name of a machine.</summary>
    /// <exception cref="ArgumentException">It is empty, or has a backslash.</exception>
    internal static string CheckMachine(string? machine, string name)
    {
        ArgumentNullException.ThrowIfNull(machine, name);
        return machine.Trim().Length > 0 && !machine.Contains('\\', StringComparison.Ordinal)
            ? machine
            : throw new ArgumentException($"'{machine}' is not the name of a machine.", name);
    }

    private static QueuePath? TryParseName(string text, bool isFormatName)
    {
        string[] options = text.Split(';');
        string[] parts = options[0].Split('\\');
        if (parts.Length < 2 || options.Length > 2 || parts.Any(static part => part.Trim().Length == 0)
            || text.Contains(',', StringComparison.Ordinal))
            return null;
        string machine = parts[0].ToLowerInvariant();
        string? option = options.Length == 2 ? options[1].ToLowerInvariant() : null;
        var part = QueuePart.Messages;
        parts = parts[1..];
        if (parts.Length > 1 && parts[^1].Equals("journal$", StringComparison.OrdinalIgnoreCase))
        {
            part = QueuePart.Journal;
            parts = parts[..^1];
        }

        bool isPrivate = parts[0].Equals("private$", StringComparison.OrdinalIgnoreCase);
        if (isPrivate)
            parts = parts[1..];
        // Names have no backslash: private$ may be misspelt.
        if (parts.Length != 1 || parts[0].Length > 124)
            return null;
        string name = parts[0].ToLowerInvariant();
        if (name == "system$")
        {
            name = option switch { "deadletter" => DeadLetterName, "deadxact" => TransactionalDeadLetterName, "journal" => JournalName, _ => "" };
            return name.Length == 0 ? null : new QueuePath { Text = text, Kind = QueuePathKind.Name, Machine = machine, Name = name };
        }

        switch (option)
        {
            case null:
                break;
            case "journal":
                part = QueuePart.Journal;
                option = null;
                break;
            case "xactonly" or "deadletter" or "deadxact" when isFormatName:
                // Computer queues and connectors.
                return option == "xactonly" ? null : new QueuePath
                {
                    Text = text,
                    Kind = QueuePathKind.Name,
                    Machine = machine,
                    Name = option == "deadletter" ? DeadLetterName : TransactionalDeadLetterName,
                };
            case "":
                return null;
        }

        return new QueuePath
        {
            Text = text,
            Kind = QueuePathKind.Name,
            Machine = machine,
            IsPrivate = isPrivate,
            Name = name,
            Part = part,
            SubQueue = option,
        };
    }

    private static bool HasPrefix(string text, string prefix) => text.StartsWith(prefix, StringComparison.OrdinalIgnoreCase);

    // The rule of .NET Framework, and addresses.
    private static bool HasForm(string text) =>
        text.Length == 0 || HasPrefix(text, LabelPrefix) || HasPrefix(text, FormatNamePrefix) || AddressForm.IsMatch(text)
        || text.Count(static character => character == '\\') switch
        {
            1 => true,
            2 => EndsWithJournal(text) || text.Contains(@"\private$\", StringComparison.OrdinalIgnoreCase),
            3 => EndsWithJournal(text) && text.Contains(@"\private$\", StringComparison.OrdinalIgnoreCase),
            _ => false,
        };

    private static bool EndsWithJournal(string text) => text.EndsWith(@"\journal$", StringComparison.OrdinalIgnoreCase);

    private static ArgumentException Malformed(string path, string name) => new(
        $@"'{path}' is neither a path (.\private$\orders, machine\orders) nor a format name (FormatName:DIRECT=OS:machine\private$\orders).",
        name);
}
