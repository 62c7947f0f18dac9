using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using Formatters.Binary;

namespace Formatters.Orders;

/// <summary>The same order with a typed list: the same bytes in the binary wire format, and supported by codecs without ArrayList.</summary>
[Serializable]
public sealed class OrderWithList : IBinaryBody
{
    /// <summary>The date of the order.</summary>
    public DateTime Date;

    /// <summary>The number of the customer.</summary>
    public int CustomerID;

    /// <summary>The shipping address.</summary>
    public Address ShippingAddress = null!;

    /// <summary>The billing address.</summary>
    public Address BillingAddress = null!;

    /// <summary>The sum of the line totals.</summary>
    public double Total;

    /// <summary>The lines.</summary>
    public List<LineItem> LineItems = null!;

    /// <summary>Creates the typed form of an order; addresses and line items are shared, not copied.</summary>
    /// <param name="order">The order.</param>
    /// <returns>The same order with a typed list.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="order"/> is null.</exception>
    public static OrderWithList From(Order order)
    {
        if (order is null)
            throw new ArgumentNullException(nameof(order));
        var lineItems = new List<LineItem>(order.LineItems.Count);
        foreach (LineItem item in order.LineItems)
            lineItems.Add(item);
        return new OrderWithList
        {
            Date = order.Date,
            CustomerID = order.CustomerID,
            ShippingAddress = order.ShippingAddress,
            BillingAddress = order.BillingAddress,
            Total = order.Total,
            LineItems = lineItems,
        };
    }

    /// <summary>Creates the study's form of this order; addresses and line items are shared, not copied.</summary>
    /// <returns>The same order with an <see cref="ArrayList"/>.</returns>
    public Order ToOrder() => new()
    {
        Date = Date,
        CustomerID = CustomerID,
        ShippingAddress = ShippingAddress,
        BillingAddress = BillingAddress,
        Total = Total,
        LineItems = new ArrayList(LineItems),
    };

    /// <inheritdoc/>
    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Date);
        writer.Write(CustomerID);
        writer.WriteRecord(ShippingAddress);
        writer.WriteRecord(BillingAddress);
        writer.Write(Total);
        if (LineItems is null)
            throw LineItem.Refused(nameof(LineItems));
        writer.WriteCount(LineItems.Count);
        for (int i = 0; i < LineItems.Count; i++)
        {
            if (LineItems[i] is not { } item)
                throw LineItem.Refused(null, i);
            item.Save(ref writer);
        }
    }

    /// <inheritdoc/>
    public void Load(ref BinaryBodyReader reader)
    {
        Date = reader.ReadDateTime();
        CustomerID = reader.ReadInt32();
        ShippingAddress = reader.ReadRecord(ShippingAddress);
        BillingAddress = reader.ReadRecord(BillingAddress);
        Total = reader.ReadDouble();
        int count = reader.ReadCount(LineItem.MinByteCount);
        List<LineItem> items = LineItems ??= new List<LineItem>(count);
        if (items.Count > count)
            items.RemoveRange(count, items.Count - count);
        for (int i = 0; i < count; i++)
        {
            LineItem item;
            if (i < items.Count)
                item = items[i] ??= new LineItem();
            else
                items.Add(item = new LineItem());
            item.Load(ref reader);
        }
    }

    /// <summary>Writes the members with the base library's writer, in the classic form: the same bytes.</summary>
    /// <param name="writer">Receives them.</param>
    public void Save(BinaryWriter writer)
    {
        writer.Write(Date.ToBinary());
        writer.Write(CustomerID);
        ShippingAddress.Save(writer);
        BillingAddress.Save(writer);
        writer.Write(Total);
        writer.Write(LineItems.Count);
        foreach (LineItem item in LineItems)
            item.Save(writer);
    }

    /// <summary>
    /// Reads the members with the base library's reader, in the classic form of the study, without protection against invalid bytes.
    /// </summary>
    /// <param name="reader">Gives the bytes.</param>
    public void Load(BinaryReader reader)
    {
        Date = DateTime.FromBinary(reader.ReadInt64());
        CustomerID = reader.ReadInt32();
        ShippingAddress = new Address();
        ShippingAddress.Load(reader);
        BillingAddress = new Address();
        BillingAddress.Load(reader);
        Total = reader.ReadDouble();
        int count = reader.ReadInt32();
        LineItems = new List<LineItem>(count);
        for (int i = 0; i < count; i++)
        {
            var item = new LineItem();
            item.Load(reader);
            LineItems.Add(item);
        }
    }

    /// <inheritdoc cref="Order.ContentEquals"/>
    public bool ContentEquals(OrderWithList? other) => other is not null && ToOrder().ContentEquals(other.ToOrder());
}
