using System;
using System.Collections.Generic;
using System.Formats.Cbor;
using System.Globalization;
using System.Linq;
using System.Numerics;

namespace Formatters.Interop.Tests.Cbor;

/// <summary>What System.Formats.Cbor makes of bodies and values. It knows no contract: members are written here by hand, as docs/wire/cbor.md has them.</summary>
internal static class CborPeer
{
    /// <summary>Reads one value of any kind by the rules of a mode, and writes it in the canonical form.</summary>
    /// <exception cref="CborContentException">The bytes break a rule.</exception>
    public static byte[] Rewrite(byte[] body, CborConformanceMode mode)
    {
        var reader = new CborReader(body, mode);
        // The canonical mode sorts keys by length and then by bytes; of text strings alone that is the order of their bytes.
        var writer = new CborWriter(CborConformanceMode.Canonical);
        Copy(reader, writer);
        if (reader.BytesRemaining > 0)
            throw new CborContentException("Bytes follow the value.");
        return writer.Encode();
    }

    /// <summary>Whether the bytes are one well-formed value, whatever it is.</summary>
    public static bool IsWellFormed(byte[] body)
    {
        try
        {
            var reader = new CborReader(body, CborConformanceMode.Lax);
            reader.SkipValue();
            return reader.BytesRemaining == 0;
        }
        catch (CborContentException)
        {
            return false;
        }
        catch (InvalidOperationException)
        {
            return false; // FC to FE, which begin no value.
        }
    }

    /// <summary>Writes a shipment.</summary>
    /// <param name="shipment">The value.</param>
    /// <param name="isCanonical">Whether in the canonical form; else entries of maps are in the reverse order.</param>
    public static byte[] Write(Shipment shipment, bool isCanonical)
    {
        var writer = new CborWriter(isCanonical ? CborConformanceMode.Canonical : CborConformanceMode.Strict);
        writer.WriteStartArray(17);
        writer.WriteInt32(shipment.Int);
        writer.WriteTextString(shipment.Text);
        writer.WriteDouble(shipment.Double);
        writer.WriteSingle(shipment.Single);
        writer.WriteNull(); // No member has the number 5.
        writer.WriteInt64(shipment.Long);
        writer.WriteUInt64(shipment.Unsigned);
        writer.WriteBoolean(shipment.Flag);
        if (isCanonical)
            WriteTime(writer, shipment.Time);
        else
            writer.WriteDateTimeOffset(shipment.Time); // Z for an offset of zero.
        writer.WriteByteString(shipment.Bytes);
        WriteText(writer, shipment.Maybe);
        if (isCanonical)
            WriteDecimal(writer, shipment.Price);
        else
            writer.WriteDecimal(shipment.Price); // Negative digits as a bignum, also where they fit an integer.
        WriteInteger(writer, shipment.Big);
        writer.WriteHalf(shipment.Half);
        writer.WriteTag((CborTag)37);
        writer.WriteByteString(shipment.Id.ToByteArray(bigEndian: true));
        writer.WriteTag(CborTag.Uri);
        writer.WriteTextString(shipment.Link.OriginalString);
        writer.WriteStartArray(shipment.Packages.Count);
        foreach (Package package in shipment.Packages)
            Write(writer, package, isCanonical);
        writer.WriteEndArray();
        writer.WriteEndArray();
        return writer.Encode();
    }

    private static void Write(CborWriter writer, Package package, bool isCanonical)
    {
        List<(string, Action)> members =
        [
            ("Short", () => writer.WriteInt32(package.Short)),
            ("Rate", () =>
            {
                if (package.Rate is double rate)
                    writer.WriteDouble(rate);
                else
                    writer.WriteNull();
            }),
            ("Größe", () => writer.WriteTextString(package.Größe)),
            ("Counts", () => WriteMap(writer, [.. package.Counts.Select(entry => (entry.Key, (Action)(() => writer.WriteInt32(entry.Value))))], isCanonical)),
            ("Names", () =>
            {
                writer.WriteStartArray(package.Names.Count);
                foreach (string? name in package.Names)
                    WriteText(writer, name);
                writer.WriteEndArray();
            }),
            ("Day", () => writer.WriteInt32((int)package.Day)),
        ];
        WriteMap(writer, members, isCanonical);
    }

    private static void WriteMap(CborWriter writer, List<(string Key, Action Write)> entries, bool isCanonical)
    {
        // In the canonical mode the writer sorts by itself.
        if (!isCanonical)
            entries.Reverse();
        writer.WriteStartMap(entries.Count);
        foreach ((string key, Action write) in entries)
        {
            writer.WriteTextString(key);
            write();
        }

        writer.WriteEndMap();
    }

    private static void WriteText(CborWriter writer, string? text)
    {
        if (text is null)
            writer.WriteNull();
        else
            writer.WriteTextString(text);
    }

    /// <summary>RFC 8949, 4.2.1 with 3.4.3: an integer that fits 64 bits is not a bignum.</summary>
    private static void WriteInteger(CborWriter writer, BigInteger value)
    {
        if (value >= 0 && value <= ulong.MaxValue)
            writer.WriteUInt64((ulong)value);
        else if (value < 0 && value >= -1 - (BigInteger)ulong.MaxValue)
            writer.WriteCborNegativeIntegerRepresentation((ulong)(-1 - value));
        else
            writer.WriteBigInteger(value);
    }

    /// <summary>RFC 8949, 3.4.1, with the offset as digits: a <see cref="DateTimeOffset"/> of zero is told from a <see cref="DateTime"/> of kind UTC.</summary>
    private static void WriteTime(CborWriter writer, DateTimeOffset value)
    {
        writer.WriteTag(CborTag.DateTimeString);
        writer.WriteTextString(value.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz", CultureInfo.InvariantCulture));
    }

    /// <summary>RFC 8949, 3.4.4.</summary>
    private static void WriteDecimal(CborWriter writer, decimal value)
    {
        int[] bits = decimal.GetBits(value);
        var digits = ((BigInteger)(uint)bits[2] << 64) | ((BigInteger)(uint)bits[1] << 32) | (uint)bits[0];
        writer.WriteTag(CborTag.DecimalFraction);
        writer.WriteStartArray(2);
        writer.WriteInt32(-((bits[3] >> 16) & 0xFF));
        WriteInteger(writer, bits[3] < 0 ? -digits : digits);
        writer.WriteEndArray();
    }

    private static void Copy(CborReader reader, CborWriter writer)
    {
        switch (reader.PeekState())
        {
            case CborReaderState.UnsignedInteger:
                writer.WriteUInt64(reader.ReadUInt64());
                break;
            case CborReaderState.NegativeInteger:
                writer.WriteCborNegativeIntegerRepresentation(reader.ReadCborNegativeIntegerRepresentation());
                break;
            case CborReaderState.ByteString or CborReaderState.StartIndefiniteLengthByteString:
                writer.WriteByteString(reader.ReadByteString());
                break;
            case CborReaderState.TextString or CborReaderState.StartIndefiniteLengthTextString:
                writer.WriteTextString(reader.ReadTextString());
                break;
            case CborReaderState.StartArray:
                reader.ReadStartArray();
                var elements = new List<byte[]>();
                while (reader.PeekState() != CborReaderState.EndArray)
                    elements.Add(Element(reader));
                reader.ReadEndArray();
                writer.WriteStartArray(elements.Count);
                foreach (byte[] element in elements)
                    writer.WriteEncodedValue(element);
                writer.WriteEndArray();
                break;
            case CborReaderState.StartMap:
                reader.ReadStartMap();
                var entries = new List<(byte[] Key, byte[] Value)>();
                while (reader.PeekState() != CborReaderState.EndMap)
                    entries.Add((Element(reader), Element(reader)));
                reader.ReadEndMap();
                writer.WriteStartMap(entries.Count);
                foreach ((byte[] key, byte[] value) in entries)
                {
                    writer.WriteEncodedValue(key);
                    writer.WriteEncodedValue(value);
                }

                writer.WriteEndMap();
                break;
            case CborReaderState.Tag:
                writer.WriteTag(reader.ReadTag());
                Copy(reader, writer);
                break;
            case CborReaderState.HalfPrecisionFloat or CborReaderState.SinglePrecisionFloat or CborReaderState.DoublePrecisionFloat:
                writer.WriteDouble(reader.ReadDouble());
                break;
            default:
                writer.WriteSimpleValue(reader.ReadSimpleValue());
                break;
        }
    }

    private static byte[] Element(CborReader reader)
    {
        var writer = new CborWriter(CborConformanceMode.Canonical);
        Copy(reader, writer);
        return writer.Encode();
    }
}
