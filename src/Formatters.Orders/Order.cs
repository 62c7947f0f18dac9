using System;
using System.Collections;
using System.IO;
using System.Xml.Serialization;
using Formatters.Binary;

namespace Formatters.Orders;

/// <summary>The order of the study, with its members and types: the line items are in an <see cref="ArrayList"/>.</summary>
[Serializable]
public sealed class Order : IBinaryBody
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

    /// <summary>The lines: <see cref="LineItem"/> objects.</summary>
    [XmlArrayItem(typeof(LineItem))]
    public ArrayList LineItems = null!;

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
            if (LineItems[i] is not LineItem item)
                throw LineItem.Refused(LineItems[i], i);
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
        ArrayList items = LineItems ??= new ArrayList(count);
        if (items.Count > count)
            items.RemoveRange(count, items.Count - count);
        for (int i = 0; i < count; i++)
        {
            LineItem item;
            if (i >= items.Count)
                items.Add(item = new LineItem());
            else if (items[i] is LineItem existing)
                item = existing;
            else
                items[i] = item = new LineItem();
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
        LineItems = new ArrayList(count);
        for (int i = 0; i < count; i++)
        {
            var item = new LineItem();
            item.Load(reader);
            LineItems.Add(item);
        }
    }

    /// <summary>Determines whether all members and line items are equal, doubles bit for bit.</summary>
    /// <param name="other">The other order.</param>
    /// <returns><see langword="false"/> also for null.</returns>
    public bool ContentEquals(Order? other)
    {
        if (other is null || Date != other.Date || Date.Kind != other.Date.Kind || CustomerID != other.CustomerID || !Total.Equals(other.Total)
            || !ShippingAddress.ContentEquals(other.ShippingAddress) || !BillingAddress.ContentEquals(other.BillingAddress)
            || LineItems.Count != other.LineItems.Count)
            return false;
        for (int i = 0; i < LineItems.Count; i++)
        {
            if (!((LineItem)LineItems[i]!).ContentEquals(other.LineItems[i] as LineItem))
                return false;
        }

        return true;
    }
}
