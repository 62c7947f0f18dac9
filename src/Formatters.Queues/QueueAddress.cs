using System;

namespace Formatters.Queues;

/// <summary>The address of one queue: a URI such as <c>memory:orders</c> or <c>amqp://host/vhost/orders</c>.</summary>
public sealed class QueueAddress : IEquatable<QueueAddress>
{
    private QueueAddress(Uri uri) => Uri = uri;

    /// <summary>The address as a URI, password included.</summary>
    public Uri Uri { get; }

    /// <summary>The scheme, in lower case: which kind of queue it is.</summary>
    public string Scheme => Uri.Scheme;

    /// <summary>Parses the address of one queue.</summary>
    /// <param name="address">The text.</param>
    /// <returns>The address.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is null.</exception>
    /// <exception cref="FormatException">It is no absolute URI.</exception>
    public static QueueAddress Parse(string address)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        return Uri.TryCreate(address.Trim(), UriKind.Absolute, out Uri? uri)
            ? new QueueAddress(uri)
            : throw new FormatException($"'{address}' is no queue address. An address is a URI such as memory:orders or amqp://localhost/orders.");
    }

    /// <inheritdoc/>
    public bool Equals(QueueAddress? other) => other is not null && Uri.Equals(other.Uri);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as QueueAddress);

    /// <inheritdoc/>
    public override int GetHashCode() => Uri.GetHashCode();

    /// <summary>The address for people and logs: without the password.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        string userInfo = Uri.UserInfo;
        int colon = userInfo.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 ? Uri.ToString() : new UriBuilder(Uri) { Password = "***" }.Uri.ToString();
    }
}
