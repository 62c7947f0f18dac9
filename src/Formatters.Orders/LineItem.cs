using System;
using System.IO;
using Formatters.Binary;

namespace Formatters.Orders;

/// <summary>One line of an <see cref="Order"/>: 28 bytes and its name in the binary wire format.</summary>
[Serializable]
public sealed class LineItem : IBinaryBody
{
    /// <summary>The number of the article.</summary>
    public int ArticleID;

    /// <summary>The name of the article.</summary>
    public string Name = null!;

    /// <summary>The price of one unit.</summary>
    public double Price;

    /// <summary>The quantity.</summary>
    public double Quantity;

    /// <summary>Price times quantity.</summary>
    public double LineTotal;

    /// <summary>The minimum size of a line item: an Int32, an empty string, three doubles.</summary>
    internal const int MinByteCount = 4 + 1 + (3 * 8);

    /// <summary>Creates the exception for a null list or element.</summary>
    /// <param name="memberPath">The list or element.</param>
    internal static MessageFormatException Refused(string memberPath) =>
        new(MessageFormatErrorCode.UnexpectedNull, "The value is null, but its contract does not allow null.", memberPath: memberPath);

    /// <summary>Creates the exception for an element that is not a line item.</summary>
    /// <param name="element">Null, or an object of another type.</param>
    /// <param name="index">The index in the list.</param>
    internal static MessageFormatException Refused(object? element, int index)
    {
        string memberPath = FormattableString.Invariant($"{nameof(Order.LineItems)}[{index}]");
        return element is null
            ? Refused(memberPath)
            : new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, "The element is not of the declared element type.",
                memberPath: memberPath);
    }

    /// <inheritdoc/>
    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(ArticleID);
        writer.Write(Name);
        writer.Write(Price);
        writer.Write(Quantity);
        writer.Write(LineTotal);
    }

    /// <inheritdoc/>
    public void Load(ref BinaryBodyReader reader)
    {
        ArticleID = reader.ReadInt32();
        Name = reader.ReadString(Name);
        Price = reader.ReadDouble();
        Quantity = reader.ReadDouble();
        LineTotal = reader.ReadDouble();
    }

    /// <summary>Writes the members with the base library's writer, in the classic form: the same bytes.</summary>
    /// <param name="writer">Receives them.</param>
    public void Save(BinaryWriter writer)
    {
        writer.Write(ArticleID);
        writer.Write(Name);
        writer.Write(Price);
        writer.Write(Quantity);
        writer.Write(LineTotal);
    }

    /// <summary>Reads the members with the base library's reader, in the classic form.</summary>
    /// <param name="reader">Gives the bytes.</param>
    public void Load(BinaryReader reader)
    {
        ArticleID = reader.ReadInt32();
        Name = reader.ReadString();
        Price = reader.ReadDouble();
        Quantity = reader.ReadDouble();
        LineTotal = reader.ReadDouble();
    }

    /// <summary>Determines whether all members are equal, doubles bit for bit.</summary>
    /// <param name="other">The other line item.</param>
    /// <returns><see langword="false"/> also for null.</returns>
    public bool ContentEquals(LineItem? other) =>
        other is not null && ArticleID == other.ArticleID && Name == other.Name && Price.Equals(other.Price) && Quantity.Equals(other.Quantity)
        && LineTotal.Equals(other.LineTotal);
}
