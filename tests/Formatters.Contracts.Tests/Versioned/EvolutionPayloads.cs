using System;
using System.Collections.Generic;

namespace Formatters.Contracts.Tests.Versioned;

// Versions of one type, told apart by their names: a body does not say which type it is of.

public enum ColourNow : byte
{
    Red = 1,
    Green = 2,
    Blue = 7,
}

[MessageContract(Formats = ContractFormats.Versioned)]
public partial class OrderV1
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public string Customer { get; set; } = "";
    [MessageMember(3)] public double Weight { get; set; }
    [MessageMember(4)] public string? Note { get; set; }
    [MessageMember(5)] public LineV1 First { get; set; } = new();
    [MessageMember(6)] public List<LineV1> Lines { get; set; } = [];
    [MessageMember(7)] public Colour Colour { get; set; }
    [MessageMember(8)] public int Total { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

public class LineV1
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public int Quantity { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

/// <summary>Customer renamed, Weight retired, Note no longer null, Total nullable; new members of many kinds; the lines have more.</summary>
[MessageContract(Formats = ContractFormats.Versioned)]
[RetiredMembers(3)]
public partial class OrderV2
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public string Buyer { get; set; } = "";
    [MessageMember(4)] public string Note { get; set; } = "";
    [MessageMember(5)] public LineV2 First { get; set; } = new();
    [MessageMember(6)] public LineV2[] Lines { get; set; } = [];
    [MessageMember(7)] public ColourNow Colour { get; set; }
    [MessageMember(8)] public int? Total { get; set; }
    [MessageMember(9)] public DateTimeOffset Placed { get; set; } = new(2020, 1, 2, 3, 4, 5, TimeSpan.FromHours(1));
    [MessageMember(10)] public char Grade { get; set; } = 'B';
    [MessageMember(11)] public List<string> Tags { get; set; } = ["new"];
    [MessageMember(12)] public Dictionary<string, LineV2> Named { get; set; } = [];
    [MessageMember(13)] public LineV2? Gift { get; set; }
    [MessageMember(14)] public Guid Key { get; set; }
    [MessageMember(15)] public (int, string) Pair { get; set; } = (1, "one");
    [MessageMember(16)] public byte[]? Picture { get; set; }
    [MessageMember(17)] public string Label = null!;
    [MessageMember(18)] public int[] Numbers = null!;
}

public class LineV2
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public int Quantity { get; set; }
    [MessageMember(3)] public decimal Price { get; set; } = 9.5m;
    [MessageMember(4)] public string? Colour { get; set; }
}

/// <summary>Between the two: it knows members 1 and 5 only, and keeps the rest.</summary>
[MessageContract(Formats = ContractFormats.Versioned)]
public partial class OrderRelay
{
    [MessageMember(5)] public LineRelay First { get; set; } = new(0);
    [MessageMember(1)] public int Id { get; set; }
    public UnknownMembers? Unknown;
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial record LineRelay([MessageMember(2)] int Quantity)
{
    public UnknownMembers? Unknown { get; init; }
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class RelayRows
{
    [MessageMember(1)] public List<RelayRow> Rows { get; set; } = [];
}

public sealed class RelayRow
{
    [MessageMember(1)] public byte Value { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

/// <summary>Made by a constructor; of what old bodies lack each parameter gets its default.</summary>
[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial record PersonV2(
    [MessageMember(1)] string Name,
    [MessageMember(2)] int Age = 18,
    [MessageMember(3)] string City = "Bonn",
    [MessageMember(4)] string? Title = null,
    [MessageMember(5)] ColourNow Favourite = ColourNow.Green,
    [MessageMember(6)] decimal Credit = 1.50m,
    [MessageMember(7)] double Ratio = double.PositiveInfinity,
    [MessageMember(8)] long? Points = 7,
    [MessageMember(9)] char Initial = '\'')
{
    [MessageMember(10)] public List<int> Codes { get; init; } = [1, 2];
    [MessageMember(11)] public string Nick { get; set; } = "nick";
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial record PersonV1([MessageMember(1)] string Name);

/// <summary>Parameters without a default.</summary>
[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial record Bare(
    [MessageMember(1)] string Name,
    [MessageMember(2)] int Age,
    [MessageMember(3)] string City,
    [MessageMember(4)] List<int> Numbers,
    [MessageMember(5)] byte[] Bytes,
    [MessageMember(6)] Dictionary<string, int> Map,
    [MessageMember(7)] string? Title,
    [MessageMember(8)] Point Point,
    [MessageMember(9)] int[] Array,
    [MessageMember(10)] IReadOnlyList<string> Interface);

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial record NeedsObject([MessageMember(1)] string Name, [MessageMember(2)] Place Place);

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class NeedsRequired
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public required int Number { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class NeedsPlace
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public Place Place { get; set; } = null!;
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class OtherKind
{
    [MessageMember(1)] public long Name { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned)]
public sealed partial class MaybeName
{
    [MessageMember(1)] public string? Name { get; set; }
}
