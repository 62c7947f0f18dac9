using System;
using OwnFormat;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>The differential tests in a format of the application.</summary>
public class Resp3DifferentialTests(ITestOutputHelper output) : TraversalDifferentialTests(output)
{
    internal override FormatterPair<T> PairOf<T>(Type contracts, string name)
    {
        MessageContract<T> contract = Contract<T>(contracts, name);
        return new(new CustomFormatter<T, Resp3>(contract), new CustomFormatter<T, Resp3>(ByReflection.Custom));
    }
}
