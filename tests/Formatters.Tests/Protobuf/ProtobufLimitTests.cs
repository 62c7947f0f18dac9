using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using Formatters.Protobuf;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.Protobuf;

/// <summary>Bodies that ask for too much, in every size of segment, cut off and damaged.</summary>
public sealed class ProtobufLimitTests(ITestOutputHelper output)
{
    private static readonly ProtobufFormatter<Graph> Formatter = new();

    [Fact]
    public void Every_prefix_is_read_or_refused_and_says_what_is_missing()
    {
        byte[] body = Formatter.Write(Sample());
        int refused = 0;
        for (int i = 0; i < body.Length; i++)
        {
            try
            {
                Formatter.Read(body.AsSpan(0, i));
            }
            catch (MessageFormatException e)
            {
                Assert.InRange(e.ByteOffset, 0, i);
                Assert.NotEqual(MessageFormatErrorCode.TrailingBytes, e.Code);
                refused++;
            }
        }

        Assert.True(refused > body.Length / 2);
    }

    [Fact]
    public void Damaged_bodies_give_only_the_typed_error() =>
        Mutation.Run(output, 20261121, 5_000, Formatter.Write(Sample()), static body => Formatter.Read(body));

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void A_body_in_segments_is_read(int segmentByteCount)
    {
        byte[] body = Formatter.Write(Sample());
        Assert.Equal(body, Formatter.Write(Formatter.Read(Bytes.Segmented(body, segmentByteCount))));
    }

    [Fact]
    public void A_writer_of_small_spans_gets_the_same_bytes()
    {
        Graph graph = Sample();
        for (int i = 0; i < 40; i++)
            graph.People.Add(new PersonV2 { Name = new string('x', 30 * i), Boss = new PersonV2 { Name = new string('é', 20 * i), Boss = new PersonV2() } });
        var stingy = new StingyBufferWriter();
        Formatter.Write(stingy, graph);
        Assert.Equal(Convert.ToHexString(Formatter.Write(graph)), Convert.ToHexString(stingy.ToArray()));
    }

    [Theory]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(16_383)]
    [InlineData(16_384)]
    [InlineData(2_097_152)]
    public void Messages_of_every_width_of_length_and_back_to_one(int byteCount)
    {
        var formatter = new ProtobufFormatter<List<PersonV1>>();
        var people = new List<PersonV1> { new() { Name = new string('x', byteCount) }, new() { Name = "" }, new() { Name = new string('x', byteCount - 4) }, new() { Name = "a" } };
        byte[] body = formatter.Write(people);
        Assert.Equal(people.Select(static p => p.Name), formatter.Read(body).Select(static p => p.Name));
        Assert.Equal(body, formatter.Write(formatter.Read(body)));
        byte[] span = new byte[body.Length];
        var writer = new ProtobufBodyWriter(span);
        foreach (PersonV1 person in people)
        {
            writer.WriteTag(1, ProtobufWireType.LengthDelimited);
            long start = writer.BeginMessage();
            if (person.Name.Length > 0)
            {
                writer.WriteTag(3, ProtobufWireType.LengthDelimited);
                writer.WriteString(person.Name);
            }

            writer.EndMessage(start);
        }

        Assert.Equal(body, span);
    }

    [Fact]
    public void Depth_is_counted_on_every_path()
    {
        var limits = FormatterLimits.Default with { MaxDepth = 10 };
        var formatter = new ProtobufFormatter<Node>(new ProtobufOptions { Limits = limits });
        Node ok = Chain(10), tooDeep = Chain(11);
        byte[] body = formatter.Write(ok);
        Assert.NotNull(formatter.Read(body));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(tooDeep)).Code);
        byte[] deep = new ProtobufFormatter<Node>().Write(tooDeep);
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(deep)).Code);

        byte[] groups = [.. Enumerable.Repeat((byte)0x13, 9), .. Enumerable.Repeat((byte)0x14, 9)];
        Assert.NotNull(formatter.Read(groups));
        byte[] deepGroups = [.. Enumerable.Repeat((byte)0x13, 10), .. Enumerable.Repeat((byte)0x14, 10)];
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(deepGroups)).Code);
        byte[] endless = Enumerable.Repeat((byte)0x13, 1_000_000).ToArray();
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(endless)).Code);

        var cycle = new Node();
        cycle.Next = cycle;
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(cycle)).Code);
    }

    [Fact]
    public void Elements_are_counted_whatever_fields_they_come_in()
    {
        var limits = FormatterLimits.Default with { MaxElementCount = 3 };
        var formatter = new ProtobufFormatter<List<int>>(new ProtobufOptions { Limits = limits });
        Assert.Equal([1, 2, 3], formatter.Read(Bytes.Hex("0801 0A020203")));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("0801 0A03020304"))).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("0801 0801 0801 0801"))).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write([1, 2, 3, 4])).Code);
        var map = new ProtobufFormatter<Dictionary<int, int>>(new ProtobufOptions { Limits = limits });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => map.Read(Bytes.Hex("0A00 0A00 0A00 0A00"))).Code);
    }

    [Fact]
    public void Small_elements_that_are_large_in_memory_are_charged()
    {
        // Two bytes each in the body, a hundred and more in memory. The body is read twice, the second time for the member path.
        byte[] body = new byte[400_000];
        for (int i = 0; i < body.Length; i += 2)
            body[i] = 0x0A;
        var formatter = new ProtobufFormatter<List<PersonV2>>(new ProtobufOptions { Limits = FormatterLimits.Default with { MaxAllocationFactor = 4 } });
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2 * 16L * body.Length);
    }

    [Theory]
    [InlineData("2A FFFFFFFF07")]
    [InlineData("22 FFFFFF7F")]
    [InlineData("12 F8FFFFFF07 0000")]
    public void Lengths_beyond_the_body_allocate_nothing(string hex)
    {
        byte[] body = Bytes.Hex(hex);
        Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
    }

    [Theory]
    [InlineData("0A 0A FFFFFFFF07 FFFFFFFF07")]
    [InlineData("0A 04 8001 8001 12 00")]
    [InlineData("0A 02 00 05")]
    public void A_grid_whose_lengths_are_not_those_of_its_elements_is_refused(string hex)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<int[,]>().Read(Bytes.Hex("0A" + (hex.Replace(" ", "", StringComparison.Ordinal).Length / 2).ToString("X2") + hex)));
        Assert.NotEqual(MessageFormatErrorCode.None, error.Code);
    }

    [Fact]
    public void Writing_allocates_nothing()
    {
        Graph graph = Sample();
        graph.Set = [];
        graph.Grid = new int[0, 0];
        var buffer = new ArrayBufferWriter<byte>(4096);
        var formatter = new ProtobufFormatter<PersonV2>();
        for (int i = 0; i < 100; i++)
            Write();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
            Write();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Write()
        {
            buffer.Clear();
            formatter.Write(buffer, graph.Person);
        }
    }

    private static Node Chain(int depth) => new() { Next = depth > 1 ? Chain(depth - 1) : null };

    private static Graph Sample() => new()
    {
        Person = new PersonV2 { Id = 1, Name = "somebody else", Title = "é", Tags = ["a", "b"], Boss = new PersonV2 { Id = 9, Balance = int.MinValue } },
        People = [new PersonV2 { Id = -2 }, new PersonV2 { Id = 3, Rank = 0 }],
        Array = [new PersonV2 { Id = 4 }],
        Words = { ["x"] = "y", ["zz"] = "" },
        Bytes = [1, 2, 3],
        Set = [3, 300, 1],
        Point = new Point(1, 2),
        Grid = new[,] { { 1, 2, 3 }, { 4, 5, 6 } },
        Number = 0.5,
    };
}
