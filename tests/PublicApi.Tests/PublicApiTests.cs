using System;
using System.IO;
using System.Reflection;
using Xunit;

namespace Formatters.PublicApi.Tests;

/// <summary>The public API of every package against its committed listing in api/. Set UPDATE_API=1 to write the listings anew, and review the difference.</summary>
public class PublicApiTests
{
#if FORMATTERS_NETSTANDARD
    public static TheoryData<string> Assemblies => new("Formatters");

    private const string Suffix = ".netstandard2.0";
#else
    public static TheoryData<string> Assemblies => new(
        "Formatters", "Formatters.Hosting", "Formatters.Hosting.EntityFrameworkCore", "Formatters.MemoryPack", "Formatters.MessagePackCSharp",
        "Formatters.Orders", "Formatters.ProtobufNet",
        "Formatters.Queues", "Formatters.Queues.PostgreSql", "Formatters.Queues.RabbitMQ", "Formatters.Queues.ServiceBus", "Formatters.AspNetCore",
        "Formatters.CloudEvents", "Formatters.MassTransit", "Formatters.Rebus", "Formatters.Wolverine", "Formatters.Messaging");

    private const string Suffix = "";
#endif

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void PublicApi_IsTheCommittedListing(string assembly)
    {
        string listing = ApiListing.Of(Assembly.Load(assembly));
        string file = Path.Combine(RepositoryRoot(), "api", assembly + Suffix + ".txt");
        if (Environment.GetEnvironmentVariable("UPDATE_API") == "1")
            File.WriteAllText(file, listing);
        Assert.True(File.Exists(file), $"api/{assembly}{Suffix}.txt is missing: run this test with UPDATE_API=1.");
        Assert.Equal(File.ReadAllText(file), listing);
    }

    internal static string RepositoryRoot()
    {
        string? directory = AppContext.BaseDirectory;
        while (directory is not null && !File.Exists(Path.Combine(directory, "Formatters.sln")))
            directory = Path.GetDirectoryName(directory);
        return directory ?? throw new InvalidOperationException("The tests do not run inside the repository.");
    }
}
