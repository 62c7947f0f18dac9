using System.Reflection;
using System.Runtime.Intrinsics.X86;

namespace Formatters.Benchmarks.Ratios;

/// <summary>Describes the machine and runtime that a figure depends on.</summary>
internal static class Machine
{
    /// <summary>Lines that belong to every table: processor, system, runtime, versions of the peers, command.</summary>
    public static IEnumerable<string> Describe()
    {
        MachineInfo machine = MachineInfo.Current();
        yield return $"machine: {machine.Processor}, {machine.LogicalCores} logical processors, AVX-512 "
            + $"{(Avx512F.IsSupported ? "on" : "off")}, {machine.OperatingSystem}";
        yield return $"runtime: {machine.Runtime}, GC {machine.GarbageCollector}, generation 0 budget "
            + $"{Gen0Budget}{(IsOptimized ? "" : ", NOT OPTIMIZED: build with -c Release")}";
        yield return $"versions: {string.Join(", ", GetVersions())}";
        yield return $"command: {string.Join(' ', Environment.GetCommandLineArgs().Skip(1).Prepend("Formatters.Benchmarks"))}";
    }

    /// <summary>Reads the version of an assembly, which is loaded for it, without the commit that it was built from.</summary>
    internal static string VersionOf(string assembly) => VersionOf(Assembly.Load(assembly)).Split('+')[0];

    /// <summary>The same in a line of a page: processor, runtime, garbage collector.</summary>
    public static string Short
    {
        get
        {
            MachineInfo machine = MachineInfo.Current();
            return $"{machine.Processor}, {machine.LogicalCores} logical processors, {machine.OperatingSystem}, "
                + $"{machine.Runtime}, GC {machine.GarbageCollector}, "
                + $"generation 0 budget {Gen0Budget}{(IsOptimized ? "" : ", NOT OPTIMIZED")}";
        }
    }

    private static string Gen0Budget =>
        AppContext.GetData("System.GC.Gen0MaxBudget") is { } byteCount
            ? $"{Convert.ToInt64(byteCount, CultureInfo.InvariantCulture) / (1024 * 1024)} MiB"
            : "the runtime's own";

    private static bool IsOptimized =>
        typeof(Machine).Assembly.GetCustomAttribute<System.Diagnostics.DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };

    private static IEnumerable<string> GetVersions()
    {
        Type[] types =
        [
            typeof(IMessageFormatter), typeof(global::MessagePack.MessagePackSerializer), typeof(Nerdbank.MessagePack.MessagePackSerializer),
            typeof(MemoryPack.MemoryPackSerializer), typeof(ProtoBuf.Meta.RuntimeTypeModel), typeof(Google.Protobuf.IMessage),
            typeof(Orleans.Serialization.Serializer), typeof(System.Formats.Cbor.CborWriter), typeof(Newtonsoft.Json.JsonConvert),
        ];
        foreach (Assembly assembly in types.Select(static type => type.Assembly))
        {
            string version = VersionOf(assembly);
            int plus = version.IndexOf('+', StringComparison.Ordinal);
            yield return $"{assembly.GetName().Name} {(plus < 0 ? version : version[..Math.Min(version.Length, plus + 9)])}";
        }
    }

    private static string VersionOf(Assembly assembly)
    {
        string version = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
            ?? assembly.GetName().Version?.ToString() ?? "?";
        // After that of Orleans comes a sentence.
        return version.Split(' ')[0].TrimEnd('.');
    }
}
