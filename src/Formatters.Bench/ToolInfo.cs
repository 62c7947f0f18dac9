using System;
using System.Reflection;

namespace Formatters.Bench;

/// <summary>The tool's own name and version.</summary>
internal static class ToolInfo
{
    /// <summary>The command.</summary>
    internal const string Name = "formatters-bench";

    /// <summary>The version of the package, without build metadata.</summary>
    internal static string Version { get; } =
        (typeof(ToolInfo).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0").Split('+')[0];

    /// <summary>Both.</summary>
    internal static string NameAndVersion => $"{Name} {Version}";
}
