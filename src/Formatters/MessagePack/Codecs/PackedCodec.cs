using Formatters.Generated;

namespace Formatters;

/// <summary>A codec of the application as the contract of the payload itself.</summary>
internal sealed class PackedContract<TOrder, T>(MessagePackCodec<T> codec) : TraversedContract<T>
    where TOrder : struct
{
    internal override bool KnowsPath => true;

    internal override void Write(ref WireWriter writer, T value) => PackedCodec.Write<MessagePackFormat<TOrder>, T>(codec, ref writer, value);

    internal override T Read(ref WireReader reader, T? existing) => PackedCodec.Read(codec, ref reader, existing, allowsNil: true);

    internal override void WriteTraced(ref WireWriter writer, T value) => Write(ref writer, value);

    internal override T ReadTraced(ref WireReader reader) => Read(ref reader, default);
}

/// <summary>A codec of the application, or a generated contract, in a contract found by reflection. It is called for neither null nor nil.</summary>
internal sealed class PackedCodec<TFormat, T>(MessagePackCodec<T> codec) : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
{
    internal override void Write(ref WireWriter writer, T value) => PackedCodec.Write<TFormat, T>(codec, ref writer, value);

    internal override T Read(ref WireReader reader, T? existing = default) => PackedCodec.Read(codec, ref reader, existing);
}

/// <summary>Passes the public writer or reader, over the buffer of the traversal, to a codec.</summary>
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

    internal static T Read<T>(MessagePackCodec<T> codec, ref WireReader reader, T? existing, bool allowsNil = false)
    {
        var inner = new MessagePackBodyReader(reader.Input);
        try
        {
            if (!allowsNil)
                inner.RefuseNil();
            return codec.Read(ref inner, existing);
        }
        finally
        {
            reader.Input = inner.Input;
        }
    }
}
