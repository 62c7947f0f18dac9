using Microsoft.Win32.SafeHandles;

namespace Formatters.Bench.Limits;

/// <summary>Measures what a disk can do.</summary>
internal interface IDiskMeter : IDisposable
{
    /// <returns>Flushes per second.</returns>
    double Measure(TimeSpan time);
}

/// <summary>Appends to a preallocated file and flushes, over and over: what a disk can do at most for a sender that waits for each of its
/// messages.</summary>
internal sealed class DiskMeter : IDiskMeter
{
    private const int FileByteCount = 16 << 20;

    private readonly SafeFileHandle _file;
    private readonly byte[] _block;
    private readonly TimeSpan _delay;
    private long _position;

    private DiskMeter(string folder, int byteCount, TimeSpan delay)
    {
        _delay = delay;
        _block = new byte[byteCount];
        Random.Shared.NextBytes(_block);
        _file = File.OpenHandle(
            Path.Combine(folder, $"flush-rate-{Guid.NewGuid():N}.tmp"), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None,
                FileOptions.DeleteOnClose);
        byte[] zeros = new byte[1 << 20];
        for (int offset = 0; offset < FileByteCount; offset += zeros.Length)
            RandomAccess.Write(_file, zeros, offset);
        DiskFlush.FlushFile(_file);
    }

    /// <summary>Makes the file.</summary>
    /// <param name="folder">Where it is; it is deleted with this object.</param>
    /// <param name="byteCount">The size of an append.</param>
    /// <param name="delay">Added to each flush.</param>
    internal static IDiskMeter Open(string folder, int byteCount, TimeSpan delay) => new DiskMeter(folder, byteCount, delay);

    /// <summary>Measures for a time, after a while in which the disk gets rid of what others wrote before.</summary>
    /// <returns>Flushes per second.</returns>
    public double Measure(TimeSpan time)
    {
        Run(time / 4);
        return Run(time);
    }

    private double Run(TimeSpan time)
    {
        long start = Stopwatch.GetTimestamp();
        int count = 0;
        TimeSpan elapsed;
        do
        {
            if (_position + _block.Length > FileByteCount)
                _position = 0;
            RandomAccess.Write(_file, _block, _position);
            DiskFlush.FlushFile(_file);
            DiskFlush.Delay(_delay);
            _position += _block.Length;
            count++;
            elapsed = Stopwatch.GetElapsedTime(start);
        }
        while (elapsed < time);
        return count / elapsed.TotalSeconds;
    }

    public void Dispose() => _file.Dispose();
}
