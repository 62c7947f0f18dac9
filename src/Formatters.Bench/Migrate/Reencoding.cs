using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Bench.Migrate;

/// <summary>Reads bodies of one or several formats and writes them in another.</summary>
internal sealed class Reencoding
{
    private readonly FormatterRegistry? _registry;
    private readonly IReadOnlyList<NamedFormatter> _readers;
    private readonly NamedFormatter? _writer;

    /// <summary>Makes a re-encoding.</summary>
    /// <param name="readers">Read the bodies: one that is given every body that is not tagged as another's, or several that are asked.</param>
    /// <param name="writer">Writes them anew; null: what can be read stays as it is.</param>
    /// <param name="readUnchanged">Without a writer: whether bodies are read at all.</param>
    internal Reencoding(IReadOnlyList<NamedFormatter> readers, NamedFormatter? writer, bool readUnchanged)
    {
        _readers = readers;
        _writer = writer;
        if (writer is not null || readUnchanged)
        {
            var registry = new FormatterRegistry(readers[0].Formatter, [.. readers.Skip(1).Select(reader => reader.Formatter)]);
            // The one format that was named has what is not tagged; ActiveX is nothing without its tag.
            _registry = readers is [{ Formatter: not ActiveXFormatter and not FormatterRegistry }] ? registry.WithUntaggedReader(readers[0].Formatter) : registry;
        }
    }

    /// <summary>The name of the format that is written.</summary>
    internal string WriterName => _writer?.Name ?? BodyFormats.Unchanged;

    /// <summary>Makes the new body.</summary>
    /// <param name="body">The old one; it is not changed.</param>
    /// <param name="reader">The format that it was read in.</param>
    /// <returns>The new body; the old one if it stays as it is.</returns>
    /// <exception cref="MessageFormatException">The body cannot be read, or what it holds not be written.</exception>
    internal MessageBody Convert(MessageBody body, out string reader)
    {
        reader = MigrateReport.NotRead;
        if (_registry is null)
            return body;
        IMessageFormatter? formatter = _registry.Find(body);
        reader = _readers.FirstOrDefault(named => ReferenceEquals(named.Formatter, formatter))?.Name ?? "unknown";
        try
        {
            object? value = _registry.Read(body);
            if (_writer is null)
                return body;
            var written = new MessageBody();
            _writer.Formatter.Write(written, value);
            return written;
        }
        catch (Exception e) when (e is not (MessageFormatException or OutOfMemoryException))
        {
            // The object is of another type than the writer's, null where it has no null, or a formatter of the user's failed.
            MessageFormatErrorCode code = e is ArgumentNullException ? MessageFormatErrorCode.UnexpectedNull : MessageFormatErrorCode.TypeNotAllowed;
            throw new MessageFormatException(code, $"Read as {reader}: {e.Message}", innerException: e);
        }
    }
}
