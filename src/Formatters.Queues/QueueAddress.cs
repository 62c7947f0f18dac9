using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Formatters.Queues;

/// <summary>The address of one queue: a URI such as <c>memory:orders</c>, <c>file:folder/orders</c> or <c>amqp://host/vhost/orders</c>.</summary>
/// <remarks>
/// <para>The address of a cluster has several hosts: <c>amqp://a,b:5673,c/orders</c>. Names with reserved characters are percent-encoded: a comma is
/// <c>%2C</c>, a slash <c>%2F</c>.</para>
/// <para>MSMQ's own names are addresses too: <c>DIRECT=OS:machine\private$\orders</c> (also <c>DIRECT=TCP:</c>, and with <c>FormatName:</c> before
/// it), <c>.\private$\orders</c> and <c>machine\orders</c> are <c>msmq://machine/private$/orders</c>, <c>msmq://localhost/private$/orders</c> and
/// <c>msmq://machine/orders</c>.</para>
/// </remarks>
public sealed class QueueAddress : IEquatable<QueueAddress>
{
    private const string FileScheme = "file:";

    private readonly string _text;

    internal QueueAddress(Uri uri)
        : this(uri, [])
    {
    }

    private QueueAddress(Uri uri, string[] otherHosts)
    {
        Uri = uri;
        OtherHosts = otherHosts;
        _text = WithoutPassword(uri);
        if (otherHosts.Length > 0)
        {
            int at = _text.IndexOf(uri.Authority[(uri.Authority.LastIndexOf('@') + 1)..], _text.IndexOf("//", StringComparison.Ordinal),
                StringComparison.Ordinal);
            int end = _text.IndexOf('/', at);
            _text = _text.Insert(end < 0 ? _text.Length : end, "," + string.Join(',', otherHosts));
        }
    }

    /// <summary>Creates the address of several combined queues: the first one's URI, and the string of all.</summary>
    internal QueueAddress(IReadOnlyList<QueueAddress> addresses)
    {
        Uri = addresses[0].Uri;
        OtherHosts = addresses[0].OtherHosts;
        _text = string.Join(',', addresses);
    }

    /// <summary>Gets the address as a URI, including the password; of several hosts the first.</summary>
    public Uri Uri { get; }

    /// <summary>
    /// Gets the further hosts of a cluster, in the order in which they are tried: <c>b:5673</c> and <c>c</c> in <c>amqp://a,b:5673,c/orders</c>.
    /// </summary>
    /// <value>Names or addresses, with a port or without one. Never null.</value>
    public IReadOnlyList<string> OtherHosts { get; }

    /// <summary>Gets the scheme in lower case, which identifies the kind of queue.</summary>
    public string Scheme => Uri.Scheme;

    /// <summary>Gets the queue's name: the last segment of the path, unescaped.</summary>
    /// <value>Never null; empty if the address ends with a slash or has no path.</value>
    public string QueueName
    {
        get
        {
            string path = Uri.AbsolutePath;
            return Uri.UnescapeDataString(path[(path.LastIndexOf('/') + 1)..]);
        }
    }

    /// <summary>Gets the name by which the queue's location knows it: in memory the whole path including slashes.</summary>
    internal string NameInPlace => Scheme == "memory" ? Uri.UnescapeDataString(Uri.AbsolutePath) : QueueName;

    /// <summary>Parses the address of one queue.</summary>
    /// <param name="address">The address.</param>
    /// <returns>The address.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">It is not an absolute URI.</exception>
    public static QueueAddress Parse(string address)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        return TryParse(address) ?? throw NoAddress(address, address);
    }

    /// <summary>Parses one address, or several separated by commas.</summary>
    /// <param name="addresses">
    /// Full addresses, and names without a scheme, each of which is a further queue at the location of the first address:
    /// <c>amqp://localhost/orders,invoices</c> is <c>amqp://localhost/orders</c> and <c>amqp://localhost/invoices</c>.
    /// </param>
    /// <returns>At least one address, in the order of the list.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="addresses"/> is null.</exception>
    /// <exception cref="FormatException">A part is empty or is not an address, or two addresses are the same.</exception>
    /// <remarks>A comma that belongs to a name or a password is written <c>%2C</c>.</remarks>
    public static IReadOnlyList<QueueAddress> ParseList(string addresses)
    {
        if (addresses is null)
            throw new ArgumentNullException(nameof(addresses));
        List<string> parts = Split(addresses);
        var list = new List<QueueAddress>(parts.Count);
        for (int i = 0; i < parts.Count; i++)
        {
            if (parts[i].Length == 0)
                throw new FormatException($"Part {i + 1} of {parts.Count} of the address list is empty.");
            bool isWhole = i == 0 || HasScheme(parts[i]) || MsmqName.IsMeant(parts[i]);
            // A further part with an @ is the rest of a password that contains a comma.
            QueueAddress? address = isWhole ? TryParse(parts[i]) : parts[i].Contains('@', StringComparison.Ordinal)
                ? null
                : TryParse(PlaceOf(parts[0]) + parts[i]);
            if (address is null)
                throw NoAddress(parts[i], addresses);
            if (list.Contains(address))
                throw new FormatException(
                    $"{(IsSafeToRepeat(addresses) ? $"'{address}'" : $"The address in part {i + 1} of {parts.Count}")} appears twice in the address "
                    + "list.");
            list.Add(address);
        }

        return list;
    }

    /// <summary>Returns the address of another queue at the same location: the same broker, folder, database or process.</summary>
    /// <param name="queueName">The other queue's name, unescaped: this method escapes reserved characters.</param>
    /// <returns>The address, with the user, the password and the hosts of this one. If this one ends with a slash, the name is appended.</returns>
    /// <exception cref="ArgumentException"><paramref name="queueName"/> is null or empty, or no address can have it: "." and "..", except in memory,
    /// and in a folder a name with a slash.</exception>
    public QueueAddress WithQueueName(string queueName)
    {
        ArgumentException.ThrowIfNullOrEmpty(queueName);
        QueueStrings.ThrowIfMalformed(queueName, nameof(queueName));
        QueueAddress address = AppendName(queueName);
        // A URI resolves dots, and a file URI also %2F, which would be the address of another queue.
        return address.NameInPlace == queueName
            ? address
            : throw new ArgumentException($"A queue at '{this}' cannot have the name '{queueName}', which its address would not keep: '{address}'.",
                nameof(queueName));
    }

    private QueueAddress AppendName(string queueName)
    {
        string text = Uri.AbsoluteUri;
        string name = Uri.EscapeDataString(queueName);
        int slashes = text.IndexOf("://", StringComparison.Ordinal);
        if (slashes < 0)
        {
            // memory: slashes are part of the name.
            return new QueueAddress(new Uri(text[..(text.IndexOf(':', StringComparison.Ordinal) + 1)]
                + name.Replace("%2F", "/", StringComparison.Ordinal)), OtherHosts.ToArray());
        }

        int slash = text.LastIndexOf('/');
        return new QueueAddress(new Uri(slash < slashes + 3 ? $"{text}/{name}" : text[..(slash + 1)] + name), OtherHosts.ToArray());
    }

    /// <inheritdoc/>
    public bool Equals(QueueAddress? other) =>
        other is not null && string.Equals(Uri.AbsoluteUri, other.Uri.AbsoluteUri, StringComparison.Ordinal)
        && OtherHosts.SequenceEqual(other.OtherHosts, StringComparer.Ordinal);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as QueueAddress);

    /// <inheritdoc/>
    public override int GetHashCode() => Uri.AbsoluteUri.GetHashCode(StringComparison.Ordinal);

    /// <summary>Returns the address without the password, for messages and logs.</summary>
    /// <returns>The address.</returns>
    public override string ToString() => _text;

    private static QueueAddress? TryParse(string address)
    {
        string text = address.Trim();
        if (text.StartsWith(FileScheme, StringComparison.OrdinalIgnoreCase))
            ThrowIfNotInFolder(text);
        if (IsRelativeFile(text))
            return new QueueAddress(FileUri(Path.GetFullPath(Uri.UnescapeDataString(text[FileScheme.Length..]))));
        if (MsmqName.IsMeant(text))
            return MsmqName.ToUri(text) is { } name ? new QueueAddress(name) : null;
        string[] otherHosts = TakeOtherHosts(ref text);
        // A path such as //host/orders would be a file URI on some systems.
        if (!HasScheme(text) || !Uri.TryCreate(text, UriKind.Absolute, out Uri? uri))
            return null;
        // On Windows it is a network path. Elsewhere it would be a name with backslashes in the current directory.
        if (uri.IsFile && uri.Host.Length > 0 && Path.DirectorySeparatorChar != '\\')
            throw new FormatException(
                $"'{text}' names a machine, '{uri.Host}', which only Windows has in the addresses of files. Write file:folder/name for a folder in "
                + "the current directory, or file:///folder/name.");
        // A name contains @ only as %40. Elsewhere than after a user, it is the remainder of a password with a comma or a slash in it.
        bool isStray = !uri.IsFile && text.AsSpan(text.IndexOf(':', StringComparison.Ordinal)).Count('@') != (uri.UserInfo.Length > 0 ? 1 : 0);
        return isStray || !Array.TrueForAll(otherHosts,
            host => Uri.TryCreate($"{uri.Scheme}://{host}/", UriKind.Absolute, out Uri? other) && other.Authority.Length > 0)
            ? null
            : new QueueAddress(uri, otherHosts);
    }

    /// <summary>Checks that the name in the address of a file does not lead out of its folder.</summary>
    private static void ThrowIfNotInFolder(string text)
    {
        string name = Uri.UnescapeDataString(text[Math.Max(text.LastIndexOf('/') + 1, FileScheme.Length)..]);
        if (name is "." or ".." || name.Contains('/', StringComparison.Ordinal)
            || name.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal))
        {
            throw new FormatException(
                $"'{text}': a queue in a folder cannot have the name '{name}'. The address of a folder ends with a slash, as file:../queues/ does.");
        }
    }

    /// <summary>Splits a list of addresses at its commas, except those between the hosts of one.</summary>
    private static List<string> Split(string addresses)
    {
        var parts = new List<string>();
        int start = 0;
        for (int i = 0; i < addresses.Length; i++)
        {
            if (addresses[i] == ',' && !HostsOf(addresses.AsSpan(start)).Contains(i - start))
            {
                parts.Add(addresses[start..i].Trim());
                start = i + 1;
            }
        }

        parts.Add(addresses[start..].Trim());
        return parts;
    }

    /// <summary>Removes all hosts except the first from an address.</summary>
    private static string[] TakeOtherHosts(ref string text)
    {
        HostRange hosts = HostsOf(text);
        if (hosts.Length == 0 || !text.AsSpan(hosts.Start, hosts.Length).Contains(','))
            return [];
        string[] all = text.Substring(hosts.Start, hosts.Length).Split(',');
        text = string.Concat(text.AsSpan(0, hosts.Start), all[0], text.AsSpan(hosts.Start + hosts.Length));
        return all.AsSpan(1).ToArray();
    }

    /// <summary>
    /// Finds the hosts in an address: after the slashes and the user, up to the path. Empty without a path, because the next address could begin
    /// there.
    /// </summary>
    private static HostRange HostsOf(ReadOnlySpan<char> address)
    {
        int slashes = address.IndexOf("://");
        int start = slashes + 3;
        int length = slashes < 0 ? -1 : address[start..].IndexOf('/');
        if (length < 0 || !Uri.CheckSchemeName(address[..slashes].Trim().ToString()))
            return default;
        ReadOnlySpan<char> authority = address.Slice(start, length);
        int user = authority.LastIndexOf('@') + 1;
        // A comma before the @ belongs to a password, and is an error; a comma before a scheme starts another address.
        return authority[..user].Contains(',') || authority.EndsWith(":") ? default : new HostRange(start + user, length - user);
    }

    private readonly record struct HostRange(int Start, int Length)
    {
        internal bool Contains(int index) => index >= Start && index < Start + Length;
    }

    /// <summary>Returns the URI of a file by its full path.</summary>
    internal static Uri FileUri(string path)
    {
        string[] parts = path.Replace('\\', '/').TrimStart('/').Split('/');
        return new Uri("file:///" + string.Join('/', parts.Select((part, i) => i == 0 && part.EndsWith(':') ? part : Uri.EscapeDataString(part))));
    }

    // Our own form, file:folder/name, relative to the current directory: file URIs are absolute.
    private static bool IsRelativeFile(string text) =>
        text.StartsWith(FileScheme, StringComparison.OrdinalIgnoreCase) && text.Length > FileScheme.Length && !text.AsSpan(FileScheme.Length)
        .StartsWith("//");

    /// <summary>Creates the exception for an invalid address; its message contains the string only if that cannot contain a password.</summary>
    private static FormatException NoAddress(string part, string given)
    {
        const string Form = "An address is a URI such as memory:orders or amqp://localhost/orders.";
        return IsSafeToRepeat(given)
            ? new FormatException($"'{part}' is not a queue address. {Form}")
            : new FormatException(
                $"The string is not a queue address. {Form} In a user name or password a comma is written %2C, a slash %2F and an at sign %40.");
    }

    // A user can precede an @ or, in a truncated address, be between // and a second colon.
    private static bool IsSafeToRepeat(string given) =>
        !given.Contains('@', StringComparison.Ordinal) && !(given.Contains("//", StringComparison.Ordinal) && given.AsSpan().Count(':') > 1);

    private static string WithoutPassword(Uri uri)
    {
        int colon = uri.UserInfo.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 ? uri.ToString() : $"{uri.Scheme}://{uri.UserInfo[..colon]}:***@{uri.Authority}{uri.PathAndQuery}";
    }

    private static bool HasScheme(string part)
    {
        int colon = part.IndexOf(':', StringComparison.Ordinal);
        return colon > 0 && Uri.CheckSchemeName(part[..colon]);
    }

    private static string PlaceOf(string address) => address[..(address.LastIndexOfAny(MsmqName.IsMeant(address) ? ['\\'] : ['/', ':']) + 1)];
}
