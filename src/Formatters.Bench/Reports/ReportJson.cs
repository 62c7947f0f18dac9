using System.Text.Json;
using System.Text.Json.Serialization;
using Formatters.Bench.Compare;

namespace Formatters.Bench.Reports;

/// <summary>Reports as JSON: the records of this tool in camel case, indented, enums by name.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(CompareReport))]
internal sealed partial class ReportJson : JsonSerializerContext;
