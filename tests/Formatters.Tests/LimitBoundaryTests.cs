using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using Formatters.Buffers;
using Formatters.LegacyBinary;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests;

/// <summary>Limits say the most that is allowed: exactly that passes, in every format and by every way of writing and reading, and one more does not.</summary>
public sealed class LimitBoundaryTests
{
    public static TheoryData<string> Formats => ["binary", "versioned", "MessagePack", "CBOR", "protobuf", "XML", "legacy binary"
#if !FORMATTERS_NETSTANDARD
        , "JSON", "canonical JSON"
#endif
    ];

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_body_of_the_largest_size_is_written_and_read(string format)
    {
        LimitNode node = LimitNode.OfDepth(3);
        byte[] body = Create(format, FormatterLimits.Default).Write(node);
        MessageFormatter<LimitNode> exact = Create(format, FormatterLimits.Default with { MaxBodyByteCount = body.Length });
        MessageFormatter<LimitNode> less = Create(format, FormatterLimits.Default with { MaxBodyByteCount = body.Length - 1 });

        // Twice: some keep what they have written with.
        for (int i = 0; i < 2; i++)
        {
            foreach (Func<MessageFormatter<LimitNode>, byte[]> write in Writes(node))
            {
                Assert.Equal(body, write(exact));
                Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => write(less)).Code);
            }
        }

        foreach (Func<MessageFormatter<LimitNode>, LimitNode> read in Reads(body))
        {
            Assert.Equal(3, read(exact).Depth);
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => read(less)).Code);
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void The_greatest_depth_is_written_and_read(string format)
    {
        // JSON, MessagePack and CBOR count arrays as well, XML elements.
        int least = 1;
        while (!Passes(() => Create(format, FormatterLimits.Default with { MaxDepth = least }).Write(LimitNode.OfDepth(1))))
            least++;
        Assert.InRange(least, 1, 3);
        for (int depth = 1; depth <= 50; depth++)
        {
            byte[] body = Create(format, FormatterLimits.Default with { MaxDepth = 1000 }).Write(LimitNode.OfDepth(depth));
            MessageFormatter<LimitNode> exact = Create(format, FormatterLimits.Default with { MaxDepth = least + depth - 1 });
            Assert.Equal(body, exact.Write(LimitNode.OfDepth(depth)));
            Assert.Equal(depth, exact.Read(body).Depth);
            // Objects of legacy binary lie one behind the other: references are no depth.
            if (least + depth == 2 || format == "legacy binary")
                continue;
            MessageFormatter<LimitNode> less = Create(format, FormatterLimits.Default with { MaxDepth = least + depth - 2 });
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => less.Write(LimitNode.OfDepth(depth))).Code);
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => less.Read(body)).Code);
        }
    }

    [Theory]
    [InlineData("binary")]
    [InlineData("versioned")]
    [InlineData("MessagePack")]
    [InlineData("CBOR")]
    [InlineData("protobuf")]
    public void As_many_elements_as_are_allowed_are_written_and_read(string format)
    {
        LimitNode node = LimitNode.OfDepth(1);
        node.Numbers.AddRange([1, 2, 3, 4, 5, 6, 7]);
        byte[] body = Create(format, FormatterLimits.Default).Write(node);
        MessageFormatter<LimitNode> exact = Create(format, FormatterLimits.Default with { MaxElementCount = 8 });
        MessageFormatter<LimitNode> less = Create(format, FormatterLimits.Default with { MaxElementCount = 7 });

        Assert.Equal(8, node.Numbers.Count);
        Assert.Equal(body, exact.Write(node));
        Assert.Equal(node.Numbers, exact.Read(body).Numbers);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => less.Write(node)).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => less.Read(body)).Code);
    }

    /// <summary>A canonical body has its entries in an order of their bytes: each is written aside first, at the depth that it will have.</summary>
    [Theory]
    [InlineData("MessagePack")]
    [InlineData("CBOR")]
    [InlineData("protobuf")]
    public void The_greatest_depth_counts_in_what_is_sorted(string format)
    {
        for (int depth = 2; depth < 20; depth++)
        {
            var table = new LimitTable { Nodes = { [1] = LimitNode.OfDepth(depth) } };
            int least = 1;
            while (!Passes(() => CreateCanonical(format, least).Write(table)))
                least++;
            Assert.InRange(least, depth + 1, depth + 4);
            byte[] body = CreateCanonical(format, least).Write(table);
            Assert.Equal(depth, Assert.Single(CreateCanonical(format, least).Read(body).Nodes).Value.Depth);
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => CreateCanonical(format, least - 1).Read(body)).Code);
        }
    }

    [Fact]
    public void Every_limit_is_at_least_1()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxBodyByteCount = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxDepth = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxElementCount = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => FormatterLimits.Default with { MaxAllocationFactor = 0 });
        FormatterLimits least = new() { MaxBodyByteCount = 1, MaxDepth = 1, MaxElementCount = 1, MaxAllocationFactor = 1 };
        Assert.Equal((1, 1, 1, 1), (least.MaxBodyByteCount, least.MaxDepth, least.MaxElementCount, least.MaxAllocationFactor));
    }

    private static bool Passes(Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (MessageFormatException e) when (e.Code == MessageFormatErrorCode.DepthExceeded)
        {
            return false;
        }
    }

    private static IEnumerable<Func<MessageFormatter<LimitNode>, byte[]>> Writes(LimitNode node)
    {
        yield return formatter => formatter.Write(node);
        yield return formatter =>
        {
            var stream = new MemoryStream();
            formatter.Write(stream, node);
            return stream.ToArray();
        };
        yield return formatter =>
        {
            var output = new StingyBufferWriter();
            formatter.Write(output, node);
            return output.ToArray();
        };
        yield return formatter =>
        {
            using var output = new PooledBufferWriter(0);
            formatter.Write(output, node);
            return output.WrittenSpan.ToArray();
        };
        yield return formatter =>
        {
            var message = new MessageBody();
            ((IMessageFormatter)formatter).Write(message, node);
            return message.ToArray();
        };
    }

    private static IEnumerable<Func<MessageFormatter<LimitNode>, LimitNode>> Reads(byte[] body)
    {
        yield return formatter => formatter.Read(body);
        yield return formatter => formatter.Read(new ReadOnlySequence<byte>(body));
        yield return formatter => formatter.Read(Bytes.Segmented(body, 5));
        yield return formatter => formatter.Read(new MemoryStream(body));
        yield return formatter => formatter.Read(new MessageBody(body, formatter.BodyType, formatter.ContentType));
        yield return formatter =>
        {
            LimitNode existing = LimitNode.OfDepth(2);
            formatter.Read(body, ref existing);
            return existing;
        };
    }

    private static MessageFormatter<LimitTable> CreateCanonical(string format, int maxDepth)
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxDepth = maxDepth };
        return format == "protobuf" ? new ProtobufFormatter<LimitTable>(ProtobufOptions.Default with { IsCanonical = true, Limits = limits })
            : format == "CBOR" ? new CborFormatter<LimitTable>(new CborOptions { Limits = limits })
            : new MessagePackFormatter<LimitTable>(MessagePackOptions.Default with { IsCanonical = true, Limits = limits });
    }

    private static MessageFormatter<LimitNode> Create(string format, FormatterLimits limits) => format switch
    {
        "binary" => new BinaryBodyFormatter<LimitNode>(new BinaryBodyOptions { Limits = limits }),
        "versioned" => new VersionedFormatter<LimitNode>(new VersionedOptions { Limits = limits }),
        "MessagePack" => new MessagePackFormatter<LimitNode>(new MessagePackOptions { Limits = limits }),
        "CBOR" => new CborFormatter<LimitNode>(new CborOptions { Limits = limits }),
        "protobuf" => new ProtobufFormatter<LimitNode>(new ProtobufOptions { Limits = limits }),
        "XML" => new XmlFormatter<LimitNode>(new XmlOptions { Limits = limits }),
        "legacy binary" => new LegacyBinaryFormatter<LimitNode>(new LegacyBinaryOptions { Limits = limits }),
#if !FORMATTERS_NETSTANDARD
        "JSON" => new JsonFormatter<LimitNode>(new JsonOptions { Limits = limits }),
        "canonical JSON" => new JsonFormatter<LimitNode>(new JsonOptions { Limits = limits, IsCanonical = true }),
#endif
        _ => throw new ArgumentOutOfRangeException(nameof(format)),
    };
}

/// <summary>A record in a record; the innermost has numbers.</summary>
[Serializable]
public sealed class LimitNode
{
    [MessageMember(1)]
    public int Number { get; set; }

    [MessageMember(2)]
    public List<int> Numbers { get; set; } = [];

    [MessageMember(3)]
    public LimitNode? Next { get; set; }

    internal int Depth => 1 + (Next?.Depth ?? 0);

    internal static LimitNode OfDepth(int depth) => depth == 1
        ? new LimitNode { Number = 1, Numbers = [100_000] }
        : new LimitNode { Number = depth, Next = OfDepth(depth - 1) };
}

/// <summary>Records in a dictionary.</summary>
public sealed class LimitTable
{
    [MessageMember(1)]
    public Dictionary<int, LimitNode> Nodes { get; set; } = [];
}
