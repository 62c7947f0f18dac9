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
    public void ManyStructs_ByReflection_FitIntoASmallStack()
    {
        byte[] body = new BinaryBodyFormatter<ManyStructs>(ByReflection.Binary).Write(new ManyStructs { M1 = { A = new Guid(1, 2, 3, new byte[8]) } });
        ManyStructs? read = null;
        Exception? error = null;
        var thread = new Thread(
            () => error = Record.Exception(() => read = new BinaryBodyFormatter<ManyStructs>(ByReflection.Binary).Read(body)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(error);
        Assert.Equal(new Guid(1, 2, 3, new byte[8]), read!.M1.A);
    }

    public struct EightGuids
    {
        public Guid A, B, C, D, E, F, G, H;
    }

    public class ManyStructs
    {
        public EightGuids M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, M13, M14, M15, M16, M17, M18, M19, M20, M21, M22, M23, M24, M25,
            M26, M27, M28, M29, M30, M31, M32, M33, M34, M35, M36, M37, M38, M39, M40, M41, M42, M43, M44, M45, M46, M47, M48, M49, M50,
            M51, M52, M53, M54, M55, M56, M57, M58, M59, M60, M61, M62, M63, M64, M65, M66, M67, M68, M69, M70, M71, M72, M73, M74, M75,
            M76, M77, M78, M79, M80, M81, M82, M83, M84, M85, M86, M87, M88, M89, M90, M91, M92, M93, M94, M95, M96, M97, M98, M99, M100,
            M101, M102, M103, M104, M105, M106, M107, M108, M109, M110, M111, M112, M113, M114, M115, M116, M117, M118, M119, M120, M121, M122, M123, M124, M125,
            M126, M127, M128, M129, M130, M131, M132, M133, M134, M135, M136, M137, M138, M139, M140, M141, M142, M143, M144, M145, M146, M147, M148, M149, M150,
            M151, M152, M153, M154, M155, M156, M157, M158, M159, M160, M161, M162, M163, M164, M165, M166, M167, M168, M169, M170, M171, M172, M173, M174, M175,
            M176, M177, M178, M179, M180, M181, M182, M183, M184, M185, M186, M187, M188, M189, M190, M191, M192, M193, M194, M195, M196, M197, M198, M199, M200,
            M201, M202, M203, M204, M205, M206, M207, M208, M209, M210, M211, M212, M213, M214, M215, M216, M217, M218, M219, M220, M221, M222, M223, M224, M225,
            M226, M227, M228, M229, M230, M231, M232, M233, M234, M235, M236, M237, M238, M239, M240, M241, M242, M243, M244, M245, M246, M247, M248, M249, M250,
            M251, M252, M253, M254, M255, M256, M257, M258, M259, M260, M261, M262, M263, M264, M265, M266, M267, M268, M269, M270, M271, M272, M273, M274, M275,
            M276, M277, M278, M279, M280, M281, M282, M283, M284, M285, M286, M287, M288, M289, M290, M291, M292, M293, M294, M295, M296, M297, M298, M299, M300;
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
