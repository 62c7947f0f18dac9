using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>A value of a field behind its tag: a scalar, an enum or a message, never null.</summary>
/// <param name="wireType">How it lies there.</param>
internal abstract class ProtobufValue<T>(ProtobufWireType wireType)
{
    internal ProtobufWireType WireType { get; } = wireType;

    /// <summary>Whether several of them lie packed behind one length: all but texts, bytes and messages.</summary>
    internal bool IsPackable => WireType != ProtobufWireType.LengthDelimited;

    /// <summary>Whether a field of this type that may not be null has no bytes where it has the default value: all but messages.</summary>
    internal abstract bool HasDefault { get; }

    /// <summary>Whether it is a message in a <c>.proto</c> file: a field of it has presence there without being <c>optional</c>.</summary>
    internal abstract bool IsMessage { get; }

    internal abstract bool IsDefault(T value);

    /// <summary>What a field of this type is that has no bytes; of a message one without fields.</summary>
    internal abstract T ReadDefault(ref ProtobufBodyReader reader);

    internal abstract void Write(ref ProtobufBodyWriter writer, T value);

    /// <param name="reader">The reader, behind the tag.</param>
    /// <param name="existing">A value that may be filled and returned.</param>
    /// <param name="merges">Whether what a message does not have stays as it is in <paramref name="existing"/>.</param>
    internal abstract T Read(ref ProtobufBodyReader reader, T? existing, bool merges);

    /// <summary>The name of the type in a <c>.proto</c> file.</summary>
    internal abstract string GetSchemaType(SchemaBuilder schema);

    /// <summary>The same of a field that has presence.</summary>
    internal string GetPresentSchemaType(SchemaBuilder schema) => (IsMessage ? "" : "optional ") + GetSchemaType(schema);
}

/// <summary>A type whose values the writer and the reader know themselves.</summary>
internal sealed class ProtobufScalar<T>(
    ProtobufWireType wireType, string schemaType, Func<T, bool>? isDefault, T defaultValue, ProtobufScalar<T>.WriteValue write, ProtobufScalar<T>.ReadValue read)
    : ProtobufValue<T>(wireType)
{
    internal delegate void WriteValue(ref ProtobufBodyWriter writer, T value);

    internal delegate T ReadValue(ref ProtobufBodyReader reader, T? existing);

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
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        write(ref writer, value);
    }

    internal override T Read(ref ProtobufBodyReader reader, T? existing, bool merges) => read(ref reader, existing);

    internal override string GetSchemaType(SchemaBuilder schema) => schema.Import(schemaType);
}

/// <summary>An enum, as its underlying integer.</summary>
internal sealed class ProtobufEnum<TEnum, TInteger>(ProtobufValue<TInteger> integer) : ProtobufValue<TEnum>(integer.WireType)
    where TEnum : struct
    where TInteger : struct
{
    internal override bool HasDefault => true;

    internal override bool IsMessage => false;

    internal override bool IsDefault(TEnum value) => integer.IsDefault(Unsafe.As<TEnum, TInteger>(ref value));

    internal override TEnum ReadDefault(ref ProtobufBodyReader reader) => default;

    internal override void Write(ref ProtobufBodyWriter writer, TEnum value) => integer.Write(ref writer, Unsafe.As<TEnum, TInteger>(ref value));

    internal override TEnum Read(ref ProtobufBodyReader reader, TEnum existing, bool merges)
    {
        TInteger value = integer.Read(ref reader, default, merges: false);
        return Unsafe.As<TInteger, TEnum>(ref value);
    }

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
    // How many bytes the last length had: the next one is likely to have as many. Threads may disturb each other here; the bytes stay the same.
    private int _lengthByteCount = 1;

    internal override bool HasDefault => false;

    internal override bool IsMessage => codec.SchemaType != "bytes";

    internal override bool IsDefault(T value) => false;

    internal override T ReadDefault(ref ProtobufBodyReader reader)
    {
        int bytesBehind = reader.BeginEmptyMessage();
        T value = codec.Read(ref reader);
        reader.EndMessage(bytesBehind);
        return value;
    }

    internal override void Write(ref ProtobufBodyWriter writer, T value)
    {
        if (value is null && !codec.AllowsNull)
            ContractMethods.ThrowUnexpectedNull();
        int lengthByteCount = _lengthByteCount;
        long start = writer.BeginMessage(lengthByteCount);
        codec.Write(ref writer, value);
        int needed = writer.EndMessage(start, lengthByteCount);
        if (needed != lengthByteCount)
            _lengthByteCount = needed;
    }

    internal override T Read(ref ProtobufBodyReader reader, T? existing, bool merges)
    {
        int bytesBehind = reader.BeginMessage();
        T value = codec.Read(ref reader, existing, merges);
        reader.EndMessage(bytesBehind);
        return value;
    }

    internal override string GetSchemaType(SchemaBuilder schema) => schema.AddMessage(codec);
}
