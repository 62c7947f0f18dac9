using System;
using Formatters.Binary;

namespace Formatters;

/// <summary>The contract of a number, a date, a GUID and the like; or of an enum, as its underlying integer.</summary>
internal sealed class ScalarContract(Type type, Scalar scalar) : ValueContract(type)
{
    internal Scalar Scalar { get; } = scalar;

    internal override int MinByteCount => Scalar.Row.MinByteCount;

    // A boxed enum unboxes as its underlying integer.
    internal override void Write(ref BinaryBodyWriter writer, object? value) => Scalar.Write(ref writer, value!);

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        object value = Scalar.Read(ref reader);
        return Type.IsEnum ? Enum.ToObject(Type, value) : value;
    }
}

/// <summary>The contract of a string: its byte count in 7-bit groups, then UTF-8.</summary>
internal sealed class StringContract() : ValueContract(typeof(string))
{
    internal override int MinByteCount => 1;

    internal override void Write(ref BinaryBodyWriter writer, object? value) => ContractMethods.WriteText(ref writer, (string?)value);

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => reader.ReadString((string?)existing);

    internal override object CreateEmpty() => "";
}

/// <summary>The contract of a <c>byte[]</c>: an Int32 byte count, then the bytes.</summary>
internal sealed class BytesContract() : ValueContract(typeof(byte[]))
{
    internal override int MinByteCount => sizeof(int);

    internal override void Write(ref BinaryBodyWriter writer, object? value) => ContractMethods.WriteBytes(ref writer, (byte[]?)value);

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => reader.ReadBytes((byte[]?)existing);

    internal override object CreateEmpty() => Array.Empty<byte>();
}

/// <summary>The contract of a value that may be null: a presence byte, 1 or 0, then, if it is 1, the value.</summary>
internal sealed class PresenceContract(Type type, ValueContract inner) : ValueContract(type)
{
    internal ValueContract Inner { get; } = inner;

    internal override int MinByteCount => 1;

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        writer.Write(value is not null);
        if (value is not null)
            Inner.Write(ref writer, value);
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => reader.ReadBoolean() ? Inner.Read(ref reader, existing) : null;
}

/// <summary>The contract of a type with its own <c>Save</c> and <c>Load</c>, which determine its bytes.</summary>
internal sealed class OwnBodyContract(Type type, ObjectMaker maker) : ValueContract(type)
{
    /// <summary>Gets whether objects of derived classes are rejected: the reader would create one of the declared class.</summary>
    internal bool ChecksDerived { get; init; }

    // Save may write nothing: a list of such values is bounded only by FormatterLimits.MaxElementCount.
    internal override int MinByteCount => 0;

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        if (value is null || ChecksDerived && value.GetType() != Type)
            DerivedObjects.Throw(value, Type);
        writer.EnterRecord();
        ((IBinaryBody)value).Save(ref writer);
        writer.LeaveRecord();
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        object value = existing is not null && existing.GetType() == Type && !Type.IsValueType ? existing : maker.Make(null);
        reader.EnterRecord();
        ((IBinaryBody)value).Load(ref reader);
        reader.LeaveRecord();
        return value;
    }
}
