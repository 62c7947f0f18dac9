using System;
using System.IO;
using System.Reflection;
using Formatters.PublicApi.Tests;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

/// <summary>The public API against its committed listing in api/, as tests/PublicApi.Tests has it for the packages that run on .NET. UPDATE_API=1 writes it anew.</summary>
public sealed class PublicApiTests
{
    [Fact]
    public void PublicApi_IsTheCommittedListing() => AssertListing(typeof(FormatterAdapter).Assembly, "Formatters.SystemMessaging.txt");

    [Fact]
    public void PublicApi_OfTheQueuesForNetStandard_IsTheCommittedListing() => AssertListing(typeof(Queues.IMessageQueue).Assembly, "Formatters.Queues.netstandard2.0.txt");

    private static void AssertListing(Assembly assembly, string name)
    {
        string listing = ApiListing.Of(assembly);
        string file = Path.Combine(Golden.Directory(""), "..", "..", "api", name);
        if (Environment.GetEnvironmentVariable("UPDATE_API") == "1")
            File.WriteAllText(file, listing);
        Assert.Equal(File.ReadAllText(file), listing);
    }
}
