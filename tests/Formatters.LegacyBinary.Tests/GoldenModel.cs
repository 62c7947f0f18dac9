// The types of the golden bodies, as they were when the bodies were made: in assembly and namespace Golden.
#nullable disable
using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace Golden;

[Serializable]
public class Address
{
    public string Firstname, Lastname, Company, City, Street, ZIPCode, Country, State;
}

[Serializable]
public class LineItem
{
    public int ArticleID;
    public string Name;
    public double Price;
    public double Quantity;
    public double LineTotal;
}

[Serializable]
public class Order
{
    public DateTime Date;
    public int CustomerID;
    public Address ShippingAddress;
    public Address BillingAddress;
    public double Total;
    [XmlArrayItem(typeof(LineItem))]
    public ArrayList LineItems = new ArrayList();
}

/// <summary>The same order with auto-properties: its members travel as compiler-named backing fields.</summary>
[Serializable]
public class OrderP
{
    public DateTime Date { get; set; }
    public int CustomerID { get; set; }
    public Address ShippingAddress { get; set; }
    public double Total { get; set; }
    public List<LineItem> LineItems { get; set; } = new List<LineItem>();
}

[Serializable]
public enum Color : short { Red = 1, Green = 2, Blue = 300 }

[Serializable]
public struct Money
{
    public decimal Amount;
    public string Currency;
}

[Serializable]
public class Node
{
    public string Name;
    public Node Next;
    public object Tag;
    [NonSerialized] public int Scratch;
}

[Serializable]
public class NodeBase { private int id = 7; public int Id { get { return id; } } }

/// <summary>A private field of a base type: it travels as "NodeBase+id".</summary>
[Serializable]
public class Derived : NodeBase { private int id = 8; public int OwnId { get { return id; } } }

[Serializable]
public class Everything
{
    public bool Bool = true;
    public byte Byte = 200;
    public sbyte SByte = -100;
    public char Char = '\u20AC';
    public short Int16 = -12345;
    public ushort UInt16 = 54321;
    public int Int32 = -123456789;
    public uint UInt32 = 4123456789;
    public long Int64 = -1234567890123456789;
    public ulong UInt64 = 12345678901234567890;
    public float Single = 1.5f;
    public double Double = -2.25;
    public decimal Decimal = 79228162514264337593543950335m;
    public DateTime Utc = new DateTime(2004, 2, 29, 23, 59, 58, 123, DateTimeKind.Utc);
    public TimeSpan Span = new TimeSpan(1, 2, 3, 4, 5);
    public Guid Guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
    public Color Enum = Color.Blue;
    public Money Struct = new Money { Amount = 12.34m, Currency = "EUR" };
    public int? NullableSet = 5;
    public int? NullableUnset;
    public string Null;
    public object BoxedInt = 42;
    public object BoxedString = "boxed";
}

[Serializable]
public class Custom : ISerializable
{
    public string A;
    public int B;
    public Custom() { }
    protected Custom(SerializationInfo info, StreamingContext c) { A = info.GetString("a"); B = info.GetInt32("b"); }
    public void GetObjectData(SerializationInfo info, StreamingContext context) { info.AddValue("a", A); info.AddValue("b", B); }
}

public static class Make
{
    public static Address Ship()
    {
        return new Address { Firstname = "Ingo", Lastname = "M\u00FCller", Company = "Acme Ltd.", City = "Wien", Street = "Ring 1", ZIPCode = "1010", Country = "Austria", State = "" };
    }

    public static Address Bill()
    {
        return new Address { Firstname = "Greg", Lastname = "Smith", Company = null, City = "Z\u00FCrich", Street = "Bahnhofstra\u00DFe 12", ZIPCode = "8001", Country = "Switzerland", State = "ZH" };
    }

    // item i (from 1): ArticleID 1000+i, Name "Article <i>", Price 1.25*i, Quantity i%7+1, LineTotal Price*Quantity
    public static LineItem Item(int i)
    {
        double q = i % 7 + 1;
        return new LineItem { ArticleID = 1000 + i, Name = "Article " + i, Price = 1.25 * i, Quantity = q, LineTotal = 1.25 * i * q };
    }

    public static Order Order(int items)
    {
        var o = new Order { Date = new DateTime(2004, 11, 20, 13, 14, 15, 678, DateTimeKind.Utc), CustomerID = 4711, ShippingAddress = Ship(), BillingAddress = Bill() };
        for (int i = 1; i <= items; i++) { var li = Item(i); o.LineItems.Add(li); o.Total += li.LineTotal; }
        return o;
    }
}
