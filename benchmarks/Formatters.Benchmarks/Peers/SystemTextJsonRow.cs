using System.IO;
using System.Text.Json;
using System.Text.Json.Serialization;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;

namespace Formatters.Benchmarks.Peers;

/// <summary>System.Text.Json with source-generated metadata and fast path, through one reused <see cref="Utf8JsonWriter"/>.</summary>
internal sealed class SystemTextJsonRow : OrderRow
{
    private readonly Utf8JsonWriter _writer = new(Stream.Null);

    protected override int WriteBody(OrderWithList payload)
    {
        Output.ResetWrittenCount();
        _writer.Reset(Output);
        JsonSerializer.Serialize(_writer, payload, OrderJsonContext.Default.OrderWithList);
        _writer.Flush();
        return Output.WrittenCount;
    }

    protected override OrderWithList ReadBody(int index, byte[] body) => JsonSerializer.Deserialize(body, OrderJsonContext.Default.OrderWithList)!;
}

[JsonSourceGenerationOptions(IncludeFields = true)]
[JsonSerializable(typeof(OrderWithList))]
internal sealed partial class OrderJsonContext : JsonSerializerContext;
