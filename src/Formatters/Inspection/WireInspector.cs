using System;
using Formatters.Custom;
using Formatters.Generated;
using Formatters.Inspection;

namespace Formatters;

/// <summary>The base of inspectors for self-describing traversal formats.</summary>
internal abstract class WireInspector(string name, string contentType) : MessageInspector(name, contentType)
{
    protected sealed override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        var reader = new WireReader(body, limits);
        Print(ref reader, writer);
        reader.Input.EnsureEnd();
    }

    /// <summary>Prints one value.</summary>
    private protected abstract void Print(ref WireReader reader, InspectionWriter writer);

    /// <summary>Reads the key of a map as a name.</summary>
    private protected abstract string ReadName(ref WireReader reader);

    /// <summary>Tries to read the end of an array or map without a count.</summary>
    private protected virtual bool TryReadEnd(ref WireReader reader) => false;

    /// <summary>Prints the items of an array or a map whose header has been read.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="writer">The writer.</param>
    /// <param name="isMap">Whether each item has a key.</param>
    /// <param name="count">The number of items; null if <see cref="TryReadEnd"/> finds the end.</param>
    private protected void PrintItems(ref WireReader reader, InspectionWriter writer, bool isMap, int? count)
    {
        reader.Enter();
        if (isMap)
            writer.BeginObject();
        else
            writer.BeginArray();
        for (int i = 0; count is null ? !TryReadEnd(ref reader) : i < count; i++)
        {
            if (isMap)
            {
                writer.At(reader.ByteOffset);
                writer.WriteName(ReadName(ref reader));
            }

            Print(ref reader, writer);
        }

        if (isMap)
            writer.EndObject();
        else
            writer.EndArray();
        reader.Leave();
    }
}
