using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>A folder on disk that is only read, without taking its lock.</summary>
internal sealed class ReadOnlyFolder(string path) : LogFolder
{
    internal override string Name => path;

    internal override IReadOnlyList<string> GetFileNames() => Directory.EnumerateFiles(path).Select(file => Path.GetFileName(file)).ToArray();

    internal override LogFile Open(string name) =>
        new ReadOnlyFile(File.OpenHandle(Path.Combine(path, name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));

    internal override LogFile Create(string name, long byteCount) => throw Error();

    internal override void Rename(string from, string to) => throw Error();

    internal override void Delete(string name) => throw Error();

    internal override void Flush() => throw Error();

    internal override void ThrowIfLost(string name, LogFile file) => throw Error();

    public override void Dispose()
    {
    }

    private static InvalidOperationException Error() => new("The folder is only read.");

    private sealed class ReadOnlyFile(SafeFileHandle handle) : LogFile
    {
        internal override long ByteCount => RandomAccess.GetLength(handle);

        internal override void Write(ReadOnlySpan<byte> bytes, long offset) => throw Error();

        internal override int Read(Span<byte> bytes, long offset)
        {
            int total = 0;
            while (total < bytes.Length)
            {
                int read = RandomAccess.Read(handle, bytes[total..], offset + total);
                if (read == 0)
                    break;
                total += read;
            }

            return total;
        }

        internal override void Flush() => throw Error();

        public override void Dispose() => handle.Dispose();
    }
}
