using System.Linq;
using System.Reflection;

namespace Formatters.Generator;

/// <summary>Where the repository is: what Directory.Build.props says, which the SDK writes into the assembly.</summary>
internal static class RepositoryAddress
{
    internal static string Url { get; } =
        typeof(RepositoryAddress).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().First(static attribute => attribute.Key == "RepositoryUrl").Value!;
}
