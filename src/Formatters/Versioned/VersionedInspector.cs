// docs/wire/versioned.md: records contain the numbers and the lengths of their members, but not their types.
using System;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints versioned records: docs/inspector.md.</summary>
internal sealed class VersionedInspector() : MessageInspector("versioned", ContentTypes.Versioned)
{
    internal override int BodyType => BodyTypes.Versioned;

    internal override bool Recognizes(ReadOnlySpan<byte> body) => VersionedShape.IsRecord(body) || VersionedShape.IsUnion(body, out _);

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        new VersionedPrinter(writer, limits).PrintBody(body);
    }
}
