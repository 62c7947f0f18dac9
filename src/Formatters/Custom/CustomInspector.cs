using System;
using System.Globalization;
using Formatters.Custom;
using Formatters.Generated;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints bodies of a format of the application: docs/inspector.md.</summary>
internal sealed class CustomInspector<TFormat>() : WireInspector(default(TFormat).Name, default(TFormat).ContentType)
    where TFormat : struct, ICustomWireFormat
{
    internal override int BodyType => default(TFormat).BodyType;

    private protected override void Print(ref WireReader reader, InspectionWriter writer)
    {
        writer.At(reader.ByteOffset);
        CustomWireFormat<TFormat> format = default;
        switch (CustomWireFormat<TFormat>.Peek(ref reader))
        {
            case WireValueKind.Null:
                format.TryReadNull(ref reader);
                writer.WriteNull();
                break;
            case WireValueKind.Boolean:
                writer.Write(format.ReadBoolean(ref reader));
                break;
            case WireValueKind.Integer:
                writer.WriteRaw(ReadInteger(ref reader));
                break;
            case WireValueKind.Double:
                writer.Write(format.ReadDouble(ref reader));
                break;
            case WireValueKind.String:
                ReadOnlySpan<byte> utf8 = format.ReadUtf8(ref reader);
                if (ToText(utf8) is string text)
                    writer.Write(text);
                else
                    writer.WriteBytes(utf8);
                break;
            case WireValueKind.Bytes:
                writer.WriteBytes(format.ReadBytes(ref reader));
                break;
            case WireValueKind.Array:
                PrintItems(ref reader, writer, isMap: false, format.ReadArrayHeader(ref reader, 0));
                break;
            case WireValueKind.Map:
                PrintItems(ref reader, writer, isMap: true, format.ReadMapHeader(ref reader, 0));
                break;
            default:
                writer.WriteTagged("$value", InspectionWriter.ToHex(reader.ReadRaw<CustomWireFormat<TFormat>>()));
                break;
        }
    }

    private protected override string ReadName(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        switch (CustomWireFormat<TFormat>.Peek(ref reader))
        {
            case WireValueKind.Integer:
                return ReadInteger(ref reader);
            case WireValueKind.String when ToText(CustomWireFormat<TFormat>.ReadString(ref reader)) is string text:
                return text;
            case WireValueKind.String:
                return "$key " + InspectionWriter.ToHex(reader.Input.ReadAgain(start));
            default:
                return "$key " + InspectionWriter.ToHex(reader.ReadRaw<CustomWireFormat<TFormat>>());
        }
    }

    private static string ReadInteger(ref WireReader reader)
    {
        WireReader start = reader;
        try
        {
            return default(CustomWireFormat<TFormat>).ReadInteger(ref reader, long.MinValue, long.MaxValue, "integer")
                .ToString(CultureInfo.InvariantCulture);
        }
        catch (MessageFormatException)
        {
            // Formats reject a value above long.MaxValue in different ways. Every other value must be readable as a long.
            reader = start;
            if (!TryReadUnsigned(ref reader, out ulong value) || value <= long.MaxValue)
                throw;
            return value.ToString(CultureInfo.InvariantCulture);
        }
    }

    private static bool TryReadUnsigned(ref WireReader reader, out ulong value)
    {
        try
        {
            value = default(CustomWireFormat<TFormat>).ReadUInt64(ref reader);
            return true;
        }
        catch (MessageFormatException)
        {
            value = 0;
            return false;
        }
    }

    private static string? ToText(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return Utf8Text.Strict.GetString(utf8.ToArray());
        }
        catch (ArgumentException)
        {
            return null;
        }
    }
}
