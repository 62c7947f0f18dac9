using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>A list of records, which no count precedes: it is made for as many as lie one behind the other.</summary>
public class ProtobufListTests
{
    private static readonly ProtobufFormatter<GeneratedOrder> Formatter = new(GeneratedOrder.MessageContract);

    [Theory]
    [InlineData(1, 10)]
    [InlineData(3, 10)]
    [InlineData(50, 10)]
    [InlineData(50, 300)]
    [InlineData(1024, 10)]
    public void NewList_HasRoomForItsElements(int count, int nameLength)
    {
        List<GeneratedLineItem> items = Formatter.Read(Formatter.Write(OrderOf(count, nameLength))).LineItems;
        Assert.Equal((count, count), (items.Count, items.Capacity));
    }

    [Theory]
    [InlineData(1025, 10)]
    [InlineData(3000, 10)]
    [InlineData(3, 20_000)] // a length of three bytes, which are not counted ahead
    public void NewList_BeyondWhatIsCountedAhead_Grows(int count, int nameLength)
    {
        byte[] body = Formatter.Write(OrderOf(count, nameLength));
        GeneratedOrder read = Formatter.Read(body);
        Assert.Equal(count, read.LineItems.Count);
        Assert.Equal(body, Formatter.Write(read));
    }

    [Fact]
    public void Elements_WithAnotherFieldBetweenThem_AreOneList()
    {
        byte[] body = Formatter.Write(OrderOf(2, 10));
        byte[] between = [.. body, 0x38, 0x01, .. body]; // field 7 is unknown
        Assert.Equal(4, Formatter.Read(between).LineItems.Count);
    }

    [Fact]
    public void HugeCount_OfEmptyElements_IsRefusedAtTheLimit()
    {
        var limited = new ProtobufFormatter<GeneratedOrder>(GeneratedOrder.MessageContract, new ProtobufOptions { Limits = FormatterLimits.Default with { MaxElementCount = 10 } });
        byte[] body = [.. Enumerable.Repeat(new byte[] { 0x32, 0 }, 11).SelectMany(static field => field)];
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => limited.Read(body));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, 21L), (e.Code, e.ByteOffset));
        Assert.Equal("GeneratedOrder.LineItems[10]", e.MemberPath);
    }

    [Fact]
    public void ArrayOfADerivedType_IsNotFilled()
    {
        var value = new Covariant { All = [new CovariantBase { Name = "a" }] };
        foreach (var formatter in new[] { new ProtobufFormatter<Covariant>(Covariant.MessageContract), new ProtobufFormatter<Covariant>(ByReflection.Protobuf) })
        {
            foreach (CovariantDerived[] all in new CovariantDerived[][] { [new()], [], [new(), new()] })
            {
                var read = new Covariant { All = all };
                formatter.Read(formatter.Write(value), ref read);
                Assert.Equal(typeof(CovariantBase[]), read.All.GetType());
                Assert.Equal("a", Assert.Single(read.All).Name);
                read = new Covariant { All = all };
                formatter.Read([], ref read);
                Assert.Equal(typeof(CovariantBase[]), read.All.GetType());
            }
        }
    }

    private static GeneratedOrder OrderOf(int count, int nameLength)
    {
        GeneratedOrder order = GeneratedOrder.From(SampleOrders.Create(1, count));
        foreach (GeneratedLineItem item in order.LineItems)
            item.Name = new string('x', nameLength);
        return order;
    }
}

[MessageContract(Formats = ContractFormats.Protobuf | ContractFormats.MessagePack)]
public sealed partial class Covariant
{
    [MessageMember(1)] public CovariantBase[] All { get; set; } = [];
}

[AllowDerived]
public class CovariantBase
{
    [MessageMember(1)] public string Name { get; set; } = "";
}

public sealed class CovariantDerived : CovariantBase;
