using System.Collections;
using System.Reflection;

namespace Formatters.Bench.Doctor;

/// <summary>Checks the settings of the runtime that affect measurements.</summary>
internal static class RuntimeChecks
{
    private const string Area = "runtime";

    private static readonly string[] Prefixes = ["DOTNET_", "COMPlus_"];
    private static readonly string[] Heads = ["GC", "Tiered", "TC_", "ReadyToRun", "OSR_", "Enable", "Jit", "PROCESSOR_COUNT", "Thread"];

    internal static IEnumerable<DoctorCheck> Judge(MachineInfo machine)
    {
        yield return DoctorCheck.Ok(Area, "version", $"{machine.Runtime} on {machine.OperatingSystem}");
        bool isDebug = typeof(RuntimeChecks).Assembly.GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled == true;
        yield return DoctorCheck.WarnIf(isDebug, Area, "build", isDebug ? "Debug, not optimized" : "optimized",
            "Measure with a Release build: dotnet run -c Release.");
        yield return DoctorCheck.WarnIf(Debugger.IsAttached, Area, "debugger", Debugger.IsAttached ? "attached" : "none",
            "Start without it: code under a debugger is not optimized.");
        yield return DoctorCheck.Ok(Area, "garbage collector", machine.GarbageCollector);
        yield return DoctorCheck.WarnIf(
            machine.Tiering?.Contains("without profiles", StringComparison.Ordinal) == true,
            Area,
            "JIT",
            machine.Tiering ?? "unknown",
            "Without profiles (TieredPGO=0) code is slower than in an application on its defaults.");
        DictionaryEntry[] variables = [.. Environment.GetEnvironmentVariables().Cast<DictionaryEntry>()];
        string[] profilers = [.. variables.Where(IsProfiler).Select(item => (string)item.Key).Order(StringComparer.Ordinal)];
        yield return DoctorCheck.WarnIf(
            profilers.Length > 0, Area, "profilers", profilers.Length > 0
                ? string.Join(", ", profilers)
                : "none", "A profiler or tracer is loaded into the process: unset these variables.");
        string[] settings = [.. variables.Where(IsSetting).Select(item => $"{item.Key}={item.Value}").Order(StringComparer.Ordinal)];
        yield return DoctorCheck.WarnIf(
            settings.Length > 0,
            Area,
            "variables",
            settings.Length > 0 ? string.Join(", ", settings) : "none that change the runtime",
            "These change garbage collector or JIT: results hold for applications that are run with the same ones.");
    }

    private static bool IsProfiler(DictionaryEntry item) =>
        (string)item.Key is "CORECLR_ENABLE_PROFILING" or "DOTNET_ENABLE_PROFILING" or "DOTNET_EnableEventPipe" or "DOTNET_StartupHooks"
            or "DOTNET_STARTUP_HOOKS" && item.Value is string { Length: > 0 } and not "0";

    private static bool IsSetting(DictionaryEntry item)
    {
        string name = (string)item.Key;
        return Prefixes.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal)
            && Heads.Any(head => name[prefix.Length..].StartsWith(head, StringComparison.OrdinalIgnoreCase)))
            && name is not ("DOTNET_EnableDiagnostics" or "DOTNET_EnableEventPipe");
    }
}
