using Formatters.Orders;
using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using ProtoBuf;
using NerdbankKey = Nerdbank.MessagePack.KeyAttribute;

namespace Formatters.Bench.Peers;

/// <summary>The order with the attributes of every peer: public, with properties instead of fields.</summary>
/// <remarks>protobuf-net writes the messages of order.proto: at level 300 a date is a <c>google.protobuf.Timestamp</c>.</remarks>
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class PeerOrder
{
    [Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public DateTime Date { get; set; }
    [Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public int CustomerID { get; set; }
    [Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public PeerAddress ShippingAddress { get; set; } = null!;
    [Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public PeerAddress BillingAddress { get; set; } = null!;
    [Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public double Total { get; set; }
    [Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public List<PeerLineItem> LineItems { get; set; } = null!;

    internal static PeerOrder From(Order order) => new()
    {
        Date = order.Date,
        CustomerID = order.CustomerID,
        ShippingAddress = PeerAddress.From(order.ShippingAddress),
        BillingAddress = PeerAddress.From(order.BillingAddress),
        Total = order.Total,
        LineItems = [.. order.LineItems.Cast<LineItem>().Select(PeerLineItem.From)],
    };

    /// <summary>Makes the study's order. Its date is of UTC, which protobuf-net's dates do not say.</summary>
    internal Order ToOrder() => new()
    {
        Date = DateTime.SpecifyKind(Date, DateTimeKind.Utc),
        CustomerID = CustomerID,
        ShippingAddress = ShippingAddress.ToAddress(),
        BillingAddress = BillingAddress.ToAddress(),
        Total = Total,
        // protobuf-net reads an empty list as null: it is not in the body.
        LineItems = [.. (LineItems ?? []).Select(static item => item.ToLineItem())],
    };
}

/// <summary>The members of <see cref="Address"/>.</summary>
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class PeerAddress
{
    [Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public string Firstname { get; set; } = null!;
    [Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Lastname { get; set; } = null!;
    [Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public string Company { get; set; } = null!;
    [Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public string City { get; set; } = null!;
    [Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public string Street { get; set; } = null!;
    [Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public string ZIPCode { get; set; } = null!;
    [Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public string Country { get; set; } = null!;
    [Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public string State { get; set; } = null!;

    internal static PeerAddress From(Address address) => new()
    {
        Firstname = address.Firstname,
        Lastname = address.Lastname,
        Company = address.Company,
        City = address.City,
        Street = address.Street,
        ZIPCode = address.ZIPCode,
        Country = address.Country,
        State = address.State,
    };

    internal Address ToAddress() => new()
    {
        Firstname = Firstname,
        Lastname = Lastname,
        Company = Company,
        City = City,
        Street = Street,
        ZIPCode = ZIPCode,
        Country = Country,
        State = State,
    };
}

/// <summary>The members of <see cref="LineItem"/>.</summary>
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class PeerLineItem
{
    [Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int ArticleID { get; set; }
    [Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Name { get; set; } = null!;
    [Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public double Price { get; set; }
    [Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public double Quantity { get; set; }
    [Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public double LineTotal { get; set; }

    internal static PeerLineItem From(LineItem item) => new()
    {
        ArticleID = item.ArticleID,
        Name = item.Name,
        Price = item.Price,
        Quantity = item.Quantity,
        LineTotal = item.LineTotal,
    };

    internal LineItem ToLineItem() => new()
    {
        ArticleID = ArticleID,
        Name = Name,
        Price = Price,
        Quantity = Quantity,
        LineTotal = LineTotal,
    };
}
