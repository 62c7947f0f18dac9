using System;
using System.Net;

namespace Formatters.Queues.Msmq;

/// <summary>The parts of an <c>msmq:</c> address, and its names in System.Messaging.</summary>
internal sealed class MsmqAddress
{
    internal const string Scheme = "msmq";

    private const string Local = "localhost";

    private readonly string _machine;
    private readonly bool _isPrivate;

    private MsmqAddress(string machine, bool isPrivate, string name)
    {
        _machine = machine;
        _isPrivate = isPrivate;
        Name = name;
    }

    internal string Name { get; }

    /// <summary>Gets whether the queue can be created, searched for and deleted from here: on this machine, and on Mono at any broker.</summary>
    internal bool IsManageable => MsmqPlatform.IsMono || _machine == Local;

    /// <summary>Gets the path, for creating and deleting: <c>.\private$\orders</c>.</summary>
    internal string Path => $@"{(_machine == Local ? "." : _machine)}\{(_isPrivate ? @"private$\" : "")}{Name}";

    /// <summary>Gets the name with which the queue is opened: for another machine's private queue, a format name.</summary>
    internal string OpenName => IsManageable || !_isPrivate
        ? Path
        : $"FormatName:DIRECT={(IPAddress.TryParse(_machine, out _) ? "TCP" : "OS")}:{Path}";

    internal static MsmqAddress Parse(QueueAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        Uri uri = address.Uri;
        string[] parts = uri.AbsolutePath.TrimStart('/').Split('/');
        bool isPrivate = parts.Length == 2 && string.Equals(parts[0], "private$", StringComparison.OrdinalIgnoreCase);
        bool isOther = address.Scheme != Scheme || uri.UserInfo.Length > 0 || uri.Query.Length > 0 || uri.Fragment.Length > 0 || uri.Host.Length == 0
            || address.OtherHosts.Count > 0;
        if (isOther || parts.Length > 2 || (parts.Length == 2 && !isPrivate) || address.QueueName.Length == 0)
            throw new FormatException(
                $"'{address}' is not an MSMQ queue. The form is "
                + @"DIRECT=OS:machine\private$\name, .\private$\name, machine\name or msmq://machine/private$/name.");
        bool isLocal = uri.Port <= 0 && (uri.IsLoopback || string.Equals(uri.Host, Environment.MachineName, StringComparison.OrdinalIgnoreCase));
        return new MsmqAddress(isLocal ? Local : uri.Authority, isPrivate, address.QueueName);
    }

    /// <summary>Returns a queue with another name at the same location.</summary>
    internal MsmqAddress Beside(string name) => new(_machine, _isPrivate, name);
}
