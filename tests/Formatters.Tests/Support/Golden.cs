using System;
using System.IO;

namespace Formatters.Tests.Support;

/// <summary>Bodies that were written once and are kept for ever: tests/golden.</summary>
internal static class Golden
{
    public static string Directory(string folder) => Path.Combine(RepositoryRoot(), "tests", "golden", folder);

    public static byte[] Read(string folder, string file) => File.ReadAllBytes(Path.Combine(Directory(folder), file));

    private static string RepositoryRoot()
    {
        string? directory = AppContext.BaseDirectory;
        while (directory is not null && !File.Exists(Path.Combine(directory, "Formatters.sln")))
            directory = Path.GetDirectoryName(directory);
        return directory ?? throw new InvalidOperationException("The tests do not run inside the repository.");
    }
}
