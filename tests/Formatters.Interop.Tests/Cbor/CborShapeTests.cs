using System;
using System.Collections.Generic;
using System.Formats.Cbor;
using Formatters.TestShapes;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.Cbor;

/// <summary>Random values of every shape, written by System.Formats.Cbor and read by it.</summary>
public sealed class CborShapeTests(ITestOutputHelper output)
{
    private static readonly Peer Cbor = new();

    public static IEnumerable<object[]> Names => ShapePeer.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Values_AreExchanged(string shape) => Cbor.Check(shape, output);

    private sealed class Peer() : ShapePeer(ShapeDifferences.Cbor)
    {
        protected override IEnumerable<MessageFormatter<T>> Formatters<T>() =>
            [CborFormatter.Create<T>(), new CborFormatter<T>(options: CborOptions.Default with { UseGeneratedContract = false })];

        protected override byte[] Write<T>(T value) => CborPeer.Write(value, isCanonical: true);

        protected override T Read<T>(byte[] body) => throw new NotSupportedException("It reads items, not objects.");

        protected override bool Exchange<T>(MessageFormatter<T> ours, T value)
        {
            byte[] body = ours.Write(value);
            AssertBytes(body, ours.Write(ours.Read(CborPeer.Write(value, isCanonical: false))), "read from the peer");
            var reader = new CborReader(body, CborConformanceMode.Strict);
            reader.SkipValue();
            Assert.Equal(0, reader.BytesRemaining);
            return body.AsSpan().SequenceEqual(Write(value));
        }
    }
}
