using System;
using System.IO;

namespace Formatters.Orders;

/// <summary>One line of an <see cref="Order"/>: 28 bytes and its name in the binary wire format.</summary>
[Serializable]
public sealed class LineItem : IBinaryBody
{
    /// <summary>The number of the article.</summary>
    public int ArticleID;

    /// <summary>The name of the article.</summary>
    public string Name = null!;

    /// <summary>The price of one.</summary>
    public double Price;

    /// <summary>How many.</summary>
    public double Quantity;

    /// <summary>Price times quantity.</summary>
    public double LineTotal;

    /// <summary>The fewest bytes of a line item: an Int32, an empty string, three doubles.</summary>
    internal const int MinByteCount = 4 + 1 + (3 * 8);

    /// <summary>The error for a list that is null, or whose element is.</summary>
    /// <param name="memberPath">The list or element.</param>
    internal static MessageFormatException Refused(string memberPath) =>
        new(MessageFormatErrorCode.UnexpectedNull, "The value is null, but its contract does not allow null.", memberPath: memberPath);

    /// <summary>The error for what is not a line item.</summary>
    /// <param name="element">Null, or an object of another type.</param>
    /// <param name="index">Where in the list it is.</param>
    internal static MessageFormatException Refused(object? element, int index)
    {
        string memberPath = FormattableString.Invariant($"{nameof(Order.LineItems)}[{index}]");
        return element is null
            ? Refused(memberPath)
            : new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, "The element is not of the declared element type.", memberPath: memberPath);
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

    /// <summary>The classic form, over the base library's writer: the same bytes.</summary>
    /// <param name="writer">Receives them.</param>
    public void Save(BinaryWriter writer)
    {
        writer.Write(ArticleID);
        writer.Write(Name);
        writer.Write(Price);
        writer.Write(Quantity);
        writer.Write(LineTotal);
    }

    /// <summary>The classic form, over the base library's reader.</summary>
    /// <param name="reader">Gives the bytes.</param>
    public void Load(BinaryReader reader)
    {
        ArticleID = reader.ReadInt32();
        Name = reader.ReadString();
        Price = reader.ReadDouble();
        Quantity = reader.ReadDouble();
        LineTotal = reader.ReadDouble();
    }

    /// <summary>Whether all members are equal, doubles bit for bit.</summary>
    /// <param name="other">The other line item.</param>
    /// <returns><see langword="false"/> also for null.</returns>
    public bool ContentEquals(LineItem? other) =>
        other is not null && ArticleID == other.ArticleID && Name == other.Name && Price.Equals(other.Price) && Quantity.Equals(other.Quantity)
        && LineTotal.Equals(other.LineTotal);
}
