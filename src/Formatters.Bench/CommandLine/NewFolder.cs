using System;
using System.IO;
using System.Threading.Tasks;

namespace Formatters.Bench.CommandLine;

/// <summary>The folder of queues that a verb makes where none are named: below the current directory, since that is on a disk, and deleted with this
/// object.</summary>
internal sealed class NewFolder : IAsyncDisposable
{
    private readonly string _name = "formatters-bench-" + Guid.NewGuid().ToString("N")[..8];

    /// <summary>The address of a queue in it.</summary>
    internal string QueueAddress(string queue) => $"file:{_name}/{queue}";

    public ValueTask DisposeAsync()
    {
        if (Directory.Exists(_name))
            Directory.Delete(_name, recursive: true);
        return default;
    }
}
