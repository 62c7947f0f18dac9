using System.Text.Json.Serialization;
using Formatters.Tools.Queues;

namespace Formatters.Tools.CommandLine;

/// <summary>The reports of the tool as JSON: camel case, indented, enums by name.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(QueueList))]
[JsonSerializable(typeof(PeekList))]
[JsonSerializable(typeof(RequeueReport))]
[JsonSerializable(typeof(FolderLogReport))]
[JsonSerializable(typeof(MessageProperties))]
internal sealed partial class ToolJson : JsonSerializerContext;
