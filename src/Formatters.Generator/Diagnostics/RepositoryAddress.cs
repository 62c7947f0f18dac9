using System.Linq;
using System.Reflection;

namespace Formatters.Generator;

/// <summary>The address of the repository: from Directory.Build.props, written into the assembly by the SDK.</summary>
internal static class RepositoryAddress
{
    internal static string Url { get; } =
        typeof(RepositoryAddress).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .First(static attribute => attribute.Key == "RepositoryUrl").Value!;
}
