namespace Formatters.TradeEngine.Monitoring;

/// <summary>How many requests wait at the disks of this machine or are being served. Linux only.</summary>
internal static class DiskQueues
{
    private const string File = "/proc/diskstats";

    /// <summary>
    /// The area under the curve of the length of a disk's queue since the start of the system, in seconds: two readings less each other, divided by
    /// the time between, give the average length.
    /// </summary>
    /// <returns>Of the disk that has had the most; zero where the system does not tell.</returns>
    internal static double ReadSeconds()
    {
        try
        {
            // "major minor name reads ... weighted-ms": the eleventh number after the name.
            return OperatingSystem.IsLinux()
                ? System.IO.File.ReadLines(File).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                    .Where(fields => fields.Length > 13 && !fields[2].StartsWith("loop", StringComparison.Ordinal))
                    .Select(fields => double.Parse(fields[13], CultureInfo.InvariantCulture) / 1000).DefaultIfEmpty().Max()
                : 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return 0;
        }
    }
}
