using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;

namespace Formatters.Benchmarks.Rows;

/// <summary>The generated contract of a type with the members of <see cref="OrderWithList"/>, but no <c>Save</c> and <c>Load</c>.</summary>
/// <param name="formatter">The formatter that the row measures.</param>
internal sealed class GeneratedRow(MessageFormatter<GeneratedOrder> formatter, bool overwrites = true) : Row<GeneratedOrder>
{
    private ArrayBufferWriter<byte> _output = new();

    /// <summary>The formatter that this row measures.</summary>
    public MessageFormatter<GeneratedOrder> Formatter { get; } = formatter;

    public override bool CanOverwrite => overwrites;

    public override byte[] GetWritten() => _output.WrittenSpan.ToArray();

    protected override GeneratedOrder FromOrder(OrderWithList order) => new()
    {
        Date = order.Date,
        CustomerID = order.CustomerID,
        ShippingAddress = FromAddress(order.ShippingAddress),
        BillingAddress = FromAddress(order.BillingAddress),
        Total = order.Total,
        LineItems = order.LineItems.Select(static item => new GeneratedLineItem
        {
            ArticleID = item.ArticleID,
            Name = item.Name,
            Price = item.Price,
            Quantity = item.Quantity,
            LineTotal = item.LineTotal,
        }).ToList(),
    };

    protected override OrderWithList ToOrder(GeneratedOrder payload) => new()
    {
        Date = payload.Date,
        CustomerID = payload.CustomerID,
        ShippingAddress = ToAddress(payload.ShippingAddress),
        BillingAddress = ToAddress(payload.BillingAddress),
        Total = payload.Total,
        LineItems = payload.LineItems.Select(static item => new LineItem
        {
            ArticleID = item.ArticleID,
            Name = item.Name,
            Price = item.Price,
            Quantity = item.Quantity,
            LineTotal = item.LineTotal,
        }).ToList(),
    };

    protected override void RenewOutput(int byteCount) => _output = new ArrayBufferWriter<byte>(byteCount);

    protected override int WriteBody(GeneratedOrder payload)
    {
        _output.ResetWrittenCount();
        Formatter.Write(_output, payload);
        return _output.WrittenCount;
    }

    protected override GeneratedOrder ReadBody(int index, byte[] body) => Formatter.Read(body.AsSpan());

    protected override void OverwriteFromBody(int index, byte[] body, ref GeneratedOrder target) => Formatter.Read(body.AsSpan(), ref target);

    private static GeneratedAddress FromAddress(Address address) => new()
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

    private static Address ToAddress(GeneratedAddress address) => new()
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
}
