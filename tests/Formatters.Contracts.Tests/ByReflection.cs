namespace Formatters.Contracts.Tests;

/// <summary>Options under which the generated contract of a type is not used: they have a codec, of a type that nothing holds.</summary>
internal static class ByReflection
{
    internal static readonly MessagePackOptions MessagePack = MessagePackOptions.Default.WithCodec(new NoMessagePack());

    internal static readonly ProtobufOptions Protobuf = ProtobufOptions.Default.WithCodec(new NoProtobuf());

    internal static readonly CborOptions Cbor = CborOptions.Default.WithDerived(typeof(System.Exception));
    internal static readonly CompactOptions Compact = CompactOptions.Default.WithDerived(typeof(System.Exception));

    private sealed class Nothing;

    private sealed class NoMessagePack : MessagePackCodec<Nothing>
    {
        public override void Write(ref MessagePackBodyWriter writer, Nothing value) => writer.WriteNil();

        public override Nothing Read(ref MessagePackBodyReader reader, Nothing? existing = null) => reader.TryReadNil() ? new Nothing() : new Nothing();
    }

    private sealed class NoProtobuf : ProtobufCodec<Nothing>
    {
        public override void Write(ref ProtobufBodyWriter writer, Nothing value)
        {
        }

        public override Nothing Read(ref ProtobufBodyReader reader, Nothing? existing = null, bool merges = false) => new();
    }
}
