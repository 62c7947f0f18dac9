using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters;
using Formatters.Binary;

/// <summary>What you write for a type of your own: <c>Save</c> and <c>Load</c>, the members in one order. <c>Save(BinaryWriter)</c> is the old form, here to compare with.</summary>
internal sealed record Trade : IBinaryBody
{
    /// <summary>The first byte of a body. Version 1 had no <see cref="Venue"/>.</summary>
    public const byte Version = 2;

    public long Id { get; set; }
    public DateTime When { get; set; }
    public string? Note { get; set; }
    public Party Buyer { get; set; } = new();
    public List<Line> Lines { get; set; } = [];
    public string Venue { get; set; } = "";

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Version);
        writer.Write(Id);
        writer.Write(When);
        writer.WriteNullable(Note); // a presence byte, then the text if there is one
        writer.WriteRecord(Buyer);
        writer.WriteCount(Lines.Count);
        foreach (Line line in Lines)
            line.Save(ref writer);
        writer.Write(Venue);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        int offset = reader.ByteOffset;
        byte version = reader.ReadByte();
        if (version is 0 or > Version)
            throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat, $"Version {version} of a trade; this program knows 1 to {Version}.", offset);
        Id = reader.ReadInt64();
        When = reader.ReadDateTime();
        Note = reader.ReadNullableString(Note); // an equal text is kept
        Buyer = reader.ReadRecord(Buyer);
        Lines = reader.ReadList(Line.MinByteCount, Lines); // a count that the rest of the body cannot hold is refused before anything is allocated
        Venue = version >= 2 ? reader.ReadString(Venue) : "";
    }

    public void Save(BinaryWriter writer)
    {
        writer.Write(Version);
        writer.Write(Id);
        writer.Write(When.ToBinary());
        writer.Write(Note is not null);
        if (Note is not null)
            writer.Write(Note);
        writer.Write(Buyer.Name);
        writer.Write(Buyer.Country);
        writer.Write(Lines.Count);
        foreach (Line line in Lines)
        {
            writer.Write(line.Symbol);
            writer.Write(line.Price);
            writer.Write(line.Quantity);
        }

        writer.Write(Venue);
    }

    public bool Equals(Trade? other) =>
        other is not null && (Id, When, When.Kind, Note, Buyer, Venue) == (other.Id, other.When, other.When.Kind, other.Note, other.Buyer, other.Venue) && Lines.SequenceEqual(other.Lines);

    public override int GetHashCode() => HashCode.Combine(Id, When);

    public static Trade Sample(int lineCount) => new()
    {
        Id = 42,
        When = new DateTime(2026, 11, 20, 9, 30, 0, DateTimeKind.Utc),
        Note = "by telephone",
        Buyer = new Party { Name = "Contoso", Country = "DE" },
        Lines = [.. Enumerable.Range(1, lineCount).Select(static i => new Line { Symbol = $"SYM{i}", Price = 17.25 * i, Quantity = i })],
        Venue = "XETR",
    };
}

internal sealed record Party : IBinaryBody
{
    public string Name { get; set; } = "";
    public string Country { get; set; } = "";

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Name);
        writer.Write(Country);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Name = reader.ReadString(Name);
        Country = reader.ReadString(Country);
    }
}

internal sealed record Line : IBinaryBody
{
    /// <summary>An empty text, a double and an Int32.</summary>
    public const int MinByteCount = 1 + sizeof(double) + sizeof(int);

    public string Symbol { get; set; } = "";
    public double Price { get; set; }
    public int Quantity { get; set; }

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Symbol);
        writer.Write(Price);
        writer.Write(Quantity);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Symbol = reader.ReadString(Symbol);
        Price = reader.ReadDouble();
        Quantity = reader.ReadInt32();
    }
}
