using System;
using System.Collections.Generic;
using System.Formats.Cbor;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.Cbor;

/// <summary>Bodies of <see cref="CborFormatter{T}"/> against System.Formats.Cbor, generated and by reflection: the bytes, what is read, and what is well-formed.</summary>
public sealed class CborPeerTests(ITestOutputHelper output)
{
    private static readonly int Count = TestScale.Count("FORMATTERS_INTEROP_COUNT", full: 4_000, quick: 2_000, night: 200_000);

    private static readonly CborFormatter<Shipment> Generated = CborFormatter.Create<Shipment>();

    // With options of its own a formatter takes no generated contract.
    private static readonly CborFormatter<Shipment> Reflected = new(options: CborOptions.Default with { UnannotatedAllowsNull = true });

    [Fact]
    public void Values_have_the_bytes_of_the_canonical_mode_and_are_read_from_others()
    {
        int seed = TestScale.Seed(20261124);
        var values = new RandomShipments(new Random(seed));
        var over = new Shipment();
        for (int i = 0; i < Count; i++)
        {
            Shipment value = values.Next();
            byte[] expected = CborPeer.Write(value, isCanonical: true);
            byte[] unsorted = CborPeer.Write(value, isCanonical: false);

            foreach (CborFormatter<Shipment> formatter in (CborFormatter<Shipment>[])[Generated, Reflected])
            {
                AssertBytes(expected, formatter.Write(value));
                AssertBytes(expected, formatter.Write(formatter.Read(expected)));
                AssertBytes(expected, formatter.Write(formatter.Read(unsorted)));
            }

            AssertBytes(expected, CborPeer.Rewrite(expected, CborConformanceMode.Canonical));
            Generated.Read(unsorted, ref over);
            AssertBytes(expected, Generated.Write(over));
        }

        output.WriteLine($"seed {seed}: {Count} values, the same bytes as System.Formats.Cbor.");
    }

    [Fact]
    public void Damaged_bodies_that_are_read_are_well_formed_and_none_that_is_well_formed_is_called_broken()
    {
        int seed = TestScale.Seed(8);
        var random = new Random(seed);
        var values = new RandomShipments(random);
        int read = 0;
        var refused = new SortedDictionary<string, int>(StringComparer.Ordinal);
        for (int i = 0; i < Count; i++)
        {
            byte[] body = Mutation.Damage(random, Generated.Write(values.Next()));
            bool isWellFormed = CborPeer.IsWellFormed(body);
            MessageFormatException? error = Read(Generated, body);
            if (error is null)
            {
                Assert.True(isWellFormed, $"The peer refuses {Convert.ToHexString(body)}.");
                read++;
                continue;
            }

            refused[error.Code.ToString()] = refused.GetValueOrDefault(error.Code.ToString()) + 1;
            // An indefinite length is refused where a contract reads a value, and that is Malformed: 5F, 7F, 9F or BF.
            bool isBroken = error.Code is MessageFormatErrorCode.Truncated or MessageFormatErrorCode.TrailingBytes or MessageFormatErrorCode.Malformed;
            if (isBroken && !(error.Code == MessageFormatErrorCode.Malformed && (body[error.ByteOffset] & 0x1F) == 0x1F))
                Assert.False(isWellFormed, $"{error.Code} at {error.ByteOffset}, and the peer reads {Convert.ToHexString(body)}.");
        }

        foreach ((string code, int times) in refused)
            output.WriteLine($"{times,7} {code}");
        output.WriteLine($"seed {seed}: {Count} damaged bodies, {read} read.");
        Assert.InRange(read, 1, Count - 1);
    }

    private static void AssertBytes(byte[] expected, byte[] actual) =>
        Assert.True(expected.AsSpan().SequenceEqual(actual), $"{Convert.ToHexString(actual)} is not {Convert.ToHexString(expected)}.");

    private static MessageFormatException? Read(CborFormatter<Shipment> formatter, byte[] body)
    {
        try
        {
            formatter.Read(body);
            return null;
        }
        catch (MessageFormatException e)
        {
            return e;
        }
    }
}
