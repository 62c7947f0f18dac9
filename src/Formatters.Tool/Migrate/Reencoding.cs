using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Tools.Migrate;

/// <summary>Reads bodies of one or several formats and writes them in another, and holds what the new body says against what the old one
/// said.</summary>
internal sealed class Reencoding
{
    /// <summary>The growth in bytes that is always allowed: a small body is many times as large in a format that names its types.</summary>
    internal const int FreeGrowthByteCount = 4096;

    private const int MaxNamedCount = 3;

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

    /// <summary>The type of the payload; null if it was not said.</summary>
    internal Type? PayloadType { get; init; }

    /// <summary>The formats that the payload's type has no contract in, each with the reason.</summary>
    internal IReadOnlyCollection<string> LeftOut { get; init; } = [];

    /// <summary>The changes that the user has allowed.</summary>
    internal AllowedChanges Allowed { get; init; } = new([]);

    /// <summary>Gets how many times as large as the old body a new one may be, besides <see cref="FreeGrowthByteCount"/>.</summary>
    internal double MaxGrowth { get; init; } = 32;

    /// <summary>The name of the format that is written.</summary>
    internal string WriterName => _writer?.Name ?? BodyFormats.Unchanged;

    /// <summary>Makes the new body.</summary>
    /// <param name="body">The old one; it is not changed.</param>
    /// <param name="changes">Receives what the new body says otherwise, allowed or not.</param>
    /// <returns>The new body (the old one if it stays as it is), and the format that the old one was read in.</returns>
    /// <exception cref="RefusedException">The body cannot be read, what it holds not be written, or what has been written is something
    /// else.</exception>
    internal (MessageBody Body, string Reader) Convert(MessageBody body, ChangeList changes)
    {
        if (_registry is null)
            return (body, MigrateReport.NotRead);
        IMessageFormatter? formatter = _registry.Find(body);
        string reader = _readers.FirstOrDefault(named => ReferenceEquals(named.Formatter, formatter))?.Name ?? "unknown";
        string source = $"Reading the source's body as {reader}";
        object? value = Run(MigrateStep.Read, source, () => _registry.Read(body));
        if (_writer is null)
            return (body, reader);

        var written = new MessageBody();
        string destination = $"The body was read as {reader}; writing it as {_writer.Name}";
        Run(MigrateStep.Write, destination, () =>
        {
            try
            {
                _writer.Formatter.Write(written, value);
                return 0;
            }
            catch (ArgumentException) when (PayloadType is not null && !PayloadType.IsInstanceOfType(value))
            {
                throw new RefusedException(
                    MigrateStep.Read, nameof(MessageFormatErrorCode.TypeNotAllowed), $"{source}: it holds {(value is null ? "null" : MemberTexts.NameOf(value.GetType()))}, which is not a {PayloadType}.");
            }
        });
        if (written.ByteCount > FreeGrowthByteCount + (MaxGrowth * body.ByteCount))
        {
            throw new RefusedException(
                MigrateStep.Write,
                RefusedException.TooLarge,
                string.Create(CultureInfo.InvariantCulture, $"{body.ByteCount:N0} bytes of {reader} became {written.ByteCount:N0} of {_writer.Name}, more than --max-growth {MaxGrowth} allows."));
        }

        object? after = Run(MigrateStep.Write, destination + " and reading it back", () => _writer.Formatter.Read(written));
        // Read a second time: getters and callbacks that the writer has called may have changed the first object.
        object? before = Run(MigrateStep.Read, source, () => _registry.Read(body));
        GraphComparison.Compare(before, after, changes);
        PassedOver.Find(_registry, body, before, changes);
        Check(changes, destination);
        return (written, reader);
    }

    private void Check(ChangeList changes, string destination)
    {
        Change[] refused = [.. changes.Items.Where(change => !Allowed.Allows(change.Place))];
        if (refused.Length == 0)
            return;
        IEnumerable<string> named = refused.Take(MaxNamedCount).Select(change => $"{change.Place} at {change.Path} ({change.Detail})");
        throw new RefusedException(
            MigrateStep.Compare,
            RefusedException.WouldChange,
            $"{destination} would change it: {string.Join("; ", named)}{(refused.Length > MaxNamedCount ? $"; and {refused.Length - MaxNamedCount} more" : "")}. To allow it: --allow {refused[0].Place}") { MemberPath = refused[0].Path };
    }

    private T Run<T>(MigrateStep step, string what, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (MessageFormatException e)
        {
            string advice = (step, e.Code) switch
            {
                (MigrateStep.Write, MessageFormatErrorCode.UnexpectedNull) =>
                    " The contract does not allow null there: declare the member nullable, or, for types without nullable annotations, use --unannotated-null.",
                (MigrateStep.Read, MessageFormatErrorCode.UnknownFormat) when LeftOut.Count > 0 =>
                    $" Formats that {PayloadType} has no contract in were not tried: {string.Join("; ", LeftOut)}.",
                _ => "",
            };
            throw new RefusedException(step, e.Code.ToString(), $"{what}: {e.Message}{advice}", e);
        }
        catch (Exception e) when (e is not (OutOfMemoryException or RefusedException))
        {
            // The object is of another type than the writer's, null where it has no null, or a formatter of the user's failed.
            MessageFormatErrorCode code = e is ArgumentNullException ? MessageFormatErrorCode.UnexpectedNull : MessageFormatErrorCode.TypeNotAllowed;
            throw new RefusedException(step, code.ToString(), $"{what}: {e.Message}");
        }
    }
}
