using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

// The table of the documentation that says which queue has what.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Capabilities_are_those_of_the_table() => CapabilityTable.Check((await OpenAsync(PeekLock)).Capabilities, Mode, GetType().Name);
}

/// <summary>The table in docs/queues.md.</summary>
internal static class CapabilityTable
{
    /// <summary>Compares what an open queue says of itself with its column: "yes", "no", the name of the only mode in which it has that, or "option".</summary>
    internal static void Check(QueueCapabilities capabilities, DeliveryMode mode, string suite)
    {
        string? column = capabilities.Product switch
        {
            "in-memory" => "memory",
            "embedded" => "folder",
            _ when capabilities.Product.StartsWith("PostgreSQL", StringComparison.Ordinal) => "PostgreSQL",
            _ when capabilities.Product.StartsWith("RabbitMQ", StringComparison.Ordinal) => suite.Contains("Quorum") ? "RabbitMQ, quorum" : "RabbitMQ, classic",
            "Azure Service Bus" => "Service Bus",
            _ => null,
        };
        Skip.If(column is null, "MSMQ's capabilities depend on the service: the page says so in words.");
        List<string[]> rows = Read();
        int index = Array.IndexOf(rows[0], column);
        Assert.True(index > 0, $"The table has no column '{column}'.");
        Dictionary<string, string> cells = rows.Skip(2).ToDictionary(row => row[0].Trim('`'), row => row[index]);
        QueueFeatures[] features = [.. Enum.GetValues(typeof(QueueFeatures)).Cast<QueueFeatures>().Where(feature => feature != QueueFeatures.None)];
        Assert.Equal(features.Select(feature => $"{feature}").OrderBy(name => name, StringComparer.Ordinal), cells.Keys.OrderBy(name => name, StringComparer.Ordinal));
        foreach (QueueFeatures feature in features)
        {
            bool has = capabilities.Supports(feature);
            string cell = cells[$"{feature}"];
            bool isRight = cell switch
            {
                "yes" => has,
                "no" => !has,
                "option" => true,
                _ => has == string.Equals(cell, mode.ToString(), StringComparison.OrdinalIgnoreCase),
            };
            Assert.True(isRight, $"{feature} of {column}, {mode}, is {has}; the table says '{cell}'.");
        }
    }

    private static List<string[]> Read()
    {
        return
        [
            .. File.ReadAllLines(Path.Combine(RepositoryFolder.Path, "docs", "queues.md"))
                .SkipWhile(line => !line.StartsWith("| `QueueFeatures` |", StringComparison.Ordinal))
                .TakeWhile(line => line.Length > 0 && line[0] == '|')
                .Select(line => line.Trim().Trim('|').Split('|').Select(cell => cell.Trim()).ToArray()),
        ];
    }
}
