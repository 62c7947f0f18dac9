using System.Collections.Generic;
using Formatters.TestShapes;
using Nerdbank.MessagePack;
using PolyType;
using PolyType.Abstractions;
using PolyType.ReflectionProvider;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>Random values of every shape, exchanged with Nerdbank.MessagePack as maps of all members.</summary>
public sealed class NerdbankShapeTests(ITestOutputHelper output)
{
    private static readonly Peer Nerdbank = new();

    public static IEnumerable<object[]> Names => ShapePeer.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Maps_AreExchanged(string shape) => Nerdbank.Check(shape, output);

    private sealed class Peer() : ShapePeer(ShapeDifferences.Nerdbank)
    {
        private static readonly MessagePackSerializer Serializer = new() { SerializeDefaultValues = SerializeDefaultValuesPolicy.Always };

        protected override IEnumerable<MessageFormatter<T>> Formatters<T>() =>
            [new MessagePackFormatter<T>(new MessagePackOptions { Form = MessagePackForm.Map, UseGeneratedContract = false })];

        protected override byte[] Write<T>(T value) => Serializer.Serialize(in value, ReflectionTypeShapeProvider.Default.GetTypeShapeOrThrow<T>());

        protected override T Read<T>(byte[] body) => Serializer.Deserialize(body, ReflectionTypeShapeProvider.Default.GetTypeShapeOrThrow<T>())!;
    }
}
