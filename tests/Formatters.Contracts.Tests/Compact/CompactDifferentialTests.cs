using System;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The differential tests in the compact format.</summary>
public class CompactDifferentialTests(ITestOutputHelper output) : TraversalDifferentialTests(output)
{
    internal override FormatterPair<T> PairOf<T>(Type contracts, string name)
    {
        MessageContract<T> contract = Contract<T>(contracts, name);
        return new(new CompactFormatter<T>(contract), new CompactFormatter<T>(ByReflection.Compact));
    }
}
