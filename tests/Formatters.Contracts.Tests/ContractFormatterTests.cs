using System;
using System.Buffers;
using System.Collections;
using System.Collections.Generic;
using System.Threading;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

public class ContractFormatterTests
{
    [Fact]
    public void ConstructorThatTakesAReference_IsCalledByAllContracts()
    {
        var value = new ByReference(5, new DateTime(1, DateTimeKind.Utc), "a");
        (MessageFormatter<ByReference> Generated, MessageFormatter<ByReference> Reflected)[] pairs =
        [
            (new BinaryBodyFormatter<ByReference>(ByReference.MessageContract), new BinaryBodyFormatter<ByReference>(ByReflection.Binary with { UseCompiledCode = false })),
            (new BinaryBodyFormatter<ByReference>(ByReference.MessageContract), new BinaryBodyFormatter<ByReference>(ByReflection.Binary with { UseCompiledCode = true })),
            (new VersionedFormatter<ByReference>(ByReference.MessageContract), new VersionedFormatter<ByReference>(ByReflection.Versioned)),
            (new MessagePackFormatter<ByReference>(ByReference.MessageContract), new MessagePackFormatter<ByReference>(ByReflection.MessagePack)),
            (new ProtobufFormatter<ByReference>(ByReference.MessageContract), new ProtobufFormatter<ByReference>(ByReflection.Protobuf)),
        ];
        foreach ((MessageFormatter<ByReference> generated, MessageFormatter<ByReference> reflected) in pairs)
        {
            byte[] body = generated.Write(value);
            Assert.Equal(body, reflected.Write(value));
            Assert.Equal(body, generated.Write(reflected.Read(body)));
        }
    }

    [Fact]
    public void Constructor_WithTheMostParameters_IsCalled_AndNoneOfTwoWithAsMany()
    {
        var formatter = new CborFormatter<MostFirst>(ByReflection.Cbor);
        MostFirst same = formatter.Read(formatter.Write(new MostFirst("a", "b")));
        Assert.Equal(("a", "b"), (same.A, same.B));
        Assert.Throws<ArgumentException>(() => new CborFormatter<TwoOfTwo>(ByReflection.Cbor));
    }

    /// <summary>Of two parameters whose names differ in case only, one is exactly the name of a member: the other one takes what is left.</summary>
    [Fact]
    public void ParametersThatDifferInCase_TakeTheirMembers()
    {
        foreach ((string name, MessageFormatter<Cased> formatter) in AllFormats.Of<Cased>())
        {
            Cased same = formatter.Read(formatter.Write(new Cased(value: 1, VALUE: 2)));
            Assert.Equal((name, 1, 2), (name, same.Value, same.VALUE));
        }

        Assert.Equal(AllFormats.Count, AllFormats.Of<Cased>().Length);
    }

    /// <summary>A member has one value: a constructor that takes it twice is not one by which objects can be made. FMT102 says so of generated code.</summary>
    [Fact]
    public void TwoParametersForOneMember_AreRefused_ByReflection()
    {
        Func<object>[] creations =
        [
            static () => new BinaryBodyFormatter<TwoForOne>(ByReflection.Binary),
            static () => new VersionedFormatter<TwoForOne>(ByReflection.Versioned),
            static () => new MessagePackFormatter<TwoForOne>(),
            static () => new CborFormatter<TwoForOne>(),
            static () => new CompactFormatter<TwoForOne>(),
            static () => new CustomFormatter<TwoForOne, OwnFormat.Resp3>(),
            static () => new ProtobufFormatter<TwoForOne>(),
        ];
        foreach (Func<object> create in creations)
            Assert.StartsWith(nameof(TwoForOne), Assert.Throws<ArgumentException>(create).Message, StringComparison.Ordinal);
    }

    private static readonly BinaryBodyFormatter<GeneratedOrder> Orders = new(GeneratedOrder.MessageContract);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(16)]
    [InlineData(33)]
    [InlineData(200)]
    [InlineData(100_000)]
    public void Write_TextsOfAnyLength_GiveTheSameBytesIntoAnyBuffer(int charCount)
    {
        foreach (char c in "aé中")
        {
            var value = new Wide { A = new string(c, charCount), D = charCount % 2 == 0 ? null : new string(c, charCount), K = new string(c, charCount) };
            byte[] expected = new BinaryBodyFormatter<Wide>(ByReflection.Binary).Write(value);
            var formatter = new BinaryBodyFormatter<Wide>(Wide.MessageContract);
            Assert.Equal(expected, formatter.Write(value));
            var stingy = new StingyBufferWriter();
            formatter.Write(stingy, value);
            Assert.Equal(expected, stingy.ToArray());
            Assert.Equal(value.K, formatter.Read(Bytes.Segmented(expected, 5)).K);
        }
    }

    [Fact]
    public void Write_Again_AllocatesNothing()
    {
        GeneratedOrder order = GeneratedOrder.From(SampleOrders.Create(1, 50, SampleText.Mixed));
        var buffer = new ArrayBufferWriter<byte>(1 << 16);
        for (int i = 0; i < 3; i++)
            Write();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Write();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Write()
        {
            buffer.ResetWrittenCount();
            Orders.Write(buffer, order);
        }
    }

    [Fact]
    public void Read_IntoAnEqualOrder_AllocatesNothing()
    {
        byte[] body = new HandCodedFormatter<Order>().Write(SampleOrders.Create(1, 50));
        GeneratedOrder order = Orders.Read(body);
        GeneratedLineItem item = order.LineItems[7];
        GeneratedAddress address = order.ShippingAddress;
        string name = item.Name;
        for (int i = 0; i < 3; i++)
            Orders.Read(body, ref order);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Orders.Read(body, ref order);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Same(item, order.LineItems[7]);
        Assert.Same(address, order.ShippingAddress);
        Assert.Same(name, item.Name);
    }

    [Fact]
    public void Read_IntoAnOtherOrder_TakesOverItsObjects()
    {
        var handCoded = new HandCodedFormatter<Order>();
        byte[] longer = handCoded.Write(SampleOrders.Create(2, 60));
        byte[] shorter = handCoded.Write(SampleOrders.Create(3, 10));
        GeneratedOrder order = Orders.Read(handCoded.Write(SampleOrders.Create(1, 50)));
        List<GeneratedLineItem> items = order.LineItems;
        foreach (byte[] body in new[] { longer, shorter, longer })
        {
            Orders.Read(body, ref order);
            Assert.Same(items, order.LineItems);
            Assert.Equal(body, Orders.Write(order));
        }

        order.LineItems[3] = null!;
        order.BillingAddress = null!;
        Orders.Read(shorter, ref order);
        Assert.Equal(shorter, Orders.Write(order));

        var classic = new BinaryBodyFormatter<GeneratedClassicOrder>(GeneratedClassicOrder.MessageContract);
        GeneratedClassicOrder classicOrder = classic.Read(longer);
        ArrayList list = classicOrder.LineItems;
        list[0] = "of another type";
        classic.Read(longer, ref classicOrder);
        Assert.Same(list, classicOrder.LineItems);
        Assert.Equal(longer, classic.Write(classicOrder));
    }

    [Fact]
    public void Read_ObjectOfADerivedClass_IsReplaced()
    {
        var formatter = new BinaryBodyFormatter<Node>(Node.MessageContract);
        byte[] body = formatter.Write(new Node { Value = 1, Next = new Node { Value = 2 } });
        var node = new Node { Next = new SpecialNode() };
        formatter.Read(body, ref node);
        Assert.Equal(typeof(Node), node.Next!.GetType());
    }

    [Fact]
    public void Write_NullOrWrongElement_NamesTheMember()
    {
        var collections = new BinaryBodyFormatter<Collections>(Collections.MessageContract);
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.List[1]", () => collections.Write(new Collections { List = ["", null!] }));
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.Objects[0]", () => collections.Write(new Collections { Objects = [null!] }));
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.Objects[1].Name", () => collections.Write(new Collections { Objects = [new(), new() { Name = null! }] }));
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.Tuple.Item2", () => collections.Write(new Collections { Tuple = default }));
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.Interface", () => collections.Write(new Collections { Interface = null! }));
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.MapInterface", () => collections.Write(new Collections { MapInterface = null! }));
        AssertError(MessageFormatErrorCode.UnexpectedNull, "Collections.Places[0]", () => collections.Write(new Collections { Places = new ArrayList { null } }));
        AssertError(MessageFormatErrorCode.TypeNotAllowed, "Collections.Places[1]", () => collections.Write(new Collections { Places = new ArrayList { new Place(), "" } }));
        AssertError(MessageFormatErrorCode.TypeNotAllowed, "Collections.Numbers[0]", () => collections.Write(new Collections { Numbers = new ArrayList { 1L } }));
        AssertError(MessageFormatErrorCode.BadText, "Scalars.Char", () => new BinaryBodyFormatter<Scalars>(Scalars.MessageContract).Write(new Scalars { Char = '\uD800' }));
        FormatterLimits strict = FormatterLimits.Default with { RefuseInvalidText = true, MaxElementCount = 2 };
        AssertError(MessageFormatErrorCode.BadText, "Scalars.Text", () => new BinaryBodyFormatter<Scalars>(ByReflection.Binary with { Limits = strict }).Write(new Scalars { Text = "\uD800" }));
        AssertError(MessageFormatErrorCode.LimitExceeded, "Collections.Array", () => new BinaryBodyFormatter<Collections>(ByReflection.Binary with { Limits = strict }).Write(new Collections { Array = [1, 2, 3] }));
        Assert.Throws<ArgumentNullException>(() => Orders.Write((GeneratedOrder)null!));
        Assert.Throws<ArgumentNullException>(() => Orders.Write((IBufferWriter<byte>)null!, new GeneratedOrder()));
        Assert.Throws<ArgumentNullException>(() => new BinaryBodyFormatter<Node>((MessageContract<Node>)null!));
    }

    [Fact]
    public void Depth_IsBoundedOnBothWays()
    {
        var formatter = new BinaryBodyFormatter<Node>(Node.MessageContract);
        Node chain = new();
        for (int i = 1; i < 64; i++)
            chain = new Node { Value = i, Next = chain };
        byte[] body = formatter.Write(chain);
        Assert.Equal(body, formatter.Write(formatter.Read(body)));
        AssertError(MessageFormatErrorCode.DepthExceeded, null, () => formatter.Write(new Node { Next = chain }));
        var cycle = new Node();
        cycle.Children.Add(cycle);
        AssertError(MessageFormatErrorCode.DepthExceeded, null, () => formatter.Write(cycle));

        byte[] tower = new byte[5 * 1_000_000];
        for (int i = 0; i < tower.Length; i += 5)
            tower[i + 4] = 1;
        foreach (int maxDepth in new[] { 64, int.MaxValue })
        {
            FormatterLimits limits = FormatterLimits.Default with { MaxDepth = maxDepth };
            Exception? error = null;
            var thread = new Thread(() => error = Record.Exception(() => new BinaryBodyFormatter<Node>(Node.MessageContract, new BinaryBodyOptions { Limits = limits }).Read(tower)), 256 * 1024);
            thread.Start();
            thread.Join();
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.IsType<MessageFormatException>(error).Code);
        }

        byte[] deep = new byte[4 + 1 + 4];
        deep[5] = 1;
        MessageFormatException shallow = Assert.Throws<MessageFormatException>(
            () => new BinaryBodyFormatter<Node>(Node.MessageContract, new BinaryBodyOptions { Limits = FormatterLimits.Default with { MaxDepth = 1 } }).Read([.. deep, .. deep]));
        MessageFormatException expected = Assert.Throws<MessageFormatException>(
            () => new BinaryBodyFormatter<Node>(ByReflection.Binary with { Limits = FormatterLimits.Default with { MaxDepth = 1 } }).Read([.. deep, .. deep]));
        Assert.Equal((expected.Code, expected.ByteOffset, expected.MemberPath), (shallow.Code, shallow.ByteOffset, shallow.MemberPath));
    }

    [Fact]
    public void Read_NullsOfALargeStructure_AreBoundedInMemory()
    {
        const int Count = 500_000;
        byte[] body = [.. BitConverter.GetBytes(Count), .. new byte[Count]];
        var formatter = new BinaryBodyFormatter<Large?[]>(LargeContracts.Large);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        MessageFormatException expected = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<Large?[]>(ByReflection.Binary).Read(body));
        Assert.Equal((expected.Code, expected.ByteOffset, expected.Message), (e.Code, e.ByteOffset, e.Message));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
        Assert.Equal(3, formatter.Read([3, 0, 0, 0, 0, 0, 0]).Length);
    }

    [Fact]
    public void Tags_AreThoseOfTheBinaryWireFormat()
    {
        Assert.Equal((ContentTypes.Binary, BodyTypes.Binary), (Orders.ContentType, Orders.BodyType));
        Assert.Equal(29, GeneratedLineItem.MessageContract.Binary.MinByteCount);
        Assert.Equal(0, Empty.MessageContract.Binary.MinByteCount);
#if !FORMATTERS_NETSTANDARD
        Assert.Equal(new byte[8], BinaryBodyFormatter.Create<ReadOnlyPoint>().Write(new ReadOnlyPoint(0, 0)));
#endif
    }

    private static void AssertError(MessageFormatErrorCode code, string? path, Action act)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(act);
        Assert.Equal(code, e.Code);
        if (path is not null)
            Assert.Equal(path, e.MemberPath);
        Assert.False(e.IsPoison);
    }

    private sealed class SpecialNode : Node;
}

public struct Large
{
    public decimal A, B, C, D, E, F, G, H;
}

[MessageContractFor(typeof(Large?[]), Name = "Large", Formats = ContractFormats.Binary)]
internal static partial class LargeContracts;

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
public sealed partial class ByReference(in int id, in DateTime when, string name)
{
    [MessageMember(1)] public int Id { get; } = id;
    [MessageMember(2)] public DateTime When { get; } = when;
    [MessageMember(3)] public string Name { get; } = name;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Cased
{
    public Cased(int value, int VALUE)
    {
        Value = value;
        this.VALUE = VALUE;
    }

    [MessageMember(1)] public int VALUE { get; }
    [MessageMember(2)] public int Value { get; }
}

public sealed class MostFirst
{
    public MostFirst(string a, string b) => (A, B) = (a, b);

    public MostFirst(string a) => (A, B) = (a, "none");

    [MessageMember(1)] public string A { get; }
    [MessageMember(2)] public string B { get; }
}

public sealed class TwoOfTwo
{
    public TwoOfTwo(string a, int b) => (A, B) = (a, b);

    public TwoOfTwo(int b, string a) => (A, B) = (a, b);

    [MessageMember(1)] public string A { get; }
    [MessageMember(2)] public int B { get; }
}

public sealed class TwoForOne
{
    public TwoForOne(int value, int VALUE) => Value = value + VALUE;

    [MessageMember(1)] public int Value { get; }
}
