using Formatters.Custom;
using Formatters.Generated;
using Formatters.MessagePack;

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
