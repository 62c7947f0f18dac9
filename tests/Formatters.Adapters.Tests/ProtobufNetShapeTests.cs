using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.TestShapes;
using ProtoBuf;
using ProtoBuf.Meta;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Adapters.Tests;

/// <summary>Random values of every shape, exchanged with protobuf-net at each of its compatibility levels.</summary>
public sealed class ProtobufNetShapeTests(ITestOutputHelper output)
{
    private static readonly ProtobufNetPeer Level200 = new(ShapeDifferences.ProtobufNet200, CompatibilityLevel.Level200);

    private static readonly ProtobufNetPeer Level240 = new(ShapeDifferences.ProtobufNet240, CompatibilityLevel.Level240);

    private static readonly ProtobufNetPeer Level300 = new(ShapeDifferences.ProtobufNet300, CompatibilityLevel.Level300);

    public static IEnumerable<object[]> Names => ShapePeer.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Level200_IsExchanged(string shape) => Level200.Check(shape, output);

    [Theory]
    [MemberData(nameof(Names))]
    public void Level240_IsExchanged(string shape) => Level240.Check(shape, output);

    [Theory]
    [MemberData(nameof(Names))]
    public void Level300_IsExchanged(string shape) => Level300.Check(shape, output);

    private sealed class ProtobufNetPeer : ShapePeer
    {
        private readonly RuntimeTypeModel _model = RuntimeTypeModel.Create();
        private readonly CompatibilityLevel _level;

        internal ProtobufNetPeer(string name, CompatibilityLevel level)
            : base(name)
        {
            _level = level;
            _model.DefaultCompatibilityLevel = level;
            // Records have no constructor without parameters.
            foreach (System.Type type in TestShapes.Shape.All.Where(static type => type.IsClass && type.GetConstructor([]) is null))
                _model.Add(type).UseConstructor = false;
        }

        protected override IEnumerable<MessageFormatter<T>> Formatters<T>() =>
        [
            .. _level != CompatibilityLevel.Level200 ? [ProtobufFormatter.Create<T>()] : (MessageFormatter<T>[])[],
            new ProtobufFormatter<T>(new ProtobufOptions { UseBclTypes = _level == CompatibilityLevel.Level200, UseGeneratedContract = false }),
        ];

        protected override byte[] Write<T>(T value)
        {
            using var stream = new MemoryStream();
            _model.Serialize(stream, value);
            return stream.ToArray();
        }

        protected override T Read<T>(byte[] body) => _model.Deserialize<T>(new MemoryStream(body));
    }
}
