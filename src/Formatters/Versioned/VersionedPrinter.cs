// docs/wire/versioned.md: records contain the numbers and the lengths of their members, but not their types.
using System;
using System.Buffers.Binary;
using System.Globalization;
using Formatters.Binary;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints values of known or guessed form.</summary>
internal sealed class VersionedPrinter(InspectionWriter writer, FormatterLimits limits)
{
    private static readonly long FirstTicks = new DateTime(1900, 1, 1).Ticks;
    private static readonly long EndTicks = new DateTime(2200, 1, 1).Ticks;

    private int _depth;

    /// <summary>Prints a body: one without a known form as a record up to the error, because it may be a damaged one.</summary>
    internal void PrintBody(ReadOnlySpan<byte> body)
    {
        if (!TryPrintRecord(body, 0) && !TryPrintCollection(body, 0))
            PrintRecord(body, 0);
    }

    /// <summary>Prints a record, member by member; an invalid one up to the error.</summary>
    /// <param name="record">The bytes of the record, and possibly more.</param>
    /// <param name="offset">The offset of the record in the body.</param>
    private void PrintRecord(ReadOnlySpan<byte> record, int offset)
    {
        Enter(offset);
        var reader = new BinaryBodyReader(record, limits);
        writer.At(offset);
        writer.BeginObject();
        int end = reader.BeginLong();
        int highest = reader.ReadByte();
        ReadOnlySpan<byte> kinds = reader.ReadSpan((highest + 1) / 2);
        VersionedShape.CheckTable(kinds, highest, offset + sizeof(int) + 1);
        for (int number = 1; number <= highest; number++)
        {
            int kind = VersionedShape.GetKind(kinds, number);
            if (kind == MemberKind.Absent)
                continue;
            writer.At(offset + reader.ByteOffset);
            writer.WriteName(number.ToString(CultureInfo.InvariantCulture));
            PrintMember(record, offset, kind, ref reader);
        }

        writer.EndObject();
        _depth--;
        reader.End(end);
        reader.EnsureEnd();
    }

    private void PrintMember(ReadOnlySpan<byte> record, int offset, int kind, ref BinaryBodyReader reader)
    {
        if (kind >= MemberKind.Nullable)
        {
            if (!reader.ReadBoolean())
            {
                writer.WriteNull();
                return;
            }

            kind -= MemberKind.Nullable;
        }

        int start = reader.ByteOffset;
        reader.SkipMember(kind);
        ReadOnlySpan<byte> value = record.Slice(start, reader.ByteOffset - start);
        if (kind == MemberKind.Short)
            PrintShort(value);
        else if (kind != MemberKind.Long)
            PrintFixed(value);
        else if (!TryPrintRecord(value, offset + start) && !TryPrintCollection(value.Slice(sizeof(int)), offset + start + sizeof(int)))
            writer.WriteBytes(value.Slice(sizeof(int)));
    }

    /// <summary>Tries to print a value with the form of a record or a union.</summary>
    private bool TryPrintRecord(ReadOnlySpan<byte> value, int offset)
    {
        if (VersionedShape.IsRecord(value))
        {
            PrintRecord(value, offset);
            return true;
        }

        if (VersionedShape.IsUnion(value, out int tagByteCount))
        {
            writer.BeginObject();
            writer.WriteName("$tag");
            var tag = new BinaryBodyReader(value.Slice(sizeof(int)));
            writer.Write(tag.Read7BitEncodedInt());
            writer.WriteName("$value");
            int start = sizeof(int) + tagByteCount;
            PrintRecord(value.Slice(start), offset + start);
            writer.EndObject();
            return true;
        }

        return false;
    }

    /// <summary>Tries to print an Int32 count and as many records or strings that fill the value.</summary>
    private bool TryPrintCollection(ReadOnlySpan<byte> value, int offset)
    {
        if (value.Length < sizeof(int))
            return false;
        int count = BinaryPrimitives.ReadInt32LittleEndian(value);
        ReadOnlySpan<byte> elements = value.Slice(sizeof(int));
        bool areRecords = VersionedShape.AreElements(elements, count, isText: false);
        if (!areRecords && !VersionedShape.AreElements(elements, count, isText: true))
            return false;
        Enter(offset);
        writer.At(offset);
        writer.BeginArray();
        int at = offset + sizeof(int);
        while (!elements.IsEmpty)
        {
            int byteCount = VersionedShape.ElementByteCount(elements, !areRecords, out string text);
            writer.At(at);
            if (areRecords)
                PrintRecord(elements.Slice(0, byteCount), at);
            else
                writer.Write(text);
            elements = elements.Slice(byteCount);
            at += byteCount;
        }

        writer.EndArray();
        _depth--;
        return true;
    }

    /// <summary>Prints a string if it may be one; otherwise the bytes.</summary>
    private void PrintShort(ReadOnlySpan<byte> value)
    {
        if (BinaryInspector.TryReadText(value, out string text, out int byteCount) && byteCount == value.Length)
        {
            writer.Write(text);
            return;
        }

        int i = 0;
        while (value[i] >= 0x80)
            i++;
        writer.WriteBytes(value.Slice(i + 1));
    }

    /// <summary>Prints the bytes of a number, a date or the like, and the number that they most likely are.</summary>
    private void PrintFixed(ReadOnlySpan<byte> value)
    {
        string hex = InspectionWriter.ToHex(value);
        if (value.Length > sizeof(long))
        {
            writer.WriteTagged("$binary", hex);
            return;
        }

        long number = value[value.Length - 1] >= 0x80 && value.Length > 1 ? -1 : 0;
        for (int i = value.Length - 1; i >= 0; i--)
            number = (number << 8) | value[i];
        writer.WriteTagged("$binary", hex, "$guess", Guess(number, value.Length));
    }

    /// <summary>Guesses a contemporary date, a number of usual size with a fraction, or an integer.</summary>
    private static string Guess(long number, int byteCount)
    {
        if (byteCount == sizeof(long))
        {
            // Ticks below the two bits of the kind: DateTime.ToBinary.
            long ticks = number & 0x3FFF_FFFF_FFFF_FFFF;
            if (ticks >= FirstTicks && ticks < EndTicks)
                return new DateTime(ticks).ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture);
            double real = BitConverter.Int64BitsToDouble(number);
            if (Math.Abs(real) is > 1e-9 and < 1e15)
                return real.ToString("R", CultureInfo.InvariantCulture);
        }

        return number.ToString(CultureInfo.InvariantCulture);
    }

    private void Enter(int offset)
    {
        if (++_depth > limits.MaxDepth)
            ThrowHelper.ThrowDepthExceeded(offset, limits.MaxDepth, writing: false);
        StackGuard.Check(offset);
    }
}
