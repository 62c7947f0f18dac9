using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>A union: an array of the tag of the case, and the value.</summary>
internal sealed class WireUnionCodec<TFormat, T> : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
    where T : class
{
    private readonly Dictionary<Type, WireUnionCase<TFormat, T>> _byType = [];
    private readonly Dictionary<int, WireUnionCase<TFormat, T>> _byTag = [];
    private Type? _unknownType;
    private ObjectMaker? _unknownMaker;

    /// <summary>Has cases of unknown tag kept.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal void SetUnknown(ObjectMaker maker, Type type) => (_unknownMaker, _unknownType) = (maker, type);

    internal void Add(Type type, WireUnionCase<TFormat, T> unionCase)
    {
        _byType.Add(type, unionCase);
        _byTag.Add(unionCase.Tag, unionCase);
    }

    internal override void Write(ref WireWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (value.GetType() == _unknownType)
        {
            writer.End(ref WireCode.WriteUnknownCase<TFormat>(ref writer, ref writer.Output.Position, (IUnknownCase)value));
            return;
        }

        if (!_byType.TryGetValue(value.GetType(), out WireUnionCase<TFormat, T>? unionCase))
        {
            WireCode.ThrowUnlistedCase(value, typeof(T));
            return;
        }

        writer.Enter();
        WriteArrayHeader(ref writer, 2);
        writer.End(ref default(TFormat).Write(ref writer.Begin(WireCode.MaxValueByteCount), (long)unionCase.Tag));
        unionCase.Write(ref writer, value);
        writer.Leave();
    }

    internal override T Read(ref WireReader reader, T? existing = null)
    {
        int tag = WireCode.ReadTag<TFormat>(ref reader, typeof(T), out int byteOffset);
        T value = default!;
        if (_byTag.TryGetValue(tag, out WireUnionCase<TFormat, T>? unionCase))
            value = unionCase.Read(ref reader, existing);
        else if (_unknownMaker is not null)
            value = (T)WireCode.ReadUnknownCase<TFormat, IUnknownCase>(ref reader, (IUnknownCase)_unknownMaker.Make(null), tag, byteOffset);
        else
            WireCode.ThrowUnknownCase(tag, byteOffset, typeof(T));
        reader.Leave();
        return value;
    }
}

/// <summary>A case of a union.</summary>
internal abstract class WireUnionCase<TFormat, T>(int tag)
    where TFormat : struct, IWireFormat
    where T : class
{
    internal int Tag { get; } = tag;

    internal abstract void Write(ref WireWriter writer, T value);

    internal abstract T Read(ref WireReader reader, T? existing);
}

/// <summary>A case of a union, of a type.</summary>
internal sealed class WireUnionCase<TFormat, T, TCase>(int tag, WireCodec<TFormat, TCase> codec) : WireUnionCase<TFormat, T>(tag)
    where TFormat : struct, IWireFormat
    where T : class
    where TCase : T
{
    internal override void Write(ref WireWriter writer, T value) => codec.Write(ref writer, (TCase)value);

    internal override T Read(ref WireReader reader, T? existing) => codec.Read(ref reader, existing is TCase same ? same : default);
}

