using System;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>A type whose values the writer and the reader know themselves.</summary>
internal sealed class ScalarCodec<T>(ScalarCodec<T>.WriteValue write, ScalarCodec<T>.ReadValue read) : MessagePackCodec<T>
{
    internal delegate void WriteValue(ref MessagePackBodyWriter writer, T value);

    internal delegate T ReadValue(ref MessagePackBodyReader reader, T? existing);

    public override void Write(ref MessagePackBodyWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        write(ref writer, value);
    }

    public override T Read(ref MessagePackBodyReader reader, T? existing = default) => read(ref reader, existing);
}

/// <summary>An enum, as its underlying integer.</summary>
internal sealed class EnumCodec<TEnum, TInteger>(MessagePackCodec<TInteger> integer) : MessagePackCodec<TEnum>
    where TEnum : struct
    where TInteger : struct
{
    public override void Write(ref MessagePackBodyWriter writer, TEnum value) => integer.Write(ref writer, Unsafe.As<TEnum, TInteger>(ref value));

    public override TEnum Read(ref MessagePackBodyReader reader, TEnum existing = default)
    {
        TInteger value = integer.Read(ref reader);
        return Unsafe.As<TInteger, TEnum>(ref value);
    }
}

/// <summary>A <see cref="Nullable{T}"/>: nil or the value.</summary>
internal sealed class NullableCodec<T>(MessagePackCodec<T> inner) : MessagePackCodec<T?>
    where T : struct
{
    public override void Write(ref MessagePackBodyWriter writer, T? value)
    {
        if (value is T present)
            inner.Write(ref writer, present);
        else
            writer.WriteNil();
    }

    public override T? Read(ref MessagePackBodyReader reader, T? existing = null) => reader.TryReadNil() ? null : inner.Read(ref reader);
}

/// <summary>An object that may be null: nil or the object.</summary>
internal sealed class NullableObjectCodec<T>(MessagePackCodec<T> inner) : MessagePackCodec<T?>
    where T : class
{
    public override void Write(ref MessagePackBodyWriter writer, T? value)
    {
        if (value is null)
            writer.WriteNil();
        else
            inner.Write(ref writer, value);
    }

    public override T? Read(ref MessagePackBodyReader reader, T? existing = null) => reader.TryReadNil() ? null : inner.Read(ref reader, existing);
}

/// <summary>An object of which the codec is the application's own: that one is given no null and no nil.</summary>
internal sealed class RequiredCodec<T>(MessagePackCodec<T> inner) : MessagePackCodec<T>
    where T : class
{
    public override void Write(ref MessagePackBodyWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        inner.Write(ref writer, value);
    }

    public override T Read(ref MessagePackBodyReader reader, T? existing = null)
    {
        reader.RefuseNil();
        return inner.Read(ref reader, existing);
    }
}

/// <summary>A struct of which the codec is the application's own: that one is given no nil.</summary>
internal sealed class NotNilCodec<T>(MessagePackCodec<T> inner) : MessagePackCodec<T>
    where T : struct
{
    public override void Write(ref MessagePackBodyWriter writer, T value) => inner.Write(ref writer, value);

    public override T Read(ref MessagePackBodyReader reader, T existing = default)
    {
        reader.RefuseNil();
        return inner.Read(ref reader, existing);
    }
}

/// <summary>A value with a formatter of the binary format.</summary>
internal sealed class FormattedCodec<TFormatter, T> : MessagePackCodec<T>
    where TFormatter : IMemberFormatter<T>, new()
{
    private readonly TFormatter _formatter = new();

    public override void Write(ref MessagePackBodyWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        FormattedValue.Write(ref writer, _formatter, value);
    }

    public override T Read(ref MessagePackBodyReader reader, T? existing = default) => FormattedValue.Read(ref reader, _formatter, existing);
}

/// <summary>The types whose values the writer and the reader know themselves.</summary>
internal static class ScalarCodecs
{
    private static readonly Dictionary<Type, object> All = CreateAll();

    /// <summary>Finds the codec of a type: null, or a <see cref="MessagePackCodec{T}"/> of it.</summary>
    internal static object? Find(Type type) => All.TryGetValue(type, out object? codec) ? codec : null;

    private static Dictionary<Type, object> CreateAll()
    {
        var all = new Dictionary<Type, object>();
        Add<bool>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadBoolean());
        Add<byte>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadByte());
        Add<sbyte>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadSByte());
        Add<short>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadInt16());
        Add<ushort>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadUInt16());
        Add<int>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadInt32());
        Add<uint>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadUInt32());
        Add<long>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadInt64());
        Add<ulong>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadUInt64());
        Add<float>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadSingle());
        Add<double>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadDouble());
        Add<decimal>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadDecimal());
        Add<char>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadChar());
        Add<string>(static (ref w, v) => w.Write(v), static (ref r, existing) => r.ReadString(existing));
        Add<byte[]>(static (ref w, v) => w.WriteBytes(v), static (ref r, existing) => r.ReadBytes(existing));
        Add<Memory<byte>>(static (ref w, v) => w.WriteBytes(v.Span), static (ref r, _) => r.ReadBytes());
        Add<ReadOnlyMemory<byte>>(static (ref w, v) => w.WriteBytes(v.Span), static (ref r, _) => r.ReadBytes());
        Add<ArraySegment<byte>>(static (ref w, v) => w.WriteBytes(v), static (ref r, _) => new ArraySegment<byte>(r.ReadBytes()));
        Add<DateTime>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadDateTime());
        Add<DateTimeOffset>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadDateTimeOffset());
        Add<TimeSpan>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadTimeSpan());
        Add<Guid>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadGuid());
        Add<BigInteger>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadBigInteger());
        Add<Uri>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadUri());
        Add<Version>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadVersion());
#if NET
        Add<Half>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadHalf());
        Add<DateOnly>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadDateOnly());
        Add<TimeOnly>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadTimeOnly());
        Add<Int128>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadInt128());
        Add<UInt128>(static (ref w, v) => w.Write(v), static (ref r, _) => r.ReadUInt128());
#endif
        return all;

        void Add<T>(ScalarCodec<T>.WriteValue write, ScalarCodec<T>.ReadValue read) => all.Add(typeof(T), new ScalarCodec<T>(write, read));
    }
}
