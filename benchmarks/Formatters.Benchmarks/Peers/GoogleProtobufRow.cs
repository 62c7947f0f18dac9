using System.Buffers;
using System.Linq;
using Formatters.Benchmarks.Peers.Protobuf;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Address = Formatters.Orders.Address;
using LineItem = Formatters.Orders.LineItem;
using Order = Formatters.Benchmarks.Peers.Protobuf.Order;

namespace Formatters.Benchmarks.Peers;

/// <summary>Google.Protobuf: the class that protoc made of order.proto, to a buffer writer and from a span.</summary>
internal sealed class GoogleProtobufRow : Row<Order>
{
    private ArrayBufferWriter<byte> _output = new();

    public override byte[] GetWritten() => _output.WrittenSpan.ToArray();

    protected override void RenewOutput(int byteCount) => _output = new ArrayBufferWriter<byte>(byteCount);

    protected override int WriteBody(Order payload)
    {
        _output.ResetWrittenCount();
        payload.WriteTo(_output);
        return _output.WrittenCount;
    }

    protected override Order ReadBody(int index, byte[] body) => Order.Parser.ParseFrom(body);

    protected override Order FromOrder(OrderWithList order) => new()
    {
        Date = Timestamp.FromDateTime(order.Date),
        CustomerId = order.CustomerID,
        ShippingAddress = FromAddress(order.ShippingAddress),
        BillingAddress = FromAddress(order.BillingAddress),
        Total = order.Total,
        LineItems =
        {
            order.LineItems.Select(static item => new Protobuf.LineItem
            {
                ArticleId = item.ArticleID,
                Name = item.Name,
                Price = item.Price,
                Quantity = item.Quantity,
                LineTotal = item.LineTotal,
            }),
        },
    };

    protected override OrderWithList ToOrder(Order payload) => new()
    {
        Date = payload.Date.ToDateTime(),
        CustomerID = payload.CustomerId,
        ShippingAddress = ToAddress(payload.ShippingAddress),
        BillingAddress = ToAddress(payload.BillingAddress),
        Total = payload.Total,
        LineItems = payload.LineItems.Select(static item => new LineItem
        {
            ArticleID = item.ArticleId,
            Name = item.Name,
            Price = item.Price,
            Quantity = item.Quantity,
            LineTotal = item.LineTotal,
        }).ToList(),
    };

    private static Protobuf.Address FromAddress(Address address) => new()
    {
        Firstname = address.Firstname,
        Lastname = address.Lastname,
        Company = address.Company,
        City = address.City,
        Street = address.Street,
        ZipCode = address.ZIPCode,
        Country = address.Country,
        State = address.State,
    };

    private static Address ToAddress(Protobuf.Address address) => new()
    {
        Firstname = address.Firstname,
        Lastname = address.Lastname,
        Company = address.Company,
        City = address.City,
        Street = address.Street,
        ZIPCode = address.ZipCode,
        Country = address.Country,
        State = address.State,
    };
}
