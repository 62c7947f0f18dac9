using System;
using System.Collections.Generic;
using System.Formats.Nrbf;
using System.IO;
using Formatters.TestShapes;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Random values of every shape, exchanged with BinaryFormatter, and decoded by System.Formats.Nrbf.</summary>
public sealed class ShapeTests(ITestOutputHelper output)
{
    private static readonly LegacyBinaryPeer BinaryFormatter = new();

    public static IEnumerable<object[]> Names => ShapePeer.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void BinaryFormatter_ReadsAndWritesThem(string shape) => BinaryFormatter.Check(shape, output);

    private sealed class LegacyBinaryPeer() : ShapePeer(ShapeDifferences.BinaryFormatter)
    {
        // Members declared as interfaces hold these.
        private static readonly LegacyBinaryOptions Options = LegacyBinaryOptions.Default
            .WithType(typeof(Card)).WithType(typeof(Transfer)).WithType(typeof(Dictionary<string, double>)).WithType(typeof(Dictionary<string, int>))
            .WithType(typeof(List<int>))
            .WithType(typeof(List<string>)).WithType(typeof(HashSet<int>)).WithType(typeof(HashSet<string>)).WithType(typeof(List<long>));

        protected override IEnumerable<MessageFormatter<T>> Formatters<T>() => [new LegacyBinaryFormatter<T>(Options)];

        protected override byte[] Write<T>(T value) => Peer.Write(value!);

        protected override T Read<T>(byte[] body) => (T)Peer.Read(body);

        protected override bool Exchange<T>(MessageFormatter<T> ours, T value)
        {
            byte[] body = ours.Write(value);
            byte[] theirs = Write(value);
            AssertBytes(body, ours.Write(ours.Read(theirs)), "read from the peer");
            T fromPeer = Read<T>(body);
            // The peer reads all empty arrays as one: then the values are compared without what they share.
            if (!ours.Write(fromPeer).AsSpan().SequenceEqual(body))
                AssertBytes(MessagePackFormatter.Create<T>().Write(value), MessagePackFormatter.Create<T>().Write(fromPeer), "read by the peer");
            Assert.True(((ClassRecord)NrbfDecoder.Decode(new MemoryStream(body))).TypeNameMatches(typeof(T)));
            return body.AsSpan().SequenceEqual(theirs);
        }
    }
}
