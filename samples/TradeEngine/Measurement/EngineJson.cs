using System.Text.Json.Serialization;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Reports as JSON, as <c>formatters-bench</c> writes and reads them: camel case, indented, enums by name.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(EngineReport))]
[JsonSerializable(typeof(ExtractionReport))]
[JsonSerializable(typeof(DriverReport))]
[JsonSerializable(typeof(SweepReport))]
[JsonSerializable(typeof(SimulationReport))]
internal sealed partial class EngineJson : JsonSerializerContext;
