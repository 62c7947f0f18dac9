using System.Text.Json.Serialization;
using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>The JSON contract of an order, generated at compile time.</summary>
[JsonSourceGenerationOptions(IncludeFields = true)]
[JsonSerializable(typeof(OrderWithList))]
internal sealed partial class OrderJson : JsonSerializerContext;
