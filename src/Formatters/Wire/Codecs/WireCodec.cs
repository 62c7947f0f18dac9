using System;
using System.Collections.Generic;
using System.Net;
using System.Numerics;
using Formatters.Binary;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>Writes and reads boxed values of one type in one format.</summary>
internal abstract class WireCodec<TFormat>
    where TFormat : struct, IWireFormat
{
    internal abstract void WriteBoxed(ref WireWriter writer, object? value);

    internal abstract object? ReadBoxed(ref WireReader reader, object? existing);
}

/// <summary>Writes and reads the values of one type in one format.</summary>
internal abstract class WireCodec<TFormat, T> : WireCodec<TFormat>
    where TFormat : struct, IWireFormat
{
    internal abstract void Write(ref WireWriter writer, T value);

    internal abstract T Read(ref WireReader reader, T? existing = default);

    internal override void WriteBoxed(ref WireWriter writer, object? value) => Write(ref writer, (T)value!);

    internal override object? ReadBoxed(ref WireReader reader, object? existing) =>
        Read(ref reader, existing is T same && !typeof(T).IsValueType ? same : default);
}

/// <summary>The codec of a value with a row in <see cref="WireCode"/>.</summary>
internal sealed class WireScalarCodec<TFormat, T>(WireScalarCodec<TFormat, T>.WriteValue write, WireScalarCodec<TFormat, T>.ReadValue read)
    : WireCodec<TFormat, T>
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

/// <summary>The codec of a value with a custom codec: the bytes of the binary format.</summary>
internal sealed class WireFormattedCodec<TFormat, TCodec, T> : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
    where TCodec : BinaryCodec<T>, new()
{
    internal override void Write(ref WireWriter writer, T value) =>
        writer.End(ref WireCode.WriteFormatted<TFormat, TCodec, T>(ref writer, ref writer.Output.Position, value));

    internal override T Read(ref WireReader reader, T? existing = default) => WireCode.ReadFormatted<TFormat, TCodec, T>(ref reader, existing);
}

/// <summary>The codecs of the scalars: one for each row of <see cref="WireCode"/>.</summary>
internal static class WireScalarCodecs<TFormat>
    where TFormat : struct, IWireFormat
{
    private static readonly Dictionary<Type, WireCodec<TFormat>> All = CreateAll();

    /// <summary>Returns the codec of a type.</summary>
    internal static WireCodec<TFormat> Find(Type type) => All[type];

    private static Dictionary<Type, WireCodec<TFormat>> CreateAll()
    {
        var all = new Dictionary<Type, WireCodec<TFormat>>();
        Add<bool>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadBoolean<TFormat>(ref r));
        Add<byte>(static (ref w, ref p, v) => ref WireCode.Write<TFormat>(ref w, ref p, (int)v),
            static (ref r, _) => WireCode.ReadByte<TFormat>(ref r));
        Add<sbyte>(static (ref w, ref p, v) => ref WireCode.Write<TFormat>(ref w, ref p, (int)v),
            static (ref r, _) => WireCode.ReadSByte<TFormat>(ref r));
        Add<short>(static (ref w, ref p, v) => ref WireCode.Write<TFormat>(ref w, ref p, (int)v),
            static (ref r, _) => WireCode.ReadInt16<TFormat>(ref r));
        Add<ushort>(static (ref w, ref p, v) => ref WireCode.Write<TFormat>(ref w, ref p, (int)v),
            static (ref r, _) => WireCode.ReadUInt16<TFormat>(ref r));
        Add<int>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadInt32<TFormat>(ref r));
        Add<uint>(static (ref w, ref p, v) => ref WireCode.Write<TFormat>(ref w, ref p, (long)v),
            static (ref r, _) => WireCode.ReadUInt32<TFormat>(ref r));
        Add<long>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadInt64<TFormat>(ref r));
        Add<ulong>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadUInt64<TFormat>(ref r));
        Add<float>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadSingle<TFormat>(ref r));
        Add<double>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDouble<TFormat>(ref r));
        Add<decimal>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadDecimal<TFormat>(ref r));
        Add<char>(static (ref w, ref p, v) => ref WireCode.Write<TFormat>(ref w, ref p, (int)v),
            static (ref r, _) => WireCode.ReadChar<TFormat>(ref r));
        Add<string>(static (ref w, ref p, v) => ref WireCode.WriteTextInline<TFormat>(ref w, ref p, v, 0),
            static (ref r, existing) => WireCode.ReadString<TFormat>(ref r, existing));
        Add<BigInteger>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadBigInteger<TFormat>(ref r));
        Add<IPAddress>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadIPAddress<TFormat>(ref r));
        Add<Uri>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadUri<TFormat>(ref r));
        Add<Version>(WireCode.Write<TFormat>, static (ref r, _) => WireCode.ReadVersion<TFormat>(ref r));
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

        void Add<T>(WireScalarCodec<TFormat, T>.WriteValue write, WireScalarCodec<TFormat, T>.ReadValue read) =>
            all.Add(typeof(T), new WireScalarCodec<TFormat, T>(write, read));
    }
}
