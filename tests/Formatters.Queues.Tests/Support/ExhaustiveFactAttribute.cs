using System;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A test of every bit, byte or planted bug, which is left out of quick runs.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ExhaustiveFactAttribute : FactAttribute
{
    public ExhaustiveFactAttribute() => Skip = TestScale.SkipReason(static () => null);
}
