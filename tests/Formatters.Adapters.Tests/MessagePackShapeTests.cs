using System.Collections.Generic;
using Formatters.TestShapes;
using MessagePack;
using MessagePack.Resolvers;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Adapters.Tests;

/// <summary>Random values of every shape, exchanged with MessagePack-CSharp.</summary>
public sealed class MessagePackShapeTests(ITestOutputHelper output)
{
    private static readonly MessagePackPeer Arrays = new(ShapeDifferences.MessagePackArray, MessagePackForm.ByContract, StandardResolverAllowPrivate.Options);

    private static readonly MessagePackPeer Maps = new(ShapeDifferences.MessagePackMap, MessagePackForm.Map, MessagePackSerializerOptions.Standard.WithResolver(
        CompositeResolver.Create(BuiltinResolver.Instance, global::MessagePack.ImmutableCollection.ImmutableCollectionResolver.Instance,
            DynamicEnumResolver.Instance, DynamicGenericResolver.Instance, DynamicUnionResolver.Instance, DynamicContractlessObjectResolver.Instance)));

    public static IEnumerable<object[]> Names => ShapePeer.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Arrays_AreExchanged(string shape) => Arrays.Check(shape, output);

    [Theory]
    [MemberData(nameof(Names))]
    public void Maps_AreExchanged(string shape) => Maps.Check(shape, output);

    private sealed class MessagePackPeer(string name, MessagePackForm form, MessagePackSerializerOptions options) : ShapePeer(name)
    {
        protected override IEnumerable<MessageFormatter<T>> Formatters<T>() =>
        [
            .. form == MessagePackForm.ByContract ? [MessagePackFormatter.Create<T>()] : (MessageFormatter<T>[])[],
            new MessagePackFormatter<T>(new MessagePackOptions { Form = form, UseGeneratedContract = false }),
        ];

        protected override byte[] Write<T>(T value) => MessagePackSerializer.Serialize(value, options);

        protected override T Read<T>(byte[] body) => MessagePackSerializer.Deserialize<T>(body, options);
    }
}
