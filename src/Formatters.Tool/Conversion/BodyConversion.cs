using System.Globalization;
using System.IO;
using System.Text;
using Formatters.Inspection;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Conversion;

/// <summary>Converts bodies that are not in a queue, and counts what became of them.</summary>
/// <param name="reencoding">Reads bodies into the user's types and writes them; null to write each as JSON as the inspector shows it.</param>
/// <param name="bodyType">The body type of the bodies, 0 for none.</param>
/// <param name="contentType">The content type of the bodies, or null.</param>
/// <param name="inspector">The inspector for all bodies; null to recognize the format of each.</param>
internal sealed class BodyConversion(Reencoding? reencoding, int bodyType, string? contentType, MessageInspector? inspector)
{
    private static readonly InspectionOptions Whole = new()
    {
        MaxCharCount = long.MaxValue,
        Limits = FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue },
    };

    /// <summary>Gets the counts of converted and refused bodies.</summary>
    internal MigrateReport Report { get; } = new();

    /// <summary>Gets whether the new bodies are text.</summary>
    internal bool WritesText => reencoding is null || reencoding.WriterName is "json" or "xml";

    /// <summary>The extension that a file of a new body gets.</summary>
    internal string Extension => reencoding is null ? ".json" : WritesText ? "." + reencoding.WriterName : "";

    /// <summary>Converts a body.</summary>
    /// <param name="name">The name of its file or row, for the report.</param>
    /// <param name="bytes">The body.</param>
    /// <returns>The new body, which <see cref="AddWritten"/> counts; null if it was refused: the report says why.</returns>
    internal ConvertedBody? Convert(string name, byte[] bytes)
    {
        var changes = new ChangeList();
        var body = new MessageBody(bytes, bodyType, contentType);
        try
        {
            (byte[] converted, string reader) = reencoding is null ? Inspect(body) : Reencode(body, changes);
            return new ConvertedBody(name, bytes.Length, converted, reader, changes);
        }
        catch (RefusedException e)
        {
            Report.AddRefused(name, bytes.Length, e, changes);
            return null;
        }
    }

    /// <summary>Counts a new body that is written, or would be.</summary>
    internal void AddWritten(ConvertedBody body) => Report.AddMoved(body.Name, body.OldByteCount, body.Reader, body.Body.Length, body.Changes);

    /// <summary>Counts a new body that its place refused.</summary>
    internal void AddRefused(ConvertedBody body, string reason) =>
        Report.AddRefused(body.Name, body.OldByteCount, new RefusedException(MigrateStep.Write, nameof(MessageFormatErrorCode.BadValue), reason), body.Changes);

    /// <summary>Prints the report, and returns the exit code that it stands for.</summary>
    /// <param name="output">Receives the report.</param>
    /// <param name="unit">What was converted: files, rows.</param>
    /// <param name="isDryRun">Whether nothing was written.</param>
    internal int Print(TextWriter output, string unit, bool isDryRun)
    {
        Report.PrintTables(output, reencoding?.WriterName ?? "json", reencoding?.Allowed ?? new AllowedChanges([]), isDryRun, unit);
        return Report.NewBodyRefusedCount > 0 ? ExitCodes.Refused : Report.RefusedCount > 0 ? ExitCodes.Failure : ExitCodes.Success;
    }

    private (byte[] Body, string Reader) Reencode(MessageBody body, ChangeList changes)
    {
        (MessageBody converted, string reader) = reencoding!.Convert(body, changes);
        return (converted.ToArray(), reader);
    }

    private (byte[] Body, string Reader) Inspect(MessageBody body)
    {
        MessageInspector found = inspector ?? MessageInspector.Detect(body);
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        try
        {
            found.Inspect(body.Bytes.FirstSpan, text, Whole);
        }
        catch (MessageFormatException e)
        {
            throw new RefusedException(MigrateStep.Read, e.Code.ToString(), $"Reading the body as {found.Name}: {e.Message}", e);
        }

        return (Encoding.UTF8.GetBytes(text.ToString()), found.Name);
    }
}

/// <summary>A converted body that is not written yet.</summary>
/// <param name="Name">The name of its file or row, for the report.</param>
/// <param name="OldByteCount">The length of the old body.</param>
/// <param name="Body">The new body.</param>
/// <param name="Reader">The format of the old body.</param>
/// <param name="Changes">The allowed changes.</param>
internal sealed record ConvertedBody(string Name, long OldByteCount, byte[] Body, string Reader, ChangeList Changes);
