using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Protobuf;
using Formatters.Tests.Support;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>A message field that occurs several times is one message in parts (https://protobuf.dev/programming-guides/encoding/#last-one-wins).</summary>
public class ProtobufPartsTests
{
    private static readonly ProtobufFormatter<InParts> Generated = new(InParts.MessageContract);
    private static readonly ProtobufFormatter<InParts> Reflection = new(options: ByReflection.Protobuf);
    private static readonly FormatterPair<InParts> Pair = new(Generated, Reflection) { RefusesPrefixes = false };

    [Fact]
    public void Message_InAnyParts_IsTheSameMessage()
    {
        int seed = TestScale.Seed(20261126);
        for (int i = 0; i < TestScale.Values(2_000); i++)
        {
            var random = new Random(seed + i);
            InParts value = Create(random, 4);
            byte[] whole = Generated.Write(value);
            byte[] parts = Split(whole, random);
            string name = $"seed {seed + i}: {Convert.ToHexString(parts)}";
            foreach (ProtobufFormatter<InParts> formatter in new[] { Generated, Reflection })
            {
                Assert.True(whole.AsSpan().SequenceEqual(formatter.Write(formatter.Read(parts))), name);
                InParts over = Create(random, 3);
                formatter.Read(parts, ref over);
                Assert.True(whole.AsSpan().SequenceEqual(formatter.Write(over)), name);
            }

            if (i % 10 == 0)
                Pair.CheckMutants(parts, random, 20);
        }
    }

    [Fact]
    public void ErrorInALaterPart_HasItsOffsetAndPath()
    {
        // Inner { Inner { Number = 1 } }, twice; then a string that is not UTF-8.
        byte[] body = [0x1A, 4, 0x1A, 2, 0x08, 1, 0x1A, 4, 0x1A, 2, 0x08, 1, 0x1A, 5, 0x1A, 3, 0x12, 1, 0xFF];
        foreach (ProtobufFormatter<InParts> formatter in new[] { Generated, Reflection })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.BadText, 18L, "InParts.Inner.Inner.Text"), (e.Code, e.ByteOffset, e.MemberPath));
        }

        foreach (int length in Enumerable.Range(0, body.Length))
            Pair.CheckBody(body[..length]);
    }

    [Fact]
    public void AnotherCase_DiscardsTheDeferredPartsOfTheFirst()
    {
        // Cat "a", cat "b", fish 7, cat without a name: a new cat. Of a oneof, and of a union.
        byte[] catA = [0x0A, 1, (byte)'a'], catB = [0x0A, 1, (byte)'b'], fish = [0x08, 7], none = [];
        byte[] oneof = [.. Field(0x52, catA), .. Field(0x52, catB), .. Field(0x5A, fish), .. Field(0x52, none)];
        byte[] fishLast = [.. Field(0x52, catA), .. Field(0x52, catB), .. Field(0x5A, fish)];
        byte[] union = Field(0x4A, [.. Field(0x0A, catA), .. Field(0x0A, catB), .. Field(0xFA07, fish), .. Field(0x0A, none)]);
        byte[] unionFishLast = Field(0x4A, [.. Field(0x0A, catA), .. Field(0x0A, catB), .. Field(0xFA07, fish)]);
        foreach (ProtobufFormatter<InParts> formatter in new[] { Generated, Reflection })
        {
            Assert.Equal("", Assert.IsType<Cat>(formatter.Read(oneof).Oneof).Name);
            Assert.Equal(7, Assert.IsType<Fish>(formatter.Read(fishLast).Oneof).Length);
            Assert.Equal("", Assert.IsType<Cat>(formatter.Read(union).Union).Name);
            Assert.Equal(7, Assert.IsType<Fish>(formatter.Read(unionFishLast).Union).Length);
            Assert.Equal("b", Assert.IsType<Cat>(formatter.Read([.. Field(0x52, catA), .. Field(0x52, catB)]).Oneof).Name);
        }
    }

    [Fact]
    public void MemoryOfParts_IsProportionalToTheBody()
    {
        const int Count = 20_000;
        byte[] body = [.. Enumerable.Range(0, Count).SelectMany(i => Generated.Write(new InParts { Inner = new InParts { Names = ["n"], Numbers = [i] } }))];
        foreach (ProtobufFormatter<InParts> formatter in new[] { Generated, Reflection })
        {
            InParts read = formatter.Read(body);
            long before = GC.GetAllocatedBytesForCurrentThread();
            formatter.Read(body);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, (64 * 1024) + (64L * body.Length));
            Assert.Equal((Count, Count), (read.Inner!.Names.Length, read.Inner.Numbers.Count));
        }
    }

    [Fact]
    public void CodecOfTheApplication_ReadsEachPartByItself()
    {
        var formatter = new ProtobufFormatter<HasFormattedField>(ProtobufOptions.Default.WithCodec(new CountingCodec()));
        HasFormattedField read = formatter.Read([0x0A, 2, 0x08, 1, 0x0A, 2, 0x08, 2, 0x0A, 0]);
        Assert.Equal(3, read.Count.Value);
    }

    private static byte[] Field(int tag, byte[] body) => tag > 0xFF ? [(byte)(tag >> 8), (byte)tag, (byte)body.Length, .. body] : [(byte)tag, (byte)body.Length, .. body];

    private static InParts Create(Random random, int levelCount) => new()
    {
        Number = random.Next(3),
        Text = new string('t', random.Next(3)),
        Inner = levelCount > 0 && random.Next(4) > 0 ? Create(random, levelCount - 1) : null,
        Place = new PlaceInParts { X = random.Next(3), Inner = levelCount > 0 && random.Next(2) > 0 ? Create(random, levelCount - 2) : null },
        Record = levelCount > 0 && random.Next(2) > 0 ? new RecordInParts(random.Next(3), Create(random, levelCount - 2), [1, 2, random.Next(3)]) : null,
        Numbers = [.. Enumerable.Range(0, random.Next(4))],
        Names = [.. Enumerable.Range(0, random.Next(4)).Select(static i => "n" + i)],
        ByName = levelCount > 0 ? Enumerable.Range(0, random.Next(3)).ToDictionary(static i => "k" + i, i => Create(random, levelCount - 2)) : [],
        Union = random.Next(3) switch { 0 => null, 1 => new Cat { Name = "u", Prey = new Cat { Name = "p" } }, _ => new Fish { Length = 3 } },
        Oneof = random.Next(3) switch { 0 => null, 1 => new Cat { Name = "o", Prey = new Fish() }, _ => new Fish { Length = 5 } },
        Others = levelCount > 0 ? [.. Enumerable.Range(0, random.Next(3)).Select(_ => Create(random, levelCount - 2))] : [],
    };

    /// <summary>Cuts each message field into parts, at random and at every level, and puts other fields between them.</summary>
    private static byte[] Split(byte[] message, Random random, bool isEntry = false)
    {
        var fields = new List<(int Order, byte[] Bytes)>();
        int order = 0;
        for (int i = 0; i < message.Length; order += 100)
        {
            int start = i, wireType = message[i] & 7;
            int number = ReadVarint(message, ref i) >> 3;
            if (wireType == 0)
            {
                ReadVarint(message, ref i);
                fields.Add((order, message[start..i]));
                continue;
            }

            int length = ReadVarint(message, ref i);
            byte[] tag = message[start..(start + (number < 16 ? 1 : 2))], body = message[i..(i + length)];
            i += length;
            bool isRepeated = !isEntry && number is 8 or 12;
            if (isEntry ? number != 2 : number is not (3 or 4 or 5 or 8 or 12))
            {
                fields.Add((order, message[start..i]));
                continue;
            }

            byte[] split = Split(body, random, isEntry: !isEntry && number == 8);
            List<byte[]> pieces = isRepeated ? [split] : Cut(split, random);
            // Anywhere behind the first, in order.
            int next = order;
            foreach (byte[] piece in pieces)
            {
                fields.Add((next, [.. tag, .. Varint(piece.Length), .. piece]));
                next = Math.Min(next + random.Next(300), next + 300);
            }
        }

        return [.. fields.OrderBy(static field => field.Order).SelectMany(static field => field.Bytes)];
    }

    /// <summary>Cuts a message between its fields; some parts are without any.</summary>
    private static List<byte[]> Cut(byte[] message, Random random)
    {
        var pieces = new List<byte[]>();
        int start = 0;
        for (int i = 0; i < message.Length;)
        {
            int wireType = message[i] & 7;
            ReadVarint(message, ref i);
            int value = ReadVarint(message, ref i);
            if (wireType == 2)
                i += value;
            if (random.Next(2) == 0)
            {
                pieces.Add(message[start..i]);
                start = i;
            }

            if (random.Next(6) == 0)
                pieces.Add([]);
        }

        pieces.Add(message[start..]);
        return pieces;
    }

    private static int ReadVarint(byte[] bytes, ref int index)
    {
        int value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte b = bytes[index++];
            value |= (b & 0x7F) << shift;
            if (b < 0x80)
                return value;
        }
    }

    private static byte[] Varint(int value) => value < 0x80 ? [(byte)value] : [(byte)(value | 0x80), .. Varint(value >> 7)];

    public readonly record struct Counted(int Value);

    public sealed class HasFormattedField
    {
        [MessageMember(1)]
        public Counted Count { get; set; }
    }

    private sealed class CountingCodec : ProtobufCodec<Counted>
    {
        public override void Write(ref ProtobufBodyWriter writer, Counted value)
        {
            writer.WriteTag(1, ProtobufWireType.Varint);
            writer.WriteInt32(value.Value);
        }

        // It does not ask for a tag at the end, which a codec need not do.
        public override Counted Read(ref ProtobufBodyReader reader, Counted existing = default, bool merges = false)
        {
            int sum = merges ? existing.Value : 0;
            while (reader.BytesRemaining > 0)
            {
                reader.TryReadTag(out _, out _);
                sum += reader.ReadInt32();
            }

            return new Counted(sum);
        }
    }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class InParts
{
    [MessageMember(1)]
    public int Number { get; set; }

    [MessageMember(2)]
    public string Text { get; set; } = "";

    [MessageMember(3)]
    public InParts? Inner { get; set; }

    [MessageMember(4)]
    public PlaceInParts Place { get; set; }

    [MessageMember(5)]
    public RecordInParts? Record { get; set; }

    [MessageMember(6)]
    public List<int> Numbers { get; set; } = [];

    [MessageMember(7)]
    public string[] Names { get; set; } = [];

    [MessageMember(8)]
    public Dictionary<string, InParts> ByName { get; set; } = [];

    [MessageMember(9)]
    public IPet? Union { get; set; }

    [MessageOneof(10, typeof(Cat)), MessageOneof(11, typeof(Fish))]
    public IPet? Oneof { get; set; }

    [MessageMember(12)]
    public List<InParts> Others { get; set; } = [];

    public UnknownMembers? Unknown { get; set; }
}

public struct PlaceInParts
{
    [MessageMember(1)]
    public int X { get; set; }

    [MessageMember(3)]
    public InParts? Inner { get; set; }
}

public sealed record RecordInParts([property: MessageMember(1)] int Id, [property: MessageMember(3)] InParts? Inner, [property: MessageMember(6)] int[] Numbers);
