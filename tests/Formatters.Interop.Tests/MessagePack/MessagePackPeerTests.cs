using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Formatters.Buffers;
using Formatters.MessagePack;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>The same values and bodies through our reader and writer and through two libraries of JavaScript.</summary>
public sealed class MessagePackPeerTests(MessagePackPeer peer, ITestOutputHelper output) : IClassFixture<MessagePackPeer>
{
    private const int BatchCount = 1000;

    private static readonly int Count = TestScale.Count("FORMATTERS_INTEROP_COUNT", full: 4_000, quick: 2_000, night: 200_000);

    [NodeFact]
    public void Values_are_the_same_on_both_sides_in_both_directions()
    {
        int seed = TestScale.Seed(20261121);
        var random = new Random(seed);
        for (int done = 0; done < Count; done += BatchCount)
        {
            object?[] values = [.. Enumerable.Range(0, BatchCount).Select(_ => Value.Random(random, 0))];
            byte[][] bodies = [.. values.Select(Write)];
            foreach ((string library, PeerAnswer[] answers) in peer.Ask(bodies))
            {
                for (int i = 0; i < values.Length; i++)
                {
                    string expected = Value.ToText(values[i]);
                    Assert.Equal(expected, Value.ToText(Read(bodies[i])));
                    Assert.True(answers[i].Error is null, $"{library} refuses {Convert.ToHexString(bodies[i])}: {answers[i].Error}");
                    Assert.Equal(expected, answers[i].Text);
                    Assert.Equal(expected, Value.ToText(Read(Convert.FromHexString(answers[i].Hex!))));
                }
            }
        }

        output.WriteLine($"seed {seed}: {Count} values, the same for us and two libraries, in both directions.");
    }

    [NodeFact]
    public void Damaged_bodies_are_read_alike_or_the_difference_is_a_known_one()
    {
        int seed = TestScale.Seed(5);
        var random = new Random(seed);
        var unexplained = new List<string>();
        var differences = new SortedDictionary<string, int>(StringComparer.Ordinal);
        for (int done = 0; done < Count; done += BatchCount)
        {
            byte[][] bodies = [.. Enumerable.Range(0, BatchCount).Select(_ => Mutation.Damage(random, Write(Value.Random(random, 0))))];
            // msgpackr is no judge of bad bodies: it gives meanings of its own to what the specification leaves open or forbids.
            PeerAnswer[] answers = peer.Ask(bodies)["@msgpack/msgpack"];
            for (int i = 0; i < bodies.Length; i++)
            {
                string? difference = MessagePackDifferences.Explain(bodies[i], answers[i]);
                if (difference == "" && unexplained.Count < 20)
                    unexplained.Add($"{answers[i].Error ?? answers[i].Text} of {Convert.ToHexString(bodies[i])}.");
                else if (difference is not null)
                    differences[difference] = differences.GetValueOrDefault(difference) + 1;
            }
        }

        foreach ((string difference, int times) in differences)
            output.WriteLine($"{times,7} {difference}");
        output.WriteLine($"seed {seed}: {Count} damaged bodies.");
        Assert.True(unexplained.Count == 0, string.Join("\n", unexplained));
    }

    private static byte[] Write(object? value)
    {
        using var buffer = new PooledBufferWriter();
        var writer = new MessagePackBodyWriter(buffer);
        Value.Write(ref writer, value);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    private static object? Read(byte[] body)
    {
        var reader = new MessagePackBodyReader(body);
        object? value = Value.Read(ref reader);
        reader.EnsureEnd();
        return value;
    }
}
