using System;
using System.Buffers;
using System.Text.Json.Serialization;
using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>Takes an order through its form with a typed list, for formats that know no <see cref="System.Collections.ArrayList"/>.</summary>
/// <param name="formatter">Writes and reads the form with the typed list.</param>
/// <remarks>Addresses and line items are shared, not copied: a list of references is all that it adds.</remarks>
internal sealed class OrderThroughListFormatter(MessageFormatter<OrderWithList> formatter)
    : MessageFormatter<Order>(formatter.ContentType, formatter.BodyType, formatter.Limits)
{
    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, Order value) => formatter.Write(destination, OrderWithList.From(value));

    /// <inheritdoc/>
    public override Order Read(ReadOnlySpan<byte> body) => formatter.Read(body).ToOrder();
}

/// <summary>The JSON contract of an order, generated at compile time.</summary>
[JsonSourceGenerationOptions(IncludeFields = true)]
[JsonSerializable(typeof(OrderWithList))]
internal sealed partial class OrderJson : JsonSerializerContext;
