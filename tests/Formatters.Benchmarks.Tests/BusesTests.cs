using System.Collections.Generic;
using System.IO;
using Formatters.Benchmarks.Buses;
using Xunit;

namespace Formatters.Benchmarks.Tests;

public class BusesTests
{
    /// <summary>Each case checks the message that it reads.</summary>
    [Fact]
    public void EveryCase_ReadsWhatItWrites()
    {
        var names = new List<string>();
        foreach ((string name, System.Action run) in BusesCommand.Cases(3))
        {
            run();
            names.Add(name);
        }

        Assert.Equal(
            ["formatter alone", "Rebus, formatter", "Rebus, its JSON", "MassTransit, formatter", "MassTransit, its JSON", "Wolverine, formatter", "Wolverine, its JSON"], names);
    }

    [Fact]
    public void Options_AreRejected()
    {
        using var error = new StringWriter();
        Assert.Equal(2, BusesCommand.Run(["--fast"], TextWriter.Null, error));
        Assert.Contains("no options", error.ToString(), System.StringComparison.Ordinal);
        Assert.Equal(0, BusesCommand.Run(["--help"], TextWriter.Null, error));
    }
}
