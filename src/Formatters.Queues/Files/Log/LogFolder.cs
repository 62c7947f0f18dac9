using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>The files of a log: a folder of the disk, or a test's simulation of one that loses power.</summary>
/// <remarks>Every method either does what it says or throws an <see cref="System.IO.IOException"/> or <see cref="UnauthorizedAccessException"/>.</remarks>
internal abstract class LogFolder : IDisposable
{
    /// <summary>The name for people.</summary>
    internal abstract string Name { get; }

    internal abstract IReadOnlyList<string> GetFileNames();

    /// <summary>Creates a file of zeros whose blocks are allocated and written, so that a later flush has no metadata to write.</summary>
    internal abstract LogFile Create(string name, long byteCount);

    internal abstract LogFile Open(string name);

    internal abstract void Rename(string from, string to);

    internal abstract void Delete(string name);

    /// <summary>Makes what was created, renamed and deleted durable.</summary>
    internal abstract void Flush();

    /// <summary>Sees that the folder is still this opening's alone, and an open file still the one of its name.</summary>
    /// <exception cref="FolderLostException">It is not.</exception>
    internal abstract void ThrowIfLost(string name, LogFile file);

    public abstract void Dispose();
}

/// <summary>One file of a <see cref="LogFolder"/>.</summary>
internal abstract class LogFile : IDisposable
{
    internal abstract long ByteCount { get; }

    internal abstract void Write(ReadOnlySpan<byte> bytes, long offset);

    /// <summary>Reads until the span is full or the file ends.</summary>
    /// <returns>The number of bytes read.</returns>
    internal abstract int Read(Span<byte> bytes, long offset);

    /// <summary>Makes the written bytes durable (<c>fdatasync</c>).</summary>
    internal abstract void Flush();

    public abstract void Dispose();
}
