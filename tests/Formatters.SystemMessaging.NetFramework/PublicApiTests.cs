using System;
using System.IO;
using Formatters.PublicApi.Tests;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

/// <summary>The public API against its committed listing in api/, as tests/PublicApi.Tests has it for the packages that run on .NET. UPDATE_API=1 writes it anew.</summary>
public sealed class PublicApiTests
{
    [Fact]
    public void PublicApi_IsTheCommittedListing()
    {
        string listing = ApiListing.Of(typeof(FormatterAdapter).Assembly);
        string file = Path.Combine(Golden.Directory(""), "..", "..", "api", "Formatters.SystemMessaging.txt");
        if (Environment.GetEnvironmentVariable("UPDATE_API") == "1")
            File.WriteAllText(file, listing);
        Assert.Equal(File.ReadAllText(file), listing);
    }
}
