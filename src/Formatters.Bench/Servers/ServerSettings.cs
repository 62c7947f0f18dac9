namespace Formatters.Bench.Servers;

/// <summary>Asks a queue's server for the settings on which measurements depend.</summary>
internal static partial class ServerSettings
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <summary>Not a setting but a state: rows of any queue's messages that are gone and that no vacuum has removed yet.</summary>
    internal const string DeadRows = "dead rows";

    /// <param name="addresses">One address, or several; the first one's server is asked.</param>
    /// <returns>The settings by name; empty where the server does not tell: nothing is measured the worse for that.</returns>
    internal static async Task<IReadOnlyDictionary<string, string>> ReadAsync(string addresses, CancellationToken cancellationToken)
    {
        QueueAddress address = QueueAddress.ParseList(addresses)[0];
        try
        {
            return await AskAsync(address, cancellationToken);
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested && IsUnreachable(e))
        {
            return new Dictionary<string, string>();
        }
    }

    /// <summary>Asks, and throws what <see cref="IsUnreachable"/> knows where the server does not answer.</summary>
    internal static async Task<IReadOnlyDictionary<string, string>> AskAsync(QueueAddress address, CancellationToken cancellationToken)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        return address.Scheme switch
        {
            "file" => ReadFolder(address),
            _ => await AskServerAsync(address, patience.Token),
        };
    }

    /// <summary>Determines whether an error says that a server does not answer, or not as such a server does.</summary>
    internal static partial bool IsUnreachable(Exception e);

    private static partial Task<IReadOnlyDictionary<string, string>> AskServerAsync(QueueAddress address, CancellationToken cancellationToken);

    private static Dictionary<string, string> ReadFolder(QueueAddress address) =>
        SystemState.FileSystem(Path.GetDirectoryName(address.Uri.LocalPath) ?? "/") is { } system ? new() { ["file system"] = system } : [];
}
