using System;
using System.IO;

namespace Formatters.TestSupport;

/// <summary>The folder of the repository, in which the tests run.</summary>
internal static class RepositoryFolder
{
    internal static string Path { get; } = Find();

    private static string Find()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "Formatters.sln")))
            folder = folder.Parent;
        return folder?.FullName ?? throw new InvalidOperationException("The tests run outside the repository.");
    }
}
