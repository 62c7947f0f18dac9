using System.Runtime.CompilerServices;

namespace Formatters.Benchmarks.Peers;

/// <summary>
/// Turns BinaryFormatter on for the rows that measure what the study measured, in code: BenchmarkDotNet and test runners start processes with a
/// runtimeconfig.json of their own, in which the project's property does not arrive.
/// </summary>
internal static class BinaryFormatterSwitch
{
    [ModuleInitializer]
    internal static void TurnOn() => AppContext.SetSwitch("System.Runtime.Serialization.EnableUnsafeBinaryFormatterSerialization", true);
}
