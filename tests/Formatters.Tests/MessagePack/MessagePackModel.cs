using System;
using System.Collections.Generic;
using Formatters.MessagePack;

#pragma warning disable CA1051, CA1819, CA2227, CA1002, CA1815

namespace Formatters.Tests.MessagePack;

public class PersonV1
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(3)]
    public string Name { get; set; } = "nobody";
}

public class PersonV2
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(3)]
    public string Name { get; set; } = "nobody";

    [MessageMember(2)]
    public string? Title { get; set; }

    [MessageMember(4)]
    public List<string> Tags { get; set; } = ["new"];

    [MessageMember(5)]
    public PersonV1? Boss { get; set; }
}

public record Point([MessageMember(2)] int Y, [MessageMember(1)] int X, [MessageMember(3)] int Z = 7);

public class NameOnly
{
    [MessageMember(Name = "b")]
    public int Second { get; set; }

    [MessageMember(Name = "a")]
    public int First { get; set; }

    public Dictionary<int, double>? Map { get; set; }

    public HashSet<string>? Set { get; set; }
}

public class Node
{
    public Node? Next { get; set; }

    public List<Node> Children { get; set; } = [];
}

public class Refuses
{
    private int _value;

    public int Value
    {
        get => _value;
        set => _value = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(value));
    }
}

public class Graph
{
    public PersonV2 Person { get; set; } = new();

    public List<PersonV2> People { get; set; } = [];

    public PersonV2[] Array { get; set; } = [];

    public Dictionary<string, string> Words { get; set; } = [];

    public byte[] Bytes { get; set; } = [];
}

public readonly record struct Money(long Cents);

/// <summary>Money as extension 5.</summary>
public sealed class MoneyCodec : MessagePackCodec<Money>
{
    public override void Write(ref MessagePackBodyWriter writer, Money value)
    {
        Span<byte> content = stackalloc byte[8];
        System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(content, value.Cents);
        writer.WriteExtension(5, content);
    }

    public override Money Read(ref MessagePackBodyReader reader, Money existing = default)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> content = reader.ReadExtension(out sbyte extensionType);
        if (extensionType != 5 || content.Length != 8)
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The bytes are not a valid Money.", byteOffset, isPoison: true);
        return new Money(System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian(content));
    }
}

public class Invoice
{
    [MessageMember(1)]
    public Money Total { get; set; }

    [MessageMember(2)]
    public Money? Discount { get; set; }

    [MessageMember(3)]
    public List<Money> Items { get; set; } = [];
}
