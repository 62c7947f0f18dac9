#if NET
using Formatters.Bench.Network;

namespace Formatters.Bench.Measurement;

/// <summary>The processes of a queue's server, where that runs on this machine: what they use.</summary>
internal sealed class ServerProcess
{
    private const double TicksPerSecond = 100;

    private static readonly string[] SocketTables = ["/proc/net/tcp", "/proc/net/tcp6"];

    private readonly int _id;

    private ServerProcess(int id) => _id = id;

    /// <summary>The id of the process that listens.</summary>
    internal int Id => _id;

    /// <summary>Finds the process that listens where a queue's server does.</summary>
    /// <returns>Null if the queue has no server, or it runs elsewhere, or the system does not show it.</returns>
    internal static ServerProcess? Find(string addresses)
    {
        QueueAddress address = QueueAddress.ParseList(addresses)[0];
        if (!OperatingSystem.IsLinux() || address.Scheme is not ("amqp" or "amqps" or "postgres" or "postgresql") || !address.Uri.IsLoopback)
            return null;
        try
        {
            HashSet<string> sockets =
                [.. SocketTables.SelectMany(path => Listening(path, LoopbackProxy.PortOf(address))).Select(static inode => $"socket:[{inode}]")];
            return Ids().Where(id => HasSocket(id, sockets)).Select(static id => new ServerProcess(id)).FirstOrDefault();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads the use of the process and its descendants so far; null if it has ended.</summary>
    internal ServerUse? Use() => Processes() is { Count: > 0 } processes
        ? new ServerUse(TimeSpan.FromTicks(processes.Values.Sum(static process => process.Cpu.Ticks)),
            processes.Values.Sum(static process => process.Memory))
        : null;

    /// <summary>Returns how often they have written to files up to now; null if the system does not say.</summary>
    internal long? WriteCalls() => Processes()
        .Keys.Select(static id => Measurement.WriteCalls.Read(id.ToString(CultureInfo.InvariantCulture), "syscw")).Sum() is > 0 and var count
            ? count
            : null;

    /// <summary>The process and its descendants; none if it has ended.</summary>
    private Dictionary<int, (int Parent, TimeSpan Cpu, long Memory)> Processes()
    {
        var all = new Dictionary<int, (int Parent, TimeSpan Cpu, long Memory)>();
        foreach (int id in Ids())
        {
            if (ReadStat(id) is { } stat)
                all[id] = stat;
        }

        return all.ContainsKey(_id) ? all.Where(process => IsOurs(process.Key)).ToDictionary() : [];

        bool IsOurs(int id)
        {
            for (int depth = 0; depth < 32 && id > 1; depth++)
            {
                if (id == _id)
                    return true;
                id = all.TryGetValue(id, out (int Parent, TimeSpan, long) stat) ? stat.Parent : 0;
            }

            return false;
        }
    }

    private static IEnumerable<int> Ids() =>
        Directory.EnumerateDirectories("/proc")
            .Select(static path => int.TryParse(Path.GetFileName(path), NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
                .Where(static id => id > 0);

    /// <summary>The sockets that listen on a port: "sl local_address rem_address st ... inode", addresses and ports in hexadecimal, state
    /// 0A.</summary>
    private static IEnumerable<string> Listening(string path, int port)
    {
        if (!File.Exists(path))
            yield break;
        string suffix = ":" + port.ToString("X4", CultureInfo.InvariantCulture);
        foreach (string line in File.ReadLines(path).Skip(1))
        {
            string[] fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (fields.Length > 9 && fields[3] == "0A" && fields[1].EndsWith(suffix, StringComparison.Ordinal))
                yield return fields[9];
        }
    }

    private static bool HasSocket(int id, HashSet<string> sockets)
    {
        try
        {
            return Directory.EnumerateFiles($"/proc/{id}/fd").Any(path => new FileInfo(path).LinkTarget is { } target && sockets.Contains(target));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another user's, or ended meanwhile.
            return false;
        }
    }

    private static (int Parent, TimeSpan Cpu, long Memory)? ReadStat(int id)
    {
        try
        {
            // The name stands in brackets and may have spaces; after it: state, parent, ... utime, stime, cutime, cstime, ... resident pages.
            string text = File.ReadAllText($"/proc/{id}/stat");
            string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            double ticks = fields[11..15].Sum(static field => double.Parse(field, CultureInfo.InvariantCulture));
            return (int.Parse(fields[1], CultureInfo.InvariantCulture), TimeSpan.FromSeconds(ticks / TicksPerSecond),
                long.Parse(fields[21], CultureInfo.InvariantCulture) * Environment.SystemPageSize);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or IndexOutOfRangeException)
        {
            return null;
        }
    }
}

/// <param name="Cpu">The time of all processors, in hundredths of a second.</param>
/// <param name="MemoryBytes">The memory that they hold; shared memory counts for each that uses it.</param>
internal readonly record struct ServerUse(TimeSpan Cpu, long MemoryBytes);
#endif
