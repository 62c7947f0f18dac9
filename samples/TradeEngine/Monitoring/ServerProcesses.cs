namespace Formatters.TradeEngine.Monitoring;

/// <summary>The processes of a server on this machine, found by the port on which it listens: what they use of the processors. Linux only.</summary>
internal sealed class ServerProcesses
{
    private const double TicksPerSecond = 100;

    private readonly int _main;
    private readonly Dictionary<int, double> _seconds = [];

    private ServerProcesses(int main) => _main = main;

    /// <summary>Finds the server that listens on a port.</summary>
    /// <returns>Null if there is none here, or the system does not tell.</returns>
    internal static ServerProcesses? Find(string host, int port)
    {
        if (!OperatingSystem.IsLinux() || host is not ("localhost" or "127.0.0.1" or "::1" or "[::1]"))
            return null;
        try
        {
            string[] sockets = [.. ((string[])["/proc/net/tcp", "/proc/net/tcp6"]).Where(File.Exists).SelectMany(file => SocketsOf(file, port))];
            int main = sockets.Length == 0 ? 0 : Processes().Where(process => HasSocket(process, sockets)).DefaultIfEmpty().Min();
            return main == 0 ? null : new ServerProcesses(main);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The processor time of the server and of its children, those that have ended included as far as they were seen.</summary>
    internal double ReadSeconds()
    {
        // The time of children whose end the server has noticed is with it.
        foreach (int process in Processes())
        {
            if (ReadStat(process) is { } stat && (process == _main || stat.Parent == _main))
                _seconds[process] = stat.Seconds;
        }

        return _seconds.Values.Sum();
    }

    private static IEnumerable<int> Processes() => Directory.EnumerateDirectories("/proc")
        .Select(folder => int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0)
        .Where(number => number > 0);

    // "sl local_address rem_address st ... uid timeout inode": state 0A listens.
    private static IEnumerable<string> SocketsOf(string file, int port)
    {
        string end = string.Create(CultureInfo.InvariantCulture, $":{port:X4}");
        return File.ReadLines(file).Skip(1).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(fields => fields.Length > 9 && fields[3] == "0A" && fields[1].EndsWith(end, StringComparison.Ordinal))
            .Select(fields => $"socket:[{fields[9]}]");
    }

    private static bool HasSocket(int process, string[] sockets)
    {
        try
        {
            return Directory.EnumerateFiles(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/fd"))
                .Any(file => new FileInfo(file).LinkTarget is { } target && sockets.Contains(target));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    // "pid (name) state ppid ... utime stime ...": fields 4, 14 and 15.
    private static (int Parent, double Seconds)? ReadStat(int process)
    {
        try
        {
            string text = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/stat"));
            string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            return (int.Parse(fields[1], CultureInfo.InvariantCulture),
                (long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture)) / TicksPerSecond);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
