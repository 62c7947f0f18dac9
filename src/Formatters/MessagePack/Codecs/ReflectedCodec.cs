using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A contract found by reflection, which the traversal writes and reads, as a codec of MessagePack.</summary>
internal sealed class ReflectedCodec<TOrder, T>(ReflectedContract<MessagePackFormat<TOrder>, T> contract) : MessagePackCodec<T>
    where TOrder : struct
{
    public override void Write(ref MessagePackBodyWriter writer, T value)
    {
        var inner = new WireWriter(writer.Output);
        contract.Write(ref inner, value);
        writer.Output = inner.Output;
    }

    public override T Read(ref MessagePackBodyReader reader, T? existing = default)
    {
        var inner = new WireReader(reader.Input);
        try
        {
            return contract.Read(ref inner, existing);
        }
        finally
        {
            reader.Input = inner.Input;
        }
    }
}

/// <summary>Makes codecs of contracts found by reflection.</summary>
internal static class ReflectedCodec
{
    /// <exception cref="ArgumentException">The type, or one in it, has no contract; the text names the member.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static MessagePackCodec<T> Build<T>(MessagePackOptions options)
    {
        if (typeof(T).IsValueType && options.FindCodec(typeof(T)) is MessagePackCodec<T> own)
            return own;
        return options.IsCanonical
            ? new ReflectedCodec<CanonicalOrder, T>(WireCodecBuilder<MessagePackFormat<CanonicalOrder>>.Build<T>(options))
            : new ReflectedCodec<AnyOrder, T>(WireCodecBuilder<MessagePackFormat<AnyOrder>>.Build<T>(options));
    }
}

/// <summary>A codec of the application, or a generated contract, in a contract found by reflection. It is given no null and no nil.</summary>
internal sealed class PackedCodec<TFormat, T>(MessagePackCodec<T> codec) : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
{
    internal override void Write(ref WireWriter writer, T value) => PackedCodec.Write<TFormat, T>(codec, ref writer, value);

    internal override T Read(ref WireReader reader, T? existing = default) => PackedCodec.Read(codec, ref reader, existing);
}

/// <summary>Gives the public writer or reader, over the buffer of the traversal, to a codec, and takes it back.</summary>
internal static class PackedCodec
{
    internal static void Write<TFormat, T>(MessagePackCodec<T> codec, ref WireWriter writer, T value)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        var inner = new MessagePackBodyWriter(writer.Output, default(TFormat).IsSorted);
        codec.Write(ref inner, value);
        writer.Output = inner.Output;
    }

    internal static T Read<T>(MessagePackCodec<T> codec, ref WireReader reader, T? existing)
    {
        var inner = new MessagePackBodyReader(reader.Input);
        try
        {
            inner.RefuseNil();
            return codec.Read(ref inner, existing);
        }
        finally
        {
            reader.Input = inner.Input;
        }
    }
}
