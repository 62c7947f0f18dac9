#if NET

namespace Formatters.Bench.Measurement;

/// <summary>Counts what the system has been given to write to files, by <c>/proc</c>.</summary>
internal static class WriteCalls
{
    /// <summary>The write calls that a queue has cost up to now: in a folder those of this process, over PostgreSQL those of the server.</summary>
    /// <returns>Null where they cannot be seen: in RabbitMQ they cannot be told from those to its connections.</returns>
    internal static long? Count(string address, ServerProcess? server) => QueueAddress.Parse(address).Scheme switch
    {
        "file" => Read("self", "syscw"),
        "postgres" or "postgresql" => server?.WriteCalls(),
        _ => null,
    };

    /// <summary>A counter of a process.</summary>
    /// <param name="process">Its id, or <c>self</c>.</param>
    /// <param name="name"><c>wchar</c> for bytes written, <c>syscw</c> for write calls.</param>
    /// <returns>Null if the system does not say.</returns>
    internal static long? Read(string process, string name)
    {
        try
        {
            foreach (string line in File.ReadLines($"/proc/{process}/io"))
            {
                if (line.StartsWith(name + ": ", StringComparison.Ordinal))
                    return long.Parse(line[(name.Length + 2)..], CultureInfo.InvariantCulture);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another system, another user's process, or a sandbox.
        }

        return null;
    }
}
#endif
