using System.Reflection;

namespace Formatters.Bench;

/// <summary>The tool's own name and version.</summary>
internal static class ToolInfo
{
    internal static string Name { get; } = typeof(ToolInfo).Assembly.GetName().Name!;

    /// <summary>The version of the package, without build metadata.</summary>
    internal static string Version { get; } =
        (typeof(ToolInfo).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0").Split('+')[0];

    /// <summary>The commit from which it was built; null where the build does not say.</summary>
    internal static string? Commit { get; } =
        typeof(ToolInfo).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+') is [_, var commit, ..]
            ? commit : null;

    internal static string NameAndVersion => $"{Name} {Version}";
}
