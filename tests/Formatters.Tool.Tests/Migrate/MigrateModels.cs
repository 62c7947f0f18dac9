using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace Formatters.Tools.Tests.Migrate;

/// <summary>As old senders know it: one member more, and one more in what it holds.</summary>
[Serializable]
[XmlRoot("Ticket")]
public sealed class WideTicket
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(2)]
    public string? Remark { get; set; }

    [MessageMember(3)]
    public List<WidePart> Parts { get; set; } = [];
}

/// <summary>As old senders know it.</summary>
[Serializable]
[XmlType("NarrowPart")]
public sealed class WidePart
{
    [MessageMember(1)]
    public int Number { get; set; }

    [MessageMember(2)]
    public int Extra { get; set; }
}

/// <summary>As the new program knows it.</summary>
[Serializable]
[XmlRoot("Ticket")]
public sealed class NarrowTicket
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(3)]
    public List<NarrowPart> Parts { get; set; } = [];
}

/// <summary>As the new program knows it.</summary>
[Serializable]
public sealed class NarrowPart
{
    [MessageMember(1)]
    public int Number { get; set; }
}

/// <summary>What only some formats carry.</summary>
[Serializable]
public sealed class Delicate
{
    public DateTime Placed { get; set; }

    public decimal Price { get; set; }

    public Dictionary<string, int>? Stock { get; set; }

    public Spot? From { get; set; }

    public Spot? To { get; set; }
}

// Without, the JSON formatter refuses to write an object of the derived class.
[Serializable, AllowDerived]
public class Spot
{
    public int X { get; set; }
}

[Serializable]
public sealed class NamedSpot : Spot
{
    public string Name { get; set; } = "";
}

/// <summary>Its name makes XML long.</summary>
[Serializable]
public sealed class ManyNumbersWithLongNames
{
    public int[] NumbersThatAreOneByteEachInOneFormat { get; set; } = [];
}

#nullable disable
/// <summary>As .NET Framework has them.</summary>
[Serializable]
public sealed class UnannotatedTicket
{
    [MessageMember(1)]
    public string Remark { get; set; }

    [MessageMember(2)]
    public List<UnannotatedPart> Parts { get; set; }
}

/// <summary>As .NET Framework has them.</summary>
[Serializable]
public sealed class UnannotatedPart
{
    [MessageMember(1)]
    public string Name { get; set; }
}
