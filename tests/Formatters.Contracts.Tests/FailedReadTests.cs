using System;
using System.Collections.Generic;
using Formatters.Orders;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>What a read that fails leaves of an existing object.</summary>
public class FailedReadTests
{
    private static readonly Order First = SampleOrders.Create(1, 3);
    private static readonly Order Second = SampleOrders.Create(2, 5);

    public static TheoryData<string> Formats =>
    [
        "binary", "binary, reflection", "versioned", "versioned, reflection", "MessagePack", "MessagePack, reflection", "CBOR", "CBOR, reflection", "compact", "compact, reflection", "RESP3", "RESP3, reflection", "protobuf", "protobuf, reflection", "hand-coded", "XML", "delegates",
    ];

    [Theory]
    [MemberData(nameof(Formats))]
    public void ReadOrClear_AnyDamage_LeavesNothing(string format)
    {
        switch (format)
        {
            case "hand-coded":
                CheckCleared(new HandCodedFormatter<Order>(), First, Second);
                break;
            case "XML":
                CheckCleared(new XmlFormatter<Order>(ByReflection.Xml), First, Second);
                break;
            case "delegates":
                CheckCleared(DelegateFormatter.FromArrays<Order>("application/x-own", 0x8001, static order => new HandCodedFormatter<Order>().Write(order), static body => new HandCodedFormatter<Order>().Read(body)), First, Second);
                break;
            default:
                CheckCleared(Formatter(format), GeneratedOrder.From(First), GeneratedOrder.From(Second));
                break;
        }
    }

    /// <summary>What docs/threat-model.md says of <c>Read(body, ref value)</c>.</summary>
    [Theory]
    [InlineData("binary", true)]
    [InlineData("binary, reflection", true)]
    [InlineData("versioned", true)]
    [InlineData("versioned, reflection", true)]
    [InlineData("MessagePack", true)]
    [InlineData("MessagePack, reflection", true)]
    [InlineData("CBOR", true)]
    [InlineData("CBOR, reflection", true)]
    [InlineData("compact", true)]
    [InlineData("compact, reflection", true)]
    [InlineData("RESP3", true)]
    [InlineData("RESP3, reflection", true)]
    [InlineData("protobuf", true)]
    [InlineData("protobuf, reflection", true)]
    [InlineData("hand-coded", true)]
    [InlineData("XML", false)]
    [InlineData("delegates", false)]
    public void Read_ThatFails_MayLeaveParts(string format, bool leavesParts)
    {
        bool isPart = format switch
        {
            "hand-coded" => LeavesParts(new HandCodedFormatter<Order>(), First, Second),
            "XML" => LeavesParts(new XmlFormatter<Order>(ByReflection.Xml), First, Second),
            "delegates" => LeavesParts(DelegateFormatter.FromArrays<Order>("application/x-own", 0x8001, static order => new HandCodedFormatter<Order>().Write(order), static body => new HandCodedFormatter<Order>().Read(body)), First, Second),
            _ => LeavesParts(Formatter(format), GeneratedOrder.From(First), GeneratedOrder.From(Second)),
        };

        Assert.Equal(leavesParts, isPart);
    }

    [Fact]
    public void ReadOrClear_OfTypesThatCannotBeCleared_LeavesTheDefault()
    {
        CheckCleared(new BinaryBodyFormatter<Fixed>(ByReflection.Binary), new Fixed(1) { Name = "a", Next = new Fixed(2) { Name = "b" } }, new Fixed(3) { Name = "c", Next = new Fixed(4) { Name = "d" } });
        var formatter = new BinaryBodyFormatter<KeyValuePair<int, string>>(ByReflection.Binary);
        byte[] body = formatter.Write(new(7, "seven"));
        var pair = new KeyValuePair<int, string>(1, "one");

        Assert.Throws<MessageFormatException>(() => formatter.ReadOrClear(body.AsSpan(0, 6), ref pair));
        Assert.Equal(default, pair);
        formatter.ReadOrClear(body, ref pair);
        Assert.Equal(new(7, "seven"), pair);
    }

    private static void CheckCleared<T>(MessageFormatter<T> formatter, T first, T second)
        where T : class
    {
        byte[] before = formatter.Write(first);
        byte[] body = formatter.Write(second);
        T? value = null;
        formatter.ReadOrClear(before, ref value);
        T kept = value;
        formatter.ReadOrClear(body, ref value);
        Assert.Equal(body, formatter.Write(value));
        T expected = kept;
        formatter.Read(body, ref expected);
        Assert.Equal(ReferenceEquals(kept, expected), ReferenceEquals(kept, value));
        for (int length = 0; length < body.Length; length++)
        {
            formatter.ReadOrClear(before, ref value);
            byte[] prefix = body[..length];
            // Not every prefix is refused: in protobuf members may be absent.
            try
            {
                formatter.ReadOrClear(prefix, ref value);
            }
            catch (MessageFormatException)
            {
                Assert.Null(value);
                continue;
            }

            Assert.Equal(formatter.Write(formatter.Read(prefix)), formatter.Write(value));
        }
    }

    private static bool LeavesParts<T>(MessageFormatter<T> formatter, T first, T second)
    {
        byte[] before = formatter.Write(first);
        byte[] body = formatter.Write(second);
        for (int at = body.Length - 1; at >= 0; at--)
        {
            byte[] damaged = [.. body];
            damaged[at] = 0xFF;
            foreach (byte[] bad in new[] { damaged, body[..at] })
            {
                T value = formatter.Read(before);
                try
                {
                    formatter.Read(bad, ref value);
                }
                catch (MessageFormatException)
                {
                    if (!formatter.Write(value).AsSpan().SequenceEqual(before))
                        return true;
                }
            }
        }

        return false;
    }

    private static MessageFormatter<GeneratedOrder> Formatter(string format) => AllFormats.Of<GeneratedOrder>(format);

    /// <summary>Without a constructor without parameters, and with members that are set once.</summary>
    public sealed class Fixed(int number)
    {
        public int Number { get; } = number;

        public required string Name { get; init; }

        public Fixed? Next { get; init; }
    }
}
