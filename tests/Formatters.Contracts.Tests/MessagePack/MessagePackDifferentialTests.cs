using System;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The differential tests in MessagePack, whose contracts found by reflection are tested against other libraries.</summary>
public class MessagePackDifferentialTests(ITestOutputHelper output) : TraversalDifferentialTests(output)
{
    internal override FormatterPair<T> PairOf<T>(Type contracts, string name)
    {
        MessagePackContract<T> contract = Contract<MessagePackContract<T>>(contracts, "MessagePack" + name);
        return new(new MessagePackFormatter<T>(contract), new MessagePackFormatter<T>(options: ByReflection.MessagePack))
        {
            Canonical = new(
                new MessagePackFormatter<T>(contract, isCanonical: true),
                new MessagePackFormatter<T>(options: ByReflection.MessagePack with { IsCanonical = true })),
        };
    }
}
