using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.PublicApi.Tests;

/// <summary>The public API of every package against its committed listing in api/. Set UPDATE_API=1 to write the listings anew, and review the difference.</summary>
public class PublicApiTests
{
    /// <summary>The packages for .NET, which lie beside the tests.</summary>
    public static TheoryData<string> Assemblies => [.. Names];

    private static IEnumerable<string> Names =>
        Directory.EnumerateFiles(AppContext.BaseDirectory, "Formatters*.dll").Select(file => Path.GetFileNameWithoutExtension(file)!).Order(StringComparer.Ordinal);

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void PublicApi_IsTheCommittedListing(string assembly) =>
        AssertListing(assembly + ".txt", Path.Combine(AppContext.BaseDirectory, assembly + ".dll"), [AppContext.BaseDirectory, .. NetFolders]);

    [Theory]
    [InlineData("Formatters")]
    [InlineData("Formatters.Queues")]
    public void PublicApi_OfTheBuildForNetStandard_IsTheCommittedListing(string assembly) =>
        AssertListing(assembly + ".netstandard2.0.txt", Built(assembly, "release_netstandard2.0"), [Path.GetDirectoryName(Built("Formatters", "release_netstandard2.0"))!, AppContext.BaseDirectory, .. NetFolders]);

    [Fact]
    public void PublicApi_OfTheBuildForNetFramework_IsTheCommittedListing()
    {
        string file = Built("Formatters.Msmq", "release");
        string framework = typeof(PublicApiTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "NetFramework").Value!;
        AssertListing("Formatters.Msmq.txt", file, [Path.GetDirectoryName(file)!, framework, Path.Combine(framework, "Facades")]);
    }

    [Fact]
    public void Every_package_has_a_listing() =>
        Assert.Equal(
            Directory.EnumerateFiles(Path.Combine(RepositoryFolder.Path, "api")).Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal),
            Names.Select(name => name + ".txt")
                .Concat(["Formatters.netstandard2.0.txt", "Formatters.Queues.netstandard2.0.txt", "Formatters.Msmq.txt"]).Order(StringComparer.Ordinal));

    [Fact]
    public void Types_for_generated_code_are_hidden_from_completion() =>
        Assert.DoesNotContain(
            File.ReadLines(Path.Combine(RepositoryFolder.Path, "api", "Formatters.txt")),
            line => line[0] != ' ' && line.Contains(" Formatters.Generated.", StringComparison.Ordinal) && !line.Contains("EditorBrowsableState.Never", StringComparison.Ordinal));

    /// <summary>The runtime and what of ASP.NET Core the packages use.</summary>
    private static IEnumerable<string> NetFolders =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(file => Path.GetDirectoryName(file)!).Distinct(StringComparer.Ordinal);

    private static string Built(string assembly, string folder) => Path.Combine(RepositoryFolder.Path, "artifacts", "bin", assembly, folder, assembly + ".dll");

    private static void AssertListing(string name, string assembly, IEnumerable<string> references)
    {
        string listing = ApiListing.Of(assembly, references);
        string file = Path.Combine(RepositoryFolder.Path, "api", name);
        if (Environment.GetEnvironmentVariable("UPDATE_API") == "1")
            File.WriteAllText(file, listing);
        Assert.True(File.Exists(file), $"api/{name} is missing: run this test with UPDATE_API=1.");
        Assert.Equal(File.ReadAllText(file), listing);
    }
}
