using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using Formatters.Buffers;
using Formatters.Contracts.Tests.Protobuf;
using Formatters.Custom;
using Formatters.Orders;
using Formatters.Tests.Support;
using Formatters.Generated;
using Formatters.MessagePack;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>What a generated MessagePack contract does beyond what DifferentialTests compares.</summary>
public class MessagePackContractTests
{
    private static readonly MessagePackOptions ByReflectionWithCents = MessagePackOptions.Default.WithCodec(new CentsCodec());

    public static TheoryData<bool> Both => [true, false];

    [Fact]
    public void Formatter_TakesTheGeneratedContract_UnlessTheOptionsAskForMore()
    {
        byte[] body = new MessagePackFormatter<Counted>().Write(new Counted());
        Assert.Equal("C3", Convert.ToHexString(body));
        AssertBytes("C3", new MessagePackFormatter<Counted>(MessagePackOptions.Default with { IsCanonical = true }).Write(new Counted()));
        AssertBytes("80", new MessagePackFormatter<Counted>(ByReflectionWithCents).Write(new Counted()));
        AssertBytes("90", new MessagePackFormatter<Counted>(MessagePackOptions.Default with { Form = MessagePackForm.Array }).Write(new Counted()));
    }

    [Fact]
    public void ArrayOfADerivedType_IsNotFilled()
    {
        var value = new Covariant { All = [new CovariantBase { Name = "a" }] };
        foreach (var formatter in new[] { new MessagePackFormatter<Covariant>(Covariant.MessageContract), new MessagePackFormatter<Covariant>(ByReflection.MessagePack) })
        {
            foreach (CovariantDerived[] all in new CovariantDerived[][] { [new()], [], [new(), new()] })
            {
                var read = new Covariant { All = all };
                formatter.Read(formatter.Write(value), ref read);
                Assert.Equal(typeof(CovariantBase[]), read.All.GetType());
                Assert.Equal("a", Assert.Single(read.All).Name);
            }
        }
    }

    [Fact]
    public void ArrayForm_HasNilInGaps()
    {
        var formatter = new MessagePackFormatter<Gapped>(Gapped.MessageContract);
        AssertBytes("94 05 C0 A161 C0", formatter.Write(new Gapped { Id = 5, Name = "a" }));
        Gapped read = formatter.Read(Bytes.Hex("95 06 93010203 A162 07 81C0C0"));
        Assert.Equal((6, "b", 7), (read.Id, read.Name, read.Last));
    }

    [Fact]
    public void MissingMembers_HaveTheValuesOfANewObject()
    {
        var formatter = new MessagePackFormatter<Gapped>(Gapped.MessageContract);
        Gapped existing = new() { Id = 1, Name = "old", Last = 9 };
        formatter.Read(Bytes.Hex("91 02"), ref existing);
        Assert.Equal((2, "new", null), (existing.Id, existing.Name, existing.Last));
        Made made = new MessagePackFormatter<Made>(Made.MessageContract).Read(Bytes.Hex("81 A44E616D65 A178"));
        Assert.Equal(("x", 7, 3), (made.Name, made.Count, made.Extra));
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void UnknownMembers_AreKept(bool isGenerated)
    {
        MessagePackFormatter<Keeping> array = isGenerated ? new(Keeping.MessageContract) : new(ByReflectionWithCents);
        byte[] body = Bytes.Hex("95 05 A178 07 C0 81A17AC3");
        Keeping kept = array.Read(body);
        Assert.Equal(3, kept.Unknown!.Count);
        Assert.True(kept.Unknown.Contains(2) && kept.Unknown.Contains(5) && !kept.Unknown.Contains(1));
        Assert.Equal(body, array.Write(kept));
        array.Read(Bytes.Hex("93 05 C0 07"), ref kept);
        Assert.Null(kept.Unknown);

        MessagePackFormatter<KeepingNamed> map = isGenerated ? new(KeepingNamed.MessageContract) : new(ByReflectionWithCents);
        body = Bytes.Hex("84 A14E 05 A17A 9101 07 C0 A141 02");
        KeepingNamed named = map.Read(body);
        Assert.Equal((5, 3), (named.N, named.Unknown!.Count));
        Assert.Equal(body, map.Write(named));
        MessagePackFormatter<KeepingNamed> canonical = isGenerated
            ? new(KeepingNamed.MessageContract, new MessagePackOptions { IsCanonical = true }) : new(ByReflectionWithCents with { IsCanonical = true });
        AssertBytes("84 07 C0 A141 02 A14E 05 A17A 9101", canonical.Write(named));
    }

    [Fact]
    public void UnknownMembers_OfAHugeCount_AreBounded()
    {
        var formatter = new MessagePackFormatter<Keeping>(Keeping.MessageContract, new MessagePackOptions { Limits = FormatterLimits.Default with { MaxAllocationFactor = 32 } });
        byte[] body = [0xDD, 0, 1, 0, 0, .. new byte[65536]];
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void UnknownCase_IsWrittenAsItWasRead(bool isGenerated)
    {
        MessagePackFormatter<OldDrawing> formatter = isGenerated ? new(OldDrawing.MessageContract) : new(ByReflectionWithCents);
        var drawing = new OldDrawing { First = new UnknownOldShape { Tag = 9, Body = Bytes.Hex("82 A161 01 A162 90"), BodyType = BodyTypes.MessagePack } };
        byte[] body = formatter.Write(drawing);
        OldDrawing read = formatter.Read(body);
        var unknown = Assert.IsType<UnknownOldShape>(read.First);
        Assert.Equal((9, "82A16101A16290"), (unknown.Tag, Convert.ToHexString(unknown.Body.ToArray())));
        Assert.Equal(body, formatter.Write(read));
        unknown.Body = new byte[] { 0x92, 0x01 };
        Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => formatter.Write(read)).Code);
    }

    [Theory]
    [MemberData(nameof(Both))]
    public void CodecOfAnExtension_IsNamedByTheMemberOrTheType(bool isGenerated)
    {
        MessagePackFormatter<Priced> formatter = isGenerated ? new(Priced.MessageContract) : new(ByReflection.MessagePack);
        var value = new Priced { Price = 1.25m, Prices = [new Cents(3), null] };
        byte[] body = formatter.Write(value);
        AssertBytes("93 D705000000000000007D C0 92 D60600000003 C0", body);
        Priced read = formatter.Read(body);
        Assert.Equal((1.25m, null, new Cents(3)), (read.Price, read.Maybe, read.Prices[0]));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("91 C0")));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, 1L, "Priced.Price"), (e.Code, e.ByteOffset, e.MemberPath));
    }

    [Fact]
    public void Steady_AllocatesNothing()
    {
        foreach (SampleText text in Enum.GetValues<SampleText>())
        {
            var formatter = new MessagePackFormatter<GeneratedOrder>(GeneratedOrder.MessageContract);
            GeneratedOrder order = GeneratedOrder.From(SampleOrders.Create(1, 50, text));
            byte[] body = formatter.Write(order);
            using var buffer = new PooledBufferWriter(2 * body.Length);
            GeneratedOrder target = formatter.Read(body);
            GeneratedLineItem item = target.LineItems[7];
            Run();
            long before = GC.GetAllocatedBytesForCurrentThread();
            Run();
            Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Equal(body, buffer.WrittenSpan.ToArray());
            Assert.Same(item, target.LineItems[7]);

            void Run()
            {
                buffer.Clear();
                formatter.Write(buffer, order);
                // What is no ASCII cannot be compared with a string before it is one.
                if (text == SampleText.Ascii)
                    formatter.Read(body, ref target);
            }
        }
    }

    [Fact]
    public void ReadOnlyMember_IsWrittenAndPassedOver()
    {
        var formatter = new MessagePackFormatter<Computed>(Computed.MessageContract);
        AssertBytes("92 04 08", formatter.Write(new Computed { Id = 4 }));
        Assert.Equal(5, formatter.Read(Bytes.Hex("92 05 A178")).Id);
    }

    [Theory]
    [InlineData("application/x-msgpack", 0)]
    [InlineData("application/msgpack", 0)]
    [InlineData("application/vnd.msgpack", 0)]
    [InlineData(null, BodyTypes.MessagePack)]
    public void Registry_FindsTheFormatter_ByContentTypeOrBodyType(string? contentType, int bodyType)
    {
        var formatter = new MessagePackFormatter<Gapped>(Gapped.MessageContract);
        var registry = new FormatterRegistry(new BinaryBodyFormatter<Scalars>(Scalars.MessageContract), formatter);
        var body = new MessageBody(formatter.Write(new Gapped { Id = 5 }), bodyType, contentType);
        Assert.Same(formatter, registry.Find(body));
        Assert.Equal(5, registry.Read<Gapped>(body).Id);
    }

    private static void AssertBytes(string expectedHex, byte[] body) => Assert.Equal(Convert.ToHexString(Bytes.Hex(expectedHex)), Convert.ToHexString(body));

    /// <summary>Its contract writes something that no contract would, so that one sees who writes.</summary>
    private sealed class Counted
    {
        public static MessageContract<Counted> MessageContract => ContractParts.MessageContract<Counted, CountedParts>();
    }

    private readonly struct CountedParts : IContractParts
    {
        public object? Find(ContractFormats format) => format == ContractFormats.MessagePack ? ContractParts.MessagePackPart<Counted, CountedTraversal>() : null;
    }

    private readonly struct CountedTraversal : ITraversal<Counted>
    {
        public ref byte Write<TFormat, TMode>(ref WireWriter writer, ref byte position, Counted value)
            where TFormat : struct, IWireFormat
            where TMode : struct, IMode => ref WireCode.Write<TFormat>(ref writer, ref ContractCode.Reserve(ref writer, ref position, 1), true);

        public Counted Read<TFormat, TMode>(ref WireReader reader, Counted? existing)
            where TFormat : struct, IWireFormat
            where TMode : struct, IMode => WireCode.ReadBoolean<TFormat>(ref reader) ? new Counted() : new Counted();
    }
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class Gapped
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(3)] public string Name { get; set; } = "new";
    [MessageMember(4)] public int? Last { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial record Made(string Name, int Count = 7)
{
    public int Extra { get; init; } = 3;
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class Keeping
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(3)] public int Third { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class KeepingNamed
{
    public int N { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class Computed
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public int Twice => 2 * Id;
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class Priced
{
    [MemberCodec(typeof(PriceCodec)), MessageMember(1)] public decimal Price { get; set; }
    [MemberCodec(typeof(PriceCodec)), MessageMember(2)] public decimal? Maybe { get; set; }
    [MessageMember(3)] public List<Cents?> Prices { get; set; } = [];
}

[MemberCodec(typeof(CentsCodec))]
public readonly record struct Cents(int Value);

/// <summary>A decimal as an extension of the type 5: hundredths, 8 bytes, big endian.</summary>
public sealed class PriceCodec : MessagePackCodec<decimal>
{
    public override void Write(ref MessagePackBodyWriter writer, decimal value)
    {
        Span<byte> content = stackalloc byte[8];
        BinaryPrimitives.WriteInt64BigEndian(content, (long)(value * 100));
        writer.WriteExtension(5, content);
    }

    public override decimal Read(ref MessagePackBodyReader reader, decimal existing = 0)
    {
        ReadOnlySpan<byte> content = reader.ReadExtension(out sbyte type);
        return type == 5 && content.Length == 8 ? BinaryPrimitives.ReadInt64BigEndian(content) / 100m : throw new FormatException("No price.");
    }
}

/// <summary>An extension of the type 6: 4 bytes, big endian.</summary>
public sealed class CentsCodec : MessagePackCodec<Cents>
{
    public override void Write(ref MessagePackBodyWriter writer, Cents value)
    {
        Span<byte> content = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(content, value.Value);
        writer.WriteExtension(6, content);
    }

    public override Cents Read(ref MessagePackBodyReader reader, Cents existing = default)
    {
        ReadOnlySpan<byte> content = reader.ReadExtension(out sbyte type);
        return type == 6 && content.Length == 4 ? new Cents(BinaryPrimitives.ReadInt32BigEndian(content)) : throw new FormatException("No cents.");
    }
}
