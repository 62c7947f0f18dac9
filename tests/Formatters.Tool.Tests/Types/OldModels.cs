using System;
using System.Collections;
using System.Collections.Generic;

#pragma warning disable CA2235, CA1707, CA1051, IDE0044, IDE1006, SA1401

namespace Formatters.Tools.Tests.Types;

[Serializable]
public class OldRoot
{
    private long _stamp = 99;

    public long Stamp { get => _stamp; set => _stamp = value; }
}

[Serializable]
public class OldBase : OldRoot
{
    private int _version = 3;

    public int Version { get => _version; set => _version = value; }

    public string Comment { get; set; } = "of the base";
}

[Serializable]
public class OldOrder : OldBase
{
    private string m_number = "4711";
    private DateTime placed = new(2004, 5, 6, 7, 8, 9, DateTimeKind.Utc);
    public decimal Total = 12.50m;
    public int @class = 5;

    public string Number { get => m_number; set => m_number = value; }

    public DateTime Placed { get => placed; set => placed = value; }

    public OldState State { get; set; } = OldState.Open;

    public int? Discount { get; set; }

    public string? Remark { get; set; }

    public object? Never { get; set; }

    public object Anything { get; set; } = 1;

    public OldAddress Address { get; set; } = new();

    public OldAddress? Second { get; set; }

    public List<OldItem> Items { get; set; } = [new(), new() { Name = "b" }];

    public Dictionary<string, int> Counts { get; set; } = new() { ["a"] = 1 };

    public ArrayList Mixed { get; set; } = [1, "two", new OldItem()];

    public byte[] Bytes { get; set; } = [1, 2];

    public OldItem[] Array { get; set; } = [new()];

    public int[,] Grid { get; set; } = { { 1, 2 }, { 3, 4 } };

    public int[][] Jagged { get; set; } = [[1], [2, 3]];

    public Guid Id { get; set; } = new("00112233-4455-6677-8899-aabbccddeeff");

    public TimeSpan Time { get; set; } = TimeSpan.FromMinutes(90);

    public OldPage<OldItem> Page { get; set; } = new() { Value = new OldItem(), Values = [new OldItem()] };

    public OldOuter.Inner Nested { get; set; } = new();

    public KeyValuePair<string, OldItem> Pair { get; set; } = new("a", new OldItem());

    public (int Number, string Text) Tuple { get; set; } = (1, "one");

    public Dictionary<int, KeyValuePair<int, DateTime>[]> Keyed { get; set; } = new() { [1] = [new(1, new DateTime(2004, 1, 1))] };
}

public enum OldState : short
{
    Open = 1,
    Closed = -2,
}

[Serializable]
public class OldAddress
{
    public string City { get; set; } = "Zürich";
}

[Serializable]
public class OldItem
{
    public string Name { get; set; } = "a";

    public long Count { get; set; } = 7;
}

[Serializable]
public class OldPage<T>
{
    public T? Value { get; set; }

    public T[] Values { get; set; } = [];

    public int Number { get; set; } = 1;
}

[Serializable]
public class OldOuter
{
    public int X { get; set; } = 1;

    [Serializable]
    public class Inner
    {
        public OldOuter Outer { get; set; } = new();
    }
}
