using System.Formats.Cbor;

namespace Formatters.Benchmarks.Peers;

/// <summary>System.Formats.Cbor, which knows no contracts: code written by hand, and the bytes of the row <c>generated CBOR</c>.</summary>
internal sealed class SystemFormatsCborRow : OrderStreamRow
{
    private readonly CborWriter _writer = new();
    private byte[] _encoded = [];

    protected override void WriteToOutput(OrderWithList payload)
    {
        CborWriter writer = _writer;
        writer.Reset();
        writer.WriteStartArray(6);
        writer.WriteTag(CborTag.DateTimeString);
        writer.WriteTextString(payload.Date.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFZ", CultureInfo.InvariantCulture));
        writer.WriteInt32(payload.CustomerID);
        Write(writer, payload.ShippingAddress);
        Write(writer, payload.BillingAddress);
        writer.WriteDouble(payload.Total);
        writer.WriteStartArray(payload.LineItems.Count);
        foreach (LineItem item in payload.LineItems)
        {
            writer.WriteStartArray(5);
            writer.WriteInt32(item.ArticleID);
            writer.WriteTextString(item.Name);
            writer.WriteDouble(item.Price);
            writer.WriteDouble(item.Quantity);
            writer.WriteDouble(item.LineTotal);
            writer.WriteEndArray();
        }

        writer.WriteEndArray();
        writer.WriteEndArray();
        if (_encoded.Length < writer.BytesWritten)
            _encoded = new byte[2 * writer.BytesWritten];
        Output.Write(_encoded, 0, writer.Encode(_encoded));
    }

    protected override OrderWithList ReadBody(int index, byte[] body)
    {
        var reader = new CborReader(body);
        reader.ReadStartArray();
        reader.ReadTag();
        var order = new OrderWithList
        {
            Date = DateTime.Parse(reader.ReadTextString(), CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind),
            CustomerID = reader.ReadInt32(),
            ShippingAddress = ReadAddress(reader),
            BillingAddress = ReadAddress(reader),
            Total = reader.ReadDouble(),
        };
        int count = reader.ReadStartArray().GetValueOrDefault();
        order.LineItems = new List<LineItem>(count);
        for (int i = 0; i < count; i++)
        {
            reader.ReadStartArray();
            order.LineItems.Add(new LineItem
            {
                ArticleID = reader.ReadInt32(),
                Name = reader.ReadTextString(),
                Price = reader.ReadDouble(),
                Quantity = reader.ReadDouble(),
                LineTotal = reader.ReadDouble(),
            });
            reader.ReadEndArray();
        }

        reader.ReadEndArray();
        reader.ReadEndArray();
        return order;
    }

    private static void Write(CborWriter writer, Address address)
    {
        writer.WriteStartArray(8);
        writer.WriteTextString(address.Firstname);
        writer.WriteTextString(address.Lastname);
        writer.WriteTextString(address.Company);
        writer.WriteTextString(address.City);
        writer.WriteTextString(address.Street);
        writer.WriteTextString(address.ZIPCode);
        writer.WriteTextString(address.Country);
        writer.WriteTextString(address.State);
        writer.WriteEndArray();
    }

    private static Address ReadAddress(CborReader reader)
    {
        reader.ReadStartArray();
        var address = new Address
        {
            Firstname = reader.ReadTextString(),
            Lastname = reader.ReadTextString(),
            Company = reader.ReadTextString(),
            City = reader.ReadTextString(),
            Street = reader.ReadTextString(),
            ZIPCode = reader.ReadTextString(),
            Country = reader.ReadTextString(),
            State = reader.ReadTextString(),
        };
        reader.ReadEndArray();
        return address;
    }
}
