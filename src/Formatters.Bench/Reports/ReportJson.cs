using System.Text.Json.Serialization;
using Formatters.Bench.Compare;
using Formatters.Bench.Perftest;
using Formatters.Bench.Throughput;
using Formatters.Bench.Upkeep;

namespace Formatters.Bench.Reports;

/// <summary>Reports as JSON: the records of this tool in camel case, indented, enums by name.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(CompareReport))]
[JsonSerializable(typeof(PerftestReport))]
[JsonSerializable(typeof(ThroughputReport))]
[JsonSerializable(typeof(QueueList))]
[JsonSerializable(typeof(RequeueReport))]
internal sealed partial class ReportJson : JsonSerializerContext;
