using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.HostileBodies.Tests;

/// <summary>
/// Bodies that nobody wrote in good faith, read in processes of their own on stacks of 256 KiB. A process that ends, an exception that is not the typed one, one with content of the body,
/// more than 20 ms + 10 us a byte, or more than 64 KiB + 64 x the size allocated, is a failure.
/// </summary>
public class HostileBodiesTests(ITestOutputHelper output)
{
    private static readonly Lazy<IReadOnlyDictionary<string, string>> Outcomes = new(ChildRun.RunCases);

    public static TheoryData<string> Cases => new(ChildRun.Cases);

    public static TheoryData<string> Formats => new(ChildRun.Formats);

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_hostile_body_is_read_or_refused(string name) => Assert.Equal("ok", Outcomes.Value[name]);

    [Theory]
    [MemberData(nameof(Formats))]
    public void Damaged_bodies_are_read_or_refused(string format)
    {
        string outcome = ChildRun.Read(format, TestScale.Count("FORMATTERS_HOSTILE_READS", full: 800, quick: 200, night: 200_000), TestScale.Seed(20261123));
        output.WriteLine(outcome);
        Assert.StartsWith("ok ", outcome, StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_that_dies_is_a_failure() => Assert.Contains("died", ChildRun.Read("stack-overflow", 1, 1), StringComparison.Ordinal);
}
