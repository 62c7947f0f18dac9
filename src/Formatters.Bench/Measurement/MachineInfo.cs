using System.Runtime;
using System.Runtime.InteropServices;

namespace Formatters.Bench.Measurement;

/// <summary>The machine of a measurement.</summary>
/// <param name="Processor">The processor's own name.</param>
/// <param name="LogicalCores">How many logical cores this process may use.</param>
/// <param name="MemoryBytes">How much memory this process may use, in bytes.</param>
/// <param name="OperatingSystem">Name and version.</param>
/// <param name="Runtime">Name, version and architecture.</param>
/// <param name="GarbageCollector">Workstation or server, concurrent or not.</param>
internal sealed record MachineInfo(
    string Processor, int LogicalCores, long MemoryBytes, string OperatingSystem, string Runtime, string GarbageCollector)
{
    /// <summary>Gets how the JIT compiles: its tiers and what it learns from.</summary>
    public string? Tiering { get; init; }

    /// <summary>The governor of the processor's frequency; null where the system does not report it.</summary>
    public string? Governor { get; init; }

    /// <summary>The limits of the container; null where there are none.</summary>
    public string? ContainerLimits { get; init; }

    /// <summary>Describes the machine and the runtime of this process.</summary>
    internal static MachineInfo Current() => new(
        FindProcessor(),
        Environment.ProcessorCount,
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        RuntimeInformation.OSDescription,
        $"{RuntimeInformation.FrameworkDescription} ({RuntimeInformation.RuntimeIdentifier})",
        (GCSettings.IsServerGC ? "server" : "workstation") + (GCSettings.LatencyMode == GCLatencyMode.Batch ? ", not concurrent" : ", concurrent"))
    {
        Tiering = SystemState.Tiering(),
        Governor = SystemState.Governor(),
        ContainerLimits = SystemState.ContainerLimits(),
    };

    private static string FindProcessor()
    {
        const string LinuxDescription = "/proc/cpuinfo";
        string? name = null;
        try
        {
            if (File.Exists(LinuxDescription))
            {
                name = File.ReadLines(LinuxDescription)
                    .FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?
                    .Split(':', 2)[1].Trim();
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A sandbox may hide it: the architecture must do.
        }

        return name ?? Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER") ?? RuntimeInformation.ProcessArchitecture.ToString();
    }
}
