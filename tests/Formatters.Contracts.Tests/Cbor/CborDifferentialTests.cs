using System;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The differential tests in CBOR.</summary>
public class CborDifferentialTests(ITestOutputHelper output) : TraversalDifferentialTests(output)
{
    internal override FormatterPair<T> PairOf<T>(Type contracts, string name)
    {
        CborContract<T> contract = Contract<CborContract<T>>(contracts, "Cbor" + name);
        return new(new CborFormatter<T>(contract), new CborFormatter<T>(options: ByReflection.Cbor));
    }
}
