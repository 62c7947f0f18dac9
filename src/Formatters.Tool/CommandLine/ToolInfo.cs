using System.Reflection;

namespace Formatters.Tools.CommandLine;

/// <summary>The name and the version of the tool.</summary>
internal static class ToolInfo
{
    /// <summary>The command that starts it.</summary>
    internal const string Name = "formatters";

    /// <summary>The version of the package, without build metadata.</summary>
    internal static string Version { get; } =
        (typeof(ToolInfo).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0").Split('+')[0];
}
