using System;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The differential tests in MessagePack, whose contracts found by reflection are tested against other libraries.</summary>
public class MessagePackDifferentialTests(ITestOutputHelper output) : TraversalDifferentialTests(output)
{
    internal override FormatterPair<T> PairOf<T>(Type contracts, string name)
    {
        MessageContract<T> contract = Contract<T>(contracts, name);
        return new(new MessagePackFormatter<T>(contract), new MessagePackFormatter<T>(ByReflection.MessagePack))
        {
            Canonical = new(
                new MessagePackFormatter<T>(contract, new MessagePackOptions { IsCanonical = true }),
                new MessagePackFormatter<T>(ByReflection.MessagePack with { IsCanonical = true })),
        };
    }
}
