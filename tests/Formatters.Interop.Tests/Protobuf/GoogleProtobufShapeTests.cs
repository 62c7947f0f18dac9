using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Protobuf;
using Formatters.Tests.Support;
using Formatters.TestShapes;
using Google.Protobuf;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>Random values of every shape, exchanged with the classes that protoc makes of their schema for Google.Protobuf.</summary>
public sealed class GoogleProtobufShapeTests(ITestOutputHelper output)
{
    private static readonly Peer Google = new();

    public static IEnumerable<object[]> Names => ShapePeer.Names;

    [Fact]
    public void The_schema_is_that_of_the_peer()
    {
        string schema = ProtobufSchema.Export([.. TestShapes.Shape.All], "shape_peers");
        string file = Path.Combine(Golden.Directory("."), "..", "Formatters.Interop.Tests", "Protobuf", "shapes.proto");
        if (Environment.GetEnvironmentVariable("UPDATE_PROTO") == "1")
            File.WriteAllText(file, "// What ProtobufSchema prints for the shapes: a test compares them; UPDATE_PROTO=1 writes it.\n" + schema);
        Assert.Equal(schema, File.ReadAllText(file)[(File.ReadAllText(file).IndexOf('\n', StringComparison.Ordinal) + 1)..]);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Values_AreExchanged(string shape) => Google.Check(shape, output);

    private sealed class Peer() : ShapePeer(ShapeDifferences.GoogleProtobuf)
    {
        protected override IEnumerable<MessageFormatter<T>> Formatters<T>() =>
            [ProtobufFormatter.Create<T>(), new ProtobufFormatter<T>(new ProtobufOptions { UseGeneratedContract = false })];

        protected override byte[] Write<T>(T value) => Parse<T>(ProtobufFormatter.Create<T>().Write(value)).ToByteArray();

        protected override T Read<T>(byte[] body) => throw new NotSupportedException("It reads its own classes.");

        /// <remarks>A field that the schema has otherwise is unknown to the parser, which discards it.</remarks>
        protected override bool Exchange<T>(MessageFormatter<T> ours, T value)
        {
            byte[] body = ours.Write(value);
            IMessage message = Parse<T>(body);
            byte[] theirs = message.ToByteArray();
            AssertBytes(body, ours.Write(ours.Read(theirs)), "read from the peer");
            Assert.Equal(message, Parse<T>(theirs));
            return body.AsSpan().SequenceEqual(theirs);
        }

        private static IMessage Parse<T>(byte[] body) => ShapePeers.ShapesReflection.Descriptor.MessageTypes
            .Single(static message => message.Name == typeof(T).Name)
            .Parser.WithDiscardUnknownFields(true).ParseFrom(body);
    }
}
