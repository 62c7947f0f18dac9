using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using Formatters.Inspection;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>Prints protobuf: docs/inspector.md.</summary>
internal sealed class ProtobufInspector() : MessageInspector("protobuf", ContentTypes.Protobuf)
{
    // The range of likely floating-point numbers: bits outside are more likely an integer.
    private const double MinLikely = 1e-9;
    private const double MaxLikely = 1e15;

    internal override int BodyType => BodyTypes.Protobuf;

    internal override string[] OtherContentTypes => ["application/protobuf", "application/vnd.google.protobuf"];

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        writer.At(0);
        Print(body, 0, isGroup: false, writer, limits, depth: 1);
    }

    /// <summary>Prints a message; for an invalid one the fields before the error.</summary>
    private static void Print(ReadOnlySpan<byte> message, int byteOffset, bool isGroup, InspectionWriter writer, FormatterLimits limits, int depth)
    {
        StackGuard.Check(byteOffset);
        var fields = new List<Field>();
        MessageFormatException? error = Gather(message, byteOffset, isGroup, limits, fields);
        // Grouped by number, in the order in which the numbers first occur.
        fields.Sort(static (a, b) => a.Rank != b.Rank ? a.Rank.CompareTo(b.Rank) : a.Start.CompareTo(b.Start));
        writer.BeginObject();
        for (int start = 0, end; start < fields.Count; start = end)
        {
            for (end = start + 1; end < fields.Count && fields[end].Rank == fields[start].Rank;)
                end++;
            writer.At(byteOffset + fields[start].TagOffset);
            writer.WriteName(fields[start].Number.ToString(CultureInfo.InvariantCulture));
            if (end > start + 1)
                writer.BeginArray();
            for (int i = start; i < end; i++)
            {
                Field field = fields[i];
                writer.At(byteOffset + field.TagOffset);
                PrintValue(message.Slice(field.Start, field.ByteCount), byteOffset + field.Start, field.WireType, writer, limits, depth);
            }

            if (end > start + 1)
                writer.EndArray();
        }

        if (error is not null)
            throw error;
        writer.EndObject();
    }

    /// <summary>Finds the fields of a message, or of a group up to its end.</summary>
    /// <returns>The error after them.</returns>
    private static MessageFormatException? Gather(ReadOnlySpan<byte> message, int byteOffset, bool isGroup, FormatterLimits limits,
        List<Field> fields)
    {
        var reader = new ProtobufBodyReader(message, limits);
        var ranks = new Dictionary<int, int>(KeyedComparer<int>.Instance);
        try
        {
            int tagOffset = 0;
            while (reader.TryReadTag(out int number, out ProtobufWireType wireType) && !(isGroup && wireType == ProtobufWireType.EndGroup))
            {
                int start = reader.ByteOffset;
                reader.Skip(number, wireType);
                if (!ranks.TryGetValue(number, out int rank))
                    ranks.Add(number, rank = ranks.Count);
                fields.Add(new Field(number, wireType, tagOffset, start, reader.ByteOffset - start, rank));
                tagOffset = reader.ByteOffset;
            }

            return null;
        }
        catch (MessageFormatException e)
        {
            return e;
        }
    }

    private static void PrintValue(ReadOnlySpan<byte> value, int byteOffset, ProtobufWireType wireType, InspectionWriter writer,
        FormatterLimits limits, int depth)
    {
        var reader = new ProtobufBodyReader(value, limits);
        switch (wireType)
        {
            case ProtobufWireType.Varint:
                PrintInteger(reader.ReadUInt64(), writer);
                break;
            case ProtobufWireType.Fixed32:
                float single = reader.ReadFloat();
                if (single == 0 || Math.Abs(single) is > (float)MinLikely and < (float)MaxLikely)
                    writer.Write(single);
                else
                    PrintInteger(new ProtobufBodyReader(value, limits).ReadFixed32(), writer);
                break;
            case ProtobufWireType.Fixed64:
                double number = reader.ReadDouble();
                if (number == 0 || Math.Abs(number) is > MinLikely and < MaxLikely)
                    writer.Write(number);
                else
                    PrintInteger(new ProtobufBodyReader(value, limits).ReadFixed64(), writer);
                break;
            case ProtobufWireType.StartGroup:
                Print(value, byteOffset, isGroup: true, writer, limits, depth + 1);
                break;
            default:
                ReadOnlySpan<byte> content = reader.ReadSpan();
                PrintContent(content, byteOffset + value.Length - content.Length, writer, limits, depth);
                break;
        }
    }

    /// <summary>Prints a length-delimited value: as printable text, a message, any other text, or bytes.</summary>
    private static void PrintContent(ReadOnlySpan<byte> content, int byteOffset, InspectionWriter writer, FormatterLimits limits, int depth)
    {
        string? text = Utf8Text.Read(ref MemoryMarshal.GetReference(content), content.Length, null);
        if (text is not null && IsPrintable(text))
            writer.Write(text);
        else if (depth < limits.MaxDepth && IsMessage(content, limits))
            Print(content, byteOffset, isGroup: false, writer, limits, depth + 1);
        else if (text is not null)
            writer.Write(text);
        else
            writer.WriteBytes(content);
    }

    private static bool IsMessage(ReadOnlySpan<byte> content, FormatterLimits limits)
    {
        var reader = new ProtobufBodyReader(content, limits);
        try
        {
            while (reader.TryReadTag(out int number, out ProtobufWireType wireType))
                reader.Skip(number, wireType);
            return true;
        }
        catch (MessageFormatException)
        {
            return false;
        }
    }

    private static bool IsPrintable(string text)
    {
        foreach (char c in text)
        {
            if (char.IsControl(c) && c is not ('\n' or '\r' or '\t'))
                return false;
        }

        return true;
    }

    /// <summary>Prints an integer as a signed one: if the top bit is set, a negative one is more likely.</summary>
    private static void PrintInteger(ulong value, InspectionWriter writer) => writer.Write((long)value);

    private readonly record struct Field(int Number, ProtobufWireType WireType, int TagOffset, int Start, int ByteCount, int Rank);
}
