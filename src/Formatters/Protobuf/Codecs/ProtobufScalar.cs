using System;
using System.Runtime.CompilerServices;
#if NET
using System.Runtime.InteropServices;
#endif
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>A type with its own methods in the writer and the reader.</summary>
internal sealed class ProtobufScalar<T>(
    ProtobufWireType wireType, string schemaType, Func<T, bool>? isDefault, T defaultValue, ProtobufScalar<T>.WriteValue write,
        ProtobufScalar<T>.ReadValue read, PackedForm packedForm)
    : ProtobufValue<T>(wireType)
{
    internal delegate void WriteValue(ref ProtobufBodyWriter writer, T value);

    internal delegate T ReadValue(ref ProtobufBodyReader reader, T? existing);

    internal override Type Scalar => typeof(T);

    internal override bool HasDefault => isDefault is not null;

    internal override bool IsMessage => schemaType is not "string" && !HasDefault;

    internal override bool IsDefault(T value) => isDefault is not null && isDefault(value);

    internal override T ReadDefault(ref ProtobufBodyReader reader)
    {
        if (defaultValue is null)
            ThrowHelper.ThrowBadValue(reader.ByteOffset, typeof(T).Name);
        return defaultValue;
    }

    internal override void Write(ref ProtobufBodyWriter writer, T value)
    {
        if (!typeof(T).IsValueType && value is null)
            ContractMethods.ThrowUnexpectedNull();
        write(ref writer, value);
    }

    internal override T Read(ref ProtobufBodyReader reader, T? existing, uint mergedTag) => read(ref reader, existing);

    internal override PackedForm PackedForm => packedForm;

#if NET
    internal override void WriteItems(ref ProtobufBodyWriter writer, uint tag, ReadOnlySpan<T> items, ref int index)
    {
        if (typeof(T) == typeof(DateTime))
            ValueParts.Write<DateTime, TimePart>(ref writer, tag, As<DateTime>(items), ref index);
        else if (typeof(T) == typeof(TimeSpan))
            ValueParts.Write<TimeSpan, TimePart>(ref writer, tag, As<TimeSpan>(items), ref index);
        else if (typeof(T) == typeof(string) && !writer.Limits.RefuseInvalidText)
            ValueParts.Write<string, TextPart>(ref writer, tag, As<string>(items), ref index);
    }

    internal override bool ReadItems(ref ProtobufBodyReader reader, uint tag, Span<T> items, ReadOnlySpan<T> existing, int allocation,
        ref int index) => typeof(T) == typeof(DateTime)
        ? ValueParts.Read<DateTime, TimePart>(ref reader, tag, As<DateTime>(items), As<DateTime>(existing), allocation, ref index)
        : typeof(T) == typeof(TimeSpan)
        ? ValueParts.Read<TimeSpan, TimePart>(ref reader, tag, As<TimeSpan>(items), As<TimeSpan>(existing), allocation, ref index)
        : typeof(T) != typeof(string)
        || ValueParts.Read<string, TextPart>(ref reader, tag, As<string>(items), As<string>(existing), allocation, ref index);

    private static Span<TItem> As<TItem>(ReadOnlySpan<T> items) =>
        MemoryMarshal.CreateSpan(ref Unsafe.As<T, TItem>(ref MemoryMarshal.GetReference(items)), items.Length);

    internal override int ReadPacked(ref ProtobufBodyReader reader, Span<T> values) => reader.ReadPacked(values, packedForm);

    internal override bool TryWritePacked(ref ProtobufBodyWriter writer, ReadOnlySpan<T> values) =>
        PackedNumbers.TryWrite(ref writer, values, packedForm);
#endif

    internal override string GetSchemaType(SchemaBuilder schema) => schema.Import(schemaType);
}

/// <summary>An enum, as its underlying integer.</summary>
internal sealed class ProtobufEnum<TEnum, TInteger>(ProtobufValue<TInteger> integer) : ProtobufValue<TEnum>(integer.WireType)
    where TEnum : struct
    where TInteger : struct
{
    internal override Type Scalar => typeof(TInteger);

    internal override bool HasDefault => true;

    internal override bool IsMessage => false;

    internal override bool IsDefault(TEnum value) => integer.IsDefault(Unsafe.As<TEnum, TInteger>(ref value));

    internal override TEnum ReadDefault(ref ProtobufBodyReader reader) => default;

    internal override void Write(ref ProtobufBodyWriter writer, TEnum value) => integer.Write(ref writer, Unsafe.As<TEnum, TInteger>(ref value));

    internal override TEnum Read(ref ProtobufBodyReader reader, TEnum existing, uint mergedTag)
    {
        TInteger value = integer.Read(ref reader, default, mergedTag: 0);
        return Unsafe.As<TInteger, TEnum>(ref value);
    }

    internal override PackedForm PackedForm => integer.PackedForm;

#if NET
    internal override int ReadPacked(ref ProtobufBodyReader reader, Span<TEnum> values) => integer.ReadPacked(ref reader,
        MemoryMarshal.CreateSpan(ref Unsafe.As<TEnum, TInteger>(ref MemoryMarshal.GetReference(values)), values.Length));

    internal override bool TryWritePacked(ref ProtobufBodyWriter writer, ReadOnlySpan<TEnum> values) => integer.TryWritePacked(ref writer,
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<TEnum, TInteger>(ref MemoryMarshal.GetReference(values)), values.Length));
#endif

    internal override string GetSchemaType(SchemaBuilder schema)
    {
        string type = integer.GetSchemaType(schema);
        // An enum of protobuf is an int32.
        return type is "int32" or "uint32" && typeof(TInteger) != typeof(uint) ? schema.AddEnum(typeof(TEnum)) : type;
    }
}

/// <summary>A message: its length, and the fields that a codec writes.</summary>
internal sealed class ProtobufMessage<T>(ProtobufCodec<T> codec) : ProtobufValue<T>(ProtobufWireType.LengthDelimited)
{
    // The size of the last length; the next one is likely to be the same. Threads may interfere here, which does not change the bytes.
    private int _lengthByteCount = 1;

    internal override bool HasDefault => false;

    internal override bool IsMessage => codec.SchemaType != "bytes";

    internal override bool IsDefault(T value) => false;

    internal override T ReadDefault(ref ProtobufBodyReader reader)
    {
        int level = reader.Path?.Depth ?? 0;
        int bytesBehind = reader.BeginEmptyMessage();
        T value = codec.Read(ref reader);
        reader.EndMessage(bytesBehind);
        reader.Path?.Set(level);
        return value;
    }

    internal override void Write(ref ProtobufBodyWriter writer, T value)
    {
        if (!typeof(T).IsValueType && value is null && !codec.AllowsNull)
            ContractMethods.ThrowUnexpectedNull();
        int lengthByteCount = _lengthByteCount;
        int level = writer.Path?.Depth ?? 0;
        long start = writer.BeginMessage(lengthByteCount);
        codec.Write(ref writer, value);
        int needed = writer.EndMessage(start, lengthByteCount);
        writer.Path?.Set(level);
        if (needed != lengthByteCount)
            _lengthByteCount = needed;
    }

    internal override void WriteItems(ref ProtobufBodyWriter writer, uint tag, ReadOnlySpan<T> items, ref int index) =>
        codec.WriteItems(ref writer, tag, items, ref index);

    internal override bool ReadItems(ref ProtobufBodyReader reader, uint tag, Span<T> items, ReadOnlySpan<T> existing, int allocation,
        ref int index) =>
        codec.ReadItems(ref reader, tag, items, existing, allocation, ref index);

    internal override T Read(ref ProtobufBodyReader reader, T? existing, uint mergedTag)
    {
        int level = reader.Path?.Depth ?? 0;
        T value;
        if (reader.IsAtParts)
        {
            int end = reader.EnterParts();
            value = codec.Read(ref reader, existing, merges: mergedTag != 0);
            reader.LeaveParts(end);
        }
        else if (mergedTag != 0 && codec.ReadsParts)
        {
            reader.DeferPart(mergedTag);
            return existing!;
        }
        else if (mergedTag == 0 && TryReadShort(ref reader, ref existing))
        {
            return existing!;
        }
        else
        {
            int bytesAfter = reader.BeginMessage();
            value = codec.Read(ref reader, existing, merges: mergedTag != 0);
            reader.EndMessage(bytesAfter);
        }

        reader.Path?.Set(level);
        return value;
    }

    internal override string GetSchemaType(SchemaBuilder schema) => schema.AddMessage(codec);

    private bool TryReadShort(ref ProtobufBodyReader reader, ref T? value)
    {
        int remaining = reader.BytesRemaining;
        if (remaining == 0 || reader.Path is not null || reader.IsAtMaxDepth)
            return false;
        ref byte p = ref reader.Begin();
        int byteCount = p;
        if (byteCount >= 0x80 || byteCount >= remaining || !codec.TryReadShort(ref Unsafe.Add(ref p, 1), byteCount, ref value))
            return false;
        reader.End(ref Unsafe.Add(ref p, 1 + byteCount));
        return true;
    }
}
