using System;
using System.Globalization;

namespace Formatters.Contracts.Tests;

/// <summary>What makes another run of the differential tests, or one again: environment variables.</summary>
internal static class TestSettings
{
    /// <summary>Where random values come from: <c>FORMATTERS_SEED</c>.</summary>
    internal static int Seed { get; } = Setting("FORMATTERS_SEED", 20261121);

    /// <summary>How many values of a payload there are, where each takes long: <c>FORMATTERS_TEST_VALUES</c>.</summary>
    internal static int ValueCount(int otherwise) => Setting("FORMATTERS_TEST_VALUES", otherwise);

    internal static int Setting(string name, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), NumberStyles.None, CultureInfo.InvariantCulture, out int value) ? value : otherwise;
}
