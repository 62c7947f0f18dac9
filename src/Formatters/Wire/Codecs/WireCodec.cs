using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Writes and reads the values of one type in one format: the traversal of contracts that are found by reflection.</summary>
internal abstract class WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
{
    internal abstract void Write(ref WireWriter writer, T value);

    internal abstract T Read(ref WireReader reader, T? existing = default);

    private protected static void WriteArrayHeader(ref WireWriter writer, int count) =>
        writer.End(ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref writer.Output.Position, count));

    private protected static void WriteMapHeader(ref WireWriter writer, int count) =>
        writer.End(ref WireCode.WriteMapHeader<TFormat>(ref writer, ref writer.Output.Position, count));

    private protected static void WriteNull(ref WireWriter writer) => writer.End(ref default(TFormat).WriteNull(ref writer.Begin(1)));

    private protected static void WriteRaw(ref WireWriter writer, ReadOnlySpan<byte> bytes) => writer.End(ref writer.WriteRaw(ref writer.Output.Position, bytes));
}

/// <summary>A value of which <see cref="WireCode"/> has a row.</summary>
internal sealed class WireScalarCodec<TFormat, T>(WireScalarCodec<TFormat, T>.WriteValue write, WireScalarCodec<TFormat, T>.ReadValue read) : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
{
    internal delegate ref byte WriteValue(ref WireWriter writer, ref byte position, T value);

    internal delegate T ReadValue(ref WireReader reader, T? existing);

    internal override void Write(ref WireWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.End(ref write(ref writer, ref writer.Begin(WireCode.MaxValueByteCount), value));
    }

    internal override T Read(ref WireReader reader, T? existing = default) => read(ref reader, existing);
}

/// <summary>An enum, as its underlying integer.</summary>
internal sealed class WireEnumCodec<TFormat, TEnum, TInteger>(WireCodec<TFormat, TInteger> integer) : WireCodec<TFormat, TEnum>
    where TFormat : struct, IWireFormat
    where TEnum : struct
    where TInteger : struct
{
    internal override void Write(ref WireWriter writer, TEnum value) => integer.Write(ref writer, Unsafe.As<TEnum, TInteger>(ref value));

    internal override TEnum Read(ref WireReader reader, TEnum existing = default)
    {
        TInteger value = integer.Read(ref reader);
        return Unsafe.As<TInteger, TEnum>(ref value);
    }
}

/// <summary>A <see cref="Nullable{T}"/>: null or the value.</summary>
internal sealed class WireNullableCodec<TFormat, T>(WireCodec<TFormat, T> inner) : WireCodec<TFormat, T?>
    where TFormat : struct, IWireFormat
    where T : struct
{
    internal override void Write(ref WireWriter writer, T? value)
    {
        if (value is T present)
            inner.Write(ref writer, present);
        else
            WriteNull(ref writer);
    }

    internal override T? Read(ref WireReader reader, T? existing = null) => default(TFormat).TryReadNull(ref reader) ? null : inner.Read(ref reader);
}

/// <summary>An object that may be null: null or the object.</summary>
internal sealed class WireNullableObjectCodec<TFormat, T>(WireCodec<TFormat, T> inner) : WireCodec<TFormat, T?>
    where TFormat : struct, IWireFormat
    where T : class
{
    internal override void Write(ref WireWriter writer, T? value)
    {
        if (value is null)
            WriteNull(ref writer);
        else
            inner.Write(ref writer, value);
    }

    internal override T? Read(ref WireReader reader, T? existing = null) => default(TFormat).TryReadNull(ref reader) ? null : inner.Read(ref reader, existing);
}

/// <summary>A value with a formatter of its own: the bytes of the binary format.</summary>
internal sealed class WireFormattedCodec<TFormat, TFormatter, T> : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
    where TFormatter : IMemberFormatter<T>, new()
{
    internal override void Write(ref WireWriter writer, T value) =>
        writer.End(ref WireCode.WriteFormatted<TFormat, TFormatter, T>(ref writer, ref writer.Output.Position, value));

    internal override T Read(ref WireReader reader, T? existing = default) => WireCode.ReadFormatted<TFormat, TFormatter, T>(ref reader, existing);
}

/// <summary>The codecs of the scalars: a row for each that <see cref="WireCode"/> has.</summary>
internal static class WireScalarCodecs<TFormat>
    where TFormat : struct, IWireFormat
{
    private static readonly Dictionary<Type, object> All = CreateAll();

    /// <summary>Finds the codec of a type: null, or a <see cref="WireCodec{TFormat, T}"/> of it.</summary>
    internal static object? Find(Type type) => All.TryGetValue(type, out object? codec) ? codec : null;

    private static Dictionary<Type, object> CreateAll()
    {
        Dictionary<Type, object> all = WireCode.KnownCodecs<TFormat>();
        Add<bool>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadBoolean<TFormat>(ref r));
        Add<byte>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadByte<TFormat>(ref r));
        Add<sbyte>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadSByte<TFormat>(ref r));
        Add<short>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadInt16<TFormat>(ref r));
        Add<ushort>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadUInt16<TFormat>(ref r));
        Add<int>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadInt32<TFormat>(ref r));
        Add<uint>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadUInt32<TFormat>(ref r));
        Add<long>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadInt64<TFormat>(ref r));
        Add<ulong>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadUInt64<TFormat>(ref r));
        Add<float>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadSingle<TFormat>(ref r));
        Add<double>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDouble<TFormat>(ref r));
        Add<decimal>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDecimal<TFormat>(ref r));
        Add<char>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadChar<TFormat>(ref r));
        Add<string>(static (ref w, ref p, v) => ref WireCode.WriteTextInline<TFormat>(ref w, ref p, v, 0), static (ref r, existing) => default(TFormat).ReadString(ref r, existing));
        Add<byte[]>(WireCode.Write<TFormat>, WireCode.ReadBytes<TFormat>);
        Add<Memory<byte>>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadMemory<TFormat>(ref r));
        Add<ReadOnlyMemory<byte>>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadReadOnlyMemory<TFormat>(ref r));
        Add<ArraySegment<byte>>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadArraySegment<TFormat>(ref r));
        Add<DateTime>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDateTime<TFormat>(ref r));
        Add<DateTimeOffset>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDateTimeOffset<TFormat>(ref r));
        Add<TimeSpan>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadTimeSpan<TFormat>(ref r));
        Add<Guid>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadGuid<TFormat>(ref r));
#if NET
        Add<Half>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadHalf<TFormat>(ref r));
        Add<DateOnly>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDateOnly<TFormat>(ref r));
        Add<TimeOnly>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadTimeOnly<TFormat>(ref r));
        Add<Int128>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadInt128<TFormat>(ref r));
        Add<UInt128>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadUInt128<TFormat>(ref r));
#endif
        return all;

        void Add<T>(WireScalarCodec<TFormat, T>.WriteValue write, WireScalarCodec<TFormat, T>.ReadValue read) => all.Add(typeof(T), new WireScalarCodec<TFormat, T>(write, read));
    }
}
