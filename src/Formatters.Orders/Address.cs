using System;
using System.IO;
using Formatters.Binary;

namespace Formatters.Orders;

/// <summary>A shipping or billing address: eight strings.</summary>
[Serializable]
public sealed class Address : IBinaryBody
{
    /// <summary>The first name.</summary>
    public string Firstname = null!;

    /// <summary>The last name.</summary>
    public string Lastname = null!;

    /// <summary>The company.</summary>
    public string Company = null!;

    /// <summary>The city.</summary>
    public string City = null!;

    /// <summary>The street, with the number.</summary>
    public string Street = null!;

    /// <summary>The postal code.</summary>
    public string ZIPCode = null!;

    /// <summary>The country.</summary>
    public string Country = null!;

    /// <summary>The state or province.</summary>
    public string State = null!;

    /// <inheritdoc/>
    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Firstname);
        writer.Write(Lastname);
        writer.Write(Company);
        writer.Write(City);
        writer.Write(Street);
        writer.Write(ZIPCode);
        writer.Write(Country);
        writer.Write(State);
    }

    /// <inheritdoc/>
    public void Load(ref BinaryBodyReader reader)
    {
        Firstname = reader.ReadString(Firstname);
        Lastname = reader.ReadString(Lastname);
        Company = reader.ReadString(Company);
        City = reader.ReadString(City);
        Street = reader.ReadString(Street);
        ZIPCode = reader.ReadString(ZIPCode);
        Country = reader.ReadString(Country);
        State = reader.ReadString(State);
    }

    /// <summary>Writes the members with the base library's writer, in the classic form: the same bytes.</summary>
    /// <param name="writer">Receives them.</param>
    public void Save(BinaryWriter writer)
    {
        writer.Write(Firstname);
        writer.Write(Lastname);
        writer.Write(Company);
        writer.Write(City);
        writer.Write(Street);
        writer.Write(ZIPCode);
        writer.Write(Country);
        writer.Write(State);
    }

    /// <summary>Reads the members with the base library's reader, in the classic form.</summary>
    /// <param name="reader">Gives the bytes.</param>
    public void Load(BinaryReader reader)
    {
        Firstname = reader.ReadString();
        Lastname = reader.ReadString();
        Company = reader.ReadString();
        City = reader.ReadString();
        Street = reader.ReadString();
        ZIPCode = reader.ReadString();
        Country = reader.ReadString();
        State = reader.ReadString();
    }

    /// <summary>Determines whether all members are equal.</summary>
    /// <param name="other">The other address.</param>
    /// <returns><see langword="false"/> also for null.</returns>
    public bool ContentEquals(Address? other) =>
        other is not null && Firstname == other.Firstname && Lastname == other.Lastname && Company == other.Company && City == other.City
        && Street == other.Street && ZIPCode == other.ZIPCode && Country == other.Country && State == other.State;
}
