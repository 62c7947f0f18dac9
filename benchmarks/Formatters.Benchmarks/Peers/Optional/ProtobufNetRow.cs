using System;
using System.IO;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;
using ProtoBuf;
using ProtoBuf.Meta;

namespace Formatters.Benchmarks.Peers.Optional;

/// <summary>protobuf-net: a compiled model of the order, the same messages as order.proto; to a stream that is reused, and from a span.</summary>
internal sealed class ProtobufNetRow : OrderStreamRow
{
    private static readonly TypeModel Model = CreateModel();

    protected override void WriteToOutput(OrderWithList payload) => Model.Serialize(Output, payload);

    protected override OrderWithList ReadBody(int index, byte[] body) => Model.Deserialize<OrderWithList>(body.AsSpan());

    private static TypeModel CreateModel()
    {
        RuntimeTypeModel model = RuntimeTypeModel.Create("orders");
        // Level 300: a DateTime is a google.protobuf.Timestamp.
        Add(model, typeof(OrderWithList), "Date", "CustomerID", "ShippingAddress", "BillingAddress", "Total", "LineItems");
        Add(model, typeof(Address), "Firstname", "Lastname", "Company", "City", "Street", "ZIPCode", "Country", "State");
        Add(model, typeof(LineItem), "ArticleID", "Name", "Price", "Quantity", "LineTotal");
        return model.Compile();
    }

    private static void Add(RuntimeTypeModel model, Type type, params string[] members)
    {
        MetaType meta = model.Add(type, applyDefaultBehaviour: false, CompatibilityLevel.Level300);
        for (int i = 0; i < members.Length; i++)
            meta.Add(i + 1, members[i]);
    }
}
