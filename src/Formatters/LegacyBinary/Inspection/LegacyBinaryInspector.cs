// [MS-NRBF] 2.7: the grammar of a body.
using System;
using System.Collections.Generic;
using System.IO;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints the records of a legacy binary body: docs/inspector.md.</summary>
internal sealed class LegacyBinaryInspector() : MessageInspector("legacy-binary", ContentTypes.LegacyBinary)
{
    internal override int BodyType => BodyTypes.LegacyBinary;

    /// <summary>Recognizes the header record: 00, two ids, and the version 1.0.</summary>
    internal override bool Recognizes(ReadOnlySpan<byte> body) =>
        body.Length >= 17 && body[0] == 0 && body.Slice(9, 8).SequenceEqual("\u0001\0\0\0\0\0\0\0"u8);

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        // In two passes: an id is printed where another record refers to it, possibly later.
        var references = new HashSet<int>(KeyedComparer<int>.Instance);
        try
        {
            new NrbfPrinter(body, new InspectionWriter(TextWriter.Null, InspectionOptions.Default with { MaxCharCount = long.MaxValue }), references,
                limits).Print();
        }
        catch (MessageFormatException)
        {
            // Found again by the second pass, after the valid part.
        }

        new NrbfPrinter(body, writer, references, limits).Print();
    }
}
