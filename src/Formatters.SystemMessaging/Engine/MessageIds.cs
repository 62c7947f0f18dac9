using System.Globalization;
using System.Runtime.CompilerServices;

namespace System.Messaging;

/// <summary>Checks ids of messages: <c>guid\number</c>.</summary>
internal static class MessageIds
{
    // Queues also have messages of programs that give other ids. A program can answer them: it has the string of their id.
    private static readonly ConditionalWeakTable<string, object> Received = [];

    /// <summary>Accepts the id of a received message as a correlation id, whatever its form is.</summary>
    internal static string Accept(string id)
    {
        if (!IsValid(id))
            Received.AddOrUpdate(id, id);
        return id;
    }

    /// <exception cref="InvalidOperationException">The value is neither empty, nor an id of MSMQ, nor the id of a received message.</exception>
    internal static string Check(string? id, string name)
    {
        ArgumentNullException.ThrowIfNull(id, name);
        return id.Length == 0 || IsValid(id) || Received.TryGetValue(id, out _)
            ? id
            : throw new InvalidOperationException($@"'{id}' is not the id of a message: a guid, a backslash, and a number of 32 bits.");
    }

    private static bool IsValid(string id) =>
        id.IndexOf('\\', StringComparison.Ordinal) is var end and > 0 && Guid.TryParse(id.AsSpan(0, end), out _)
        && int.TryParse(id.AsSpan(end + 1), NumberStyles.Integer, CultureInfo.InvariantCulture, out _);
}
