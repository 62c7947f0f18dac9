using System;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;

namespace Formatters.Benchmarks.Tests;

/// <summary>A run of a verb: its exit code, and what it wrote.</summary>
internal static class VerbRun
{
    internal static (int ExitCode, string Output, string Error) Of(Func<string[], TextWriter, TextWriter, int> verb, params string[] args) =>
        OfAsync((given, output, error) => Task.FromResult(verb(given, output, error)), args).GetAwaiter().GetResult();

    internal static async Task<(int ExitCode, string Output, string Error)> OfAsync(Func<string[], TextWriter, TextWriter, Task<int>> verb, params string[] args)
    {
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        using var error = new StringWriter(CultureInfo.InvariantCulture);
        int exitCode = await verb(args, output, error);
        return (exitCode, output.ToString(), error.ToString());
    }
}
