using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Formatters.MessagePack;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>Generated contracts against two libraries of JavaScript: what we write they read, and what they write, in forms of their own, we read.</summary>
public sealed class GeneratedPeerTests(MessagePackPeer peer, ITestOutputHelper output) : IClassFixture<MessagePackPeer>
{
    private const int BatchCount = 1000;

    private static readonly int Count = TestScale.Count("FORMATTERS_INTEROP_COUNT", full: 4_000, quick: 2_000, night: 200_000);

    private static readonly MessagePackFormatter<Numbered> Formatter = MessagePackFormatter.Create<Numbered>();

    [NodeFact]
    public void Values_are_the_same_on_both_sides_in_both_directions()
    {
        int seed = TestScale.Seed(20261121);
        var values = new RandomNumbered(new Random(seed));
        Numbered? over = null;
        for (int done = 0; done < Count; done += BatchCount)
        {
            byte[][] bodies = [.. Enumerable.Range(0, BatchCount).Select(_ => Formatter.Write(values.Next()))];
            foreach ((string library, PeerAnswer[] answers) in peer.Ask(bodies))
            {
                for (int i = 0; i < bodies.Length; i++)
                {
                    Assert.True(answers[i].Error is null, $"{library} refuses {Convert.ToHexString(bodies[i])}: {answers[i].Error}");
                    var reader = new MessagePackBodyReader(bodies[i]);
                    Assert.Equal(Value.ToText(Value.Read(ref reader)), answers[i].Text);
                    byte[] returned = Convert.FromHexString(answers[i].Hex!);
                    Assert.Equal(bodies[i], Formatter.Write(Formatter.Read(returned)));
                    over ??= Formatter.Read(bodies[i]);
                    Formatter.Read(returned, ref over);
                    Assert.Equal(bodies[i], Formatter.Write(over));
                }
            }
        }

        output.WriteLine($"seed {seed}: {Count} values, the same for generated contracts and two libraries, in both directions.");
    }

    [NodeFact]
    public void Damaged_bodies_are_read_alike_or_the_difference_is_a_known_one()
    {
        int seed = TestScale.Seed(7);
        var random = new Random(seed);
        var values = new RandomNumbered(random);
        var unexplained = new List<string>();
        var differences = new SortedDictionary<string, int>(StringComparer.Ordinal);
        for (int done = 0; done < Count; done += BatchCount)
        {
            byte[][] bodies = [.. Enumerable.Range(0, BatchCount).Select(_ => Mutation.Damage(random, Formatter.Write(values.Next())))];
            PeerAnswer[] answers = peer.Ask(bodies)["@msgpack/msgpack"];
            for (int i = 0; i < bodies.Length; i++)
            {
                string? difference = GeneratedDifferences.Explain(Formatter, bodies[i], answers[i]);
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
}
