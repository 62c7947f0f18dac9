using System.Text.Json.Serialization;
using Formatters.Bench.Compare;
using Formatters.Bench.Diff;
using Formatters.Bench.Doctor;
using Formatters.Bench.Factors;
using Formatters.Bench.Limits;
using Formatters.Bench.Matrix;
using Formatters.Bench.Own;
using Formatters.Bench.Perftest;
using Formatters.Bench.Report;
using Formatters.Bench.Senders;
using Formatters.Bench.Throughput;

namespace Formatters.Bench.Reports;

/// <summary>Reports as JSON: the records of this tool in camel case, indented, enums by name.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(CompareReport))]
[JsonSerializable(typeof(PerftestReport))]
[JsonSerializable(typeof(LimitsReport))]
[JsonSerializable(typeof(MatrixReport))]
[JsonSerializable(typeof(OwnReport))]
[JsonSerializable(typeof(SendersReport))]
[JsonSerializable(typeof(ThroughputReport))]
[JsonSerializable(typeof(RampReport))]
[JsonSerializable(typeof(FormattersReport))]
[JsonSerializable(typeof(FactorsReport))]
[JsonSerializable(typeof(ResultFile))]
[JsonSerializable(typeof(ReportPart))]
[JsonSerializable(typeof(QueueFindingsPart))]
[JsonSerializable(typeof(DiffReport))]
[JsonSerializable(typeof(DoctorReport))]
internal sealed partial class ReportJson : JsonSerializerContext;
