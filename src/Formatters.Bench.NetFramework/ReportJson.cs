using System.Text.Json.Serialization;
using Formatters.Bench.Perftest;

namespace Formatters.Bench.Reports;

/// <summary>Reports as JSON, as the tool for .NET has them.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(PerftestReport))]
internal sealed partial class ReportJson : JsonSerializerContext;
