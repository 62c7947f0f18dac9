using Formatters.Custom;
using Formatters.Generated;
using Formatters.MessagePack;

namespace Formatters;

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
