using System;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The differential tests in CBOR.</summary>
public class CborDifferentialTests(ITestOutputHelper output) : TraversalDifferentialTests(output)
{
    internal override FormatterPair<T> PairOf<T>(Type contracts, string name)
    {
        MessageContract<T> contract = Contract<T>(contracts, name);
        return new(new CborFormatter<T>(contract), new CborFormatter<T>(ByReflection.Cbor));
    }
}
