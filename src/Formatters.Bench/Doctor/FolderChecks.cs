using Formatters.Bench.Limits;

namespace Formatters.Bench.Doctor;

/// <summary>A folder for queues, and the disk beneath it.</summary>
internal static class FolderChecks
{
    private static readonly string[] VirtualDisks = ["/dev/vd", "/dev/xvd"];

    private const int Takes = 5;
    private const int BlockByteCount = 1_024;

    // A flush that reaches a disk without a protected cache takes 50 us at least; only memory is faster.
    private const double TooFast = 50_000;

    /// <summary>Looks at a folder; where it is not there, at the nearest one above it.</summary>
    internal static IEnumerable<DoctorCheck> Check(string folder, TimeSpan time, CancellationToken cancellationToken)
    {
        string area = folder;
        string? there = Path.GetFullPath(folder);
        while (there is not null && !Directory.Exists(there))
            there = Path.GetDirectoryName(there);
        if (there is null)
        {
            yield return DoctorCheck.Failed(area, "folder", "neither it nor any folder above it exists", "Name a folder on a disk of this machine.");
            yield break;
        }

        string? fileSystem = SystemState.FileSystem(there);
        yield return JudgeFileSystem(area, fileSystem);
        var drive = new DriveInfo(there);
        yield return DoctorCheck.WarnIf(
            drive.AvailableFreeSpace < 4L << 30, area, "room", $"{Numbers.Gibibytes(drive.AvailableFreeSpace)} free",
            "A measurement may need some GiB for waiting messages: free some space.");
        if (SystemState.BlockDevice(there) is { } device)
        {
            yield return JudgeDisk(area, device);
            yield return JudgeWriteCache(area, device.WriteCache);
        }
        else
        {
            yield return DoctorCheck.Unknown(area, "disk", "the system does not say which disk it is, nor whether it caches writes");
        }

        double[] rates;
        DoctorCheck? failure = null;
        try
        {
            rates = Measure(there, time, cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            rates = [];
            failure = DoctorCheck.Failed(area, "flushes", e.Message, "The tool must be able to write there.");
        }

        yield return failure
            ?? JudgeFlushes(area, rates, there == Path.GetFullPath(folder) ? "" : $" (measured in {there}: the folder is not there yet)");
    }

    internal static DoctorCheck JudgeFileSystem(string area, string? fileSystem)
    {
        string? kind = fileSystem?.Split(' ')[0];
        string[] options = fileSystem?.Split('(', ')') is [_, var list, ..] ? list.Split(',') : [];
        return kind switch
        {
            null => DoctorCheck.Unknown(area, "file system", "the system does not say"),
            "tmpfs" or "ramfs" =>
                DoctorCheck.Warning(area, "file system", fileSystem!,
                    "This is memory: nothing there is durable, and flushes cost nothing. Name a folder on a disk."),
            "nfs" or "nfs4" or "cifs" or "smb3" or "9p" or "virtiofs" or "fuse.sshfs" => DoctorCheck.Warning(
                area, "file system", fileSystem!, "A network is between: locks and flushes are only as good as the server's. Name a local disk."),
            "overlay" or "aufs" =>
                DoctorCheck.Warning(area, "file system", fileSystem!,
                    "The writable layer of a container: it goes with the container, and the first write to a file copies it. Mount a volume."),
            _ when options.Contains("nobarrier") || options.Contains("barrier=0") => DoctorCheck.Warning(
                area, "file system", fileSystem!,
                "Mounted without barriers: a flush does not reach the disk, and a power cut loses what was recoverable. Mount with barriers."),
            _ => DoctorCheck.Ok(area, "file system", fileSystem!),
        };
    }

    internal static DoctorCheck JudgeDisk(string area, BlockDevice device)
    {
        string scheduler = $"; scheduler {device.Scheduler ?? "unknown"}";
        // Disks of virtual machines say that they rotate, whatever lies beneath.
        bool isVirtual = VirtualDisks.Any(name => device.Name.StartsWith(name, StringComparison.Ordinal));
        return device.IsRotational switch
        {
            _ when isVirtual => DoctorCheck.Unknown(area, "disk", $"{device.Name}, of a virtual machine: the disk beneath it is unknown{scheduler}"),
            true =>
                DoctorCheck.Warning(area, "disk", $"{device.Name}, rotating{scheduler}",
                    "A flush waits for the platter, 4 to 8 ms: batch messages, or let several senders share flushes."),
            false => DoctorCheck.Ok(area, "disk", $"{device.Name}, not rotating{scheduler}"),
            null => DoctorCheck.Unknown(area, "disk", $"{device.Name}: the system does not say whether it rotates{scheduler}"),
        };
    }

    internal static DoctorCheck JudgeWriteCache(string area, string? cache) => cache switch
    {
        null => DoctorCheck.Unknown(area, "write cache", "the system does not say"),
        "write through" =>
            DoctorCheck.Ok(area, "write cache", "write through: what is written is on the disk, or in a cache that survives power cuts"),
        _ => DoctorCheck.Ok(area, "write cache", $"{cache}: every flush empties it"),
    };

    internal static DoctorCheck JudgeFlushes(string area, IReadOnlyList<double> rates, string where)
    {
        Statistics flushes = Statistics.Of([.. rates]);
        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"{flushes.Median:N0} flushes a second of 1 KiB ({flushes.Min:N0} to {flushes.Max:N0} in {flushes.Count} takes), "
            + $"{1_000 / flushes.Median:0.00} ms each{where}");
        return flushes switch
        {
            { Median: > TooFast } =>
                DoctorCheck.Warning(area, "flushes", text,
                    "Too fast to reach a disk: recoverable messages would not survive a power cut, and their rates are those of memory."),
            _ when flushes.Max > 2 * flushes.Min =>
                DoctorCheck.Warning(area, "flushes", text,
                    "The disk is not steady: others use it, or it is a share of one. Compare with 'limits', which measures it in every round."),
            _ => DoctorCheck.Ok(area, "flushes", text),
        };
    }

    private static double[] Measure(string folder, TimeSpan time, CancellationToken cancellationToken)
    {
        using IDiskMeter meter = DiskMeter.Open(folder, BlockByteCount, TimeSpan.Zero);
        var rates = new double[Takes];
        for (int i = 0; i < rates.Length; i++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            rates[i] = meter.Measure(time / Takes);
        }

        return rates;
    }
}
