using System.Collections.Generic;
using Xunit.Abstractions;

namespace Formatters.Mutants;

internal sealed class TestOptions : Dictionary<string, object?>, ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
{
    public TValue GetValue<TValue>(string name) => TryGetValue(name, out object? value) ? (TValue)value! : default!;

    public void SetValue<TValue>(string name, TValue value) => this[name] = value;
}
