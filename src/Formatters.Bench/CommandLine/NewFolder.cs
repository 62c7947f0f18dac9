using System.CommandLine;

namespace Formatters.Bench.CommandLine;

/// <summary>The folder of queues that a verb makes where none are named: below the current directory, since that is on a disk, and deleted with this
/// object.</summary>
internal sealed class NewFolder : IAsyncDisposable
{
    private readonly string _name = "formatters-bench-" + Guid.NewGuid().ToString("N")[..8];

    internal static Argument<string[]> CreateQueues() => new("queue")
    {
        Description = "The queues, which must be empty. Default: one in memory, and one in a new folder below the current directory.",
        Arity = ArgumentArity.ZeroOrMore,
        HelpName = "queue",
    };

    /// <summary>The queues that were named, or one in memory and one in the folder.</summary>
    /// <exception cref="UsageException">An argument names several.</exception>
    internal string[] QueuesOf(string[]? given, string verb)
    {
        string[] addresses = given is { Length: > 0 } ? given : [$"memory:{verb}", $"file:{_name}/{verb}"];
        return addresses.All(static address => QueueAddress.ParseList(address).Count == 1)
            ? addresses
            : throw new UsageException($"{verb} takes one queue for each argument; several are separated by spaces.");
    }

    public ValueTask DisposeAsync()
    {
        if (Directory.Exists(_name))
            Directory.Delete(_name, recursive: true);
        return default;
    }
}
