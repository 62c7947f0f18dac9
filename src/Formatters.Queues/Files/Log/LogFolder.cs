using System;
using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>The files of a log: a folder on disk, or a test's simulation of one that loses power.</summary>
/// <remarks>Every method either succeeds or throws an <see cref="System.IO.IOException"/> or <see cref="UnauthorizedAccessException"/>.</remarks>
internal abstract class LogFolder : IDisposable
{
    /// <summary>Gets the name for messages.</summary>
    internal abstract string Name { get; }

    internal abstract IReadOnlyList<string> GetFileNames();

    /// <summary>Creates a file of zeros with allocated and written blocks, so that a later flush has no metadata to write.</summary>
    internal abstract LogFile Create(string name, long byteCount);

    internal abstract LogFile Open(string name);

    internal abstract void Rename(string from, string to);

    internal abstract void Delete(string name);

    /// <summary>Makes created, renamed and deleted names durable.</summary>
    internal abstract void Flush();

    /// <summary>Checks that the folder still belongs to this process alone, and that the name still refers to an open file.</summary>
    /// <exception cref="FolderLostException">The check failed.</exception>
    internal abstract void ThrowIfLost(string name, LogFile file);

    public abstract void Dispose();
}

/// <summary>A file of a <see cref="LogFolder"/>: on the disk, or in a test that makes it fail.</summary>
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
