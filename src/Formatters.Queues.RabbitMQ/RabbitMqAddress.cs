using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The parts of <c>amqp[s]://[user[:password]@]host[:port][,host[:port]…]/[virtual-host/]queue</c>, percent-encoding resolved.</summary>
internal sealed record RabbitMqAddress
{
    private readonly NetworkCredential? _credentials;
    private readonly string? _user;
    private readonly string? _password;

    private RabbitMqAddress(QueueAddress address, string virtualHost, NetworkCredential? credentials)
    {
        Uri uri = address.Uri;
        int colon = uri.UserInfo.IndexOf(':', StringComparison.Ordinal);
        Text = address.ToString();
        IsTls = uri.Scheme == "amqps";
        Hosts = [HostOf(uri), .. address.OtherHosts.Select(host => HostOf(new Uri($"{uri.Scheme}://{host}/")))];
        if (uri.UserInfo.Length > 0)
        {
            _user = Uri.UnescapeDataString(colon < 0 ? uri.UserInfo : uri.UserInfo[..colon]);
            _password = colon < 0 ? "guest" : Uri.UnescapeDataString(uri.UserInfo[(colon + 1)..]);
        }

        _credentials = credentials;
        VirtualHost = virtualHost;
        QueueName = address.QueueName;
    }

    /// <summary>Gets the address without the password, for messages.</summary>
    internal string Text { get; }

    internal bool IsTls { get; }

    /// <summary>Gets the brokers of the cluster, at least one, in the order in which they are tried.</summary>
    internal IReadOnlyList<(string Name, int Port)> Hosts { get; }

    /// <summary>Gets the user of the address, or of the current credentials.</summary>
    internal string User => _user ?? _credentials?.UserName ?? "guest";

    internal string Password => _password ?? _credentials?.Password ?? "guest";

    internal string VirtualHost { get; }

    internal string QueueName { get; }

    internal static RabbitMqAddress Parse(QueueAddress address, RabbitMqOptions options)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        string[] segments = address.Uri.AbsolutePath.Split('/');
        bool isGood = address.Scheme is "amqp" or "amqps" && address.Uri.Host.Length > 0 && address.Uri.Query.Length == 0
            && address.Uri.Fragment.Length == 0
            && segments.Length is 2 or 3 && Array.TrueForAll(segments[1..], segment => segment.Length > 0);
        if (!isGood)
        {
            throw new FormatException(
                $"'{address}' is not the address of a RabbitMQ queue. The form is amqp://[user:password@]host[:port]/[virtual-host/]queue (several "
                + "hosts: host,host:port), with %2F for a slash inside a name.");
        }

        return new RabbitMqAddress(address, segments.Length == 3 ? Uri.UnescapeDataString(segments[1]) : "/", options.Credentials);
    }

    /// <summary>
    /// Parses the address of a queue, or of a virtual host: with a trailing slash, or none for <c>/</c>. The queue name is then empty.
    /// </summary>
    internal static RabbitMqAddress ParsePlaceOrQueue(QueueAddress address, RabbitMqOptions options)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        string[] segments = address.Uri.AbsolutePath.TrimEnd('/').Split('/');
        bool isPlace = address.QueueName.Length == 0 && address.Scheme is "amqp" or "amqps" && address.Uri.Host.Length > 0
            && address.Uri.Query.Length == 0
            && address.Uri.Fragment.Length == 0 && segments.Length is 1 or 2;
        return isPlace
            ? new RabbitMqAddress(address, segments.Length == 2 ? Uri.UnescapeDataString(segments[1]) : "/", options.Credentials)
            : Parse(address, options);
    }

    /// <summary>Determines whether another queue is on the same virtual host of the same brokers, for the same user.</summary>
    internal bool IsSamePlace(RabbitMqAddress other) =>
        (IsTls, VirtualHost, User) == (other.IsTls, other.VirtualHost, other.User) && Hosts.SequenceEqual(other.Hosts);

    private (string Name, int Port) HostOf(Uri uri) => (uri.IdnHost, uri.Port > 0 ? uri.Port : IsTls ? 5671 : 5672);
}
