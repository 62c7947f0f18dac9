using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;

namespace Formatters.Benchmarks;

/// <summary>Gives the processes that BenchmarkDotNet starts the generation 0 budget that runtimeconfig.template.json gives this one: 4 MiB.
/// README.md, "Decisions", says why.</summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class Gen0BudgetAttribute : Attribute, IConfigSource
{
    /// <summary>Hexadecimal, as the runtime reads it.</summary>
    private const string ByteCount = "400000";

    /// <summary>Changes whatever job the command line chose.</summary>
    public IConfig Config { get; } =
        ManualConfig.CreateEmpty().AddJob(Job.Default.WithEnvironmentVariable("DOTNET_GCgen0size", ByteCount).AsMutator());
}
