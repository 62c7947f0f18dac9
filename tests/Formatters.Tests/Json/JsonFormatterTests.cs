#if !FORMATTERS_NETSTANDARD
using Formatters.Buffers;

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.Json;

public partial class JsonFormatterTests(ITestOutputHelper output)
{
    private static readonly JsonFormatter<OrderWithList> Orders = new();
    private static readonly JsonFormatter<Node> Generated = new(NodeContext.Default.Node);

    private static readonly JsonFormatter<Open> Opened = new(JsonOptions.Default with { AllowedLosses = [typeof(object)] });

    private static readonly JsonSerializerOptions Deep = new() { MaxDepth = 1000 };

    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,
        IndentSize = 3,
        NewLine = "\r\n",
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
    };

    public sealed class Node
    {
        public string Name { get; set; } = "";

        public int Number { get; set; }

        public Node? Next { get; set; }

        public List<Node>? Items { get; set; }

        public Dictionary<string, int>? Map { get; set; }
    }

    public sealed class Picky
    {
        public int Percent
        {
            get;
            set => field = value is >= 0 and <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value));
        }
    }

    [JsonSerializable(typeof(Node))]
    internal sealed partial class NodeContext : JsonSerializerContext;

    [System.Text.Json.Serialization.JsonDerivedType(typeof(Derived), "derived")]
    public class Base;

    public sealed class Derived : Base
    {
        public Dictionary<long, string> Map { get; set; } = [];
    }

    /// <summary>A sender cannot cause collisions, also where only a derived type has a dictionary.</summary>
    [Fact]
    public void Read_DictionaryOfADerivedType_HasAHashWithARandomKey()
    {
        // A short body has too few keys to collide, and is read without.
        byte[] body = Encoding.UTF8.GetBytes("""{"$type":"derived",""" + new string(' ', 16 * 1024) + """ "Map":{"5":"five"}}""");
        var derived = (Derived)new JsonFormatter<Base>().Read(body);
        Assert.Equal("five", derived.Map[5]);
        Assert.NotEqual(5L.GetHashCode(), derived.Map.Comparer.GetHashCode(5));
    }

    [Theory]
    [InlineData(0, SampleText.Ascii)]
    [InlineData(50, SampleText.Cjk)]
    public void RoundTrip_Order_KeepsItsContent(int lineItemCount, SampleText text)
    {
        OrderWithList order = SampleOrders.CreateWithList(1, lineItemCount, text);
        byte[] body = Orders.Write(order);
        Assert.True(order.ContentEquals(Orders.Read(body)));
        Assert.True(order.ContentEquals(Orders.Read(Bytes.Segmented(body, 100))));
        var stingy = new StingyBufferWriter();
        Orders.Write(stingy, order);
        Assert.Equal(body, stingy.ToArray());
    }

    [Fact]
    public void Write_IsWhatSystemTextJsonWrites()
    {
        var node = new Node { Name = "a\u00FC<", Number = 1, Next = new Node(), Map = new() { ["k"] = 1 } };
        Assert.Equal(JsonSerializer.SerializeToUtf8Bytes(node, NodeContext.Default.Node), Generated.Write(node));
        Assert.Equal(JsonSerializer.SerializeToUtf8Bytes(node, Indented), new JsonFormatter<Node>(new JsonOptions { SerializerOptions = Indented }).Write(node));
        Assert.Equal("{\"Name\":\"\",\"Number\":5,\"Next\":null,\"Items\":null,\"Map\":null}", Encoding.UTF8.GetString(Generated.Write(new Node { Number = 5 })));
    }

    [Fact]
    public void Write_InTheSteadyState_AllocatesNothing()
    {
        var node = new Node { Name = "name", Next = new Node(), Items = [new Node(), new Node()] };
        using var buffer = new PooledBufferWriter(4096);
        for (int i = 0; i < 10; i++)
        {
            buffer.Clear();
            Generated.Write(buffer, node);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            buffer.Clear();
            Generated.Write(buffer, node);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Write_AfterAFailedWrite_IsWhole()
    {
        byte[] good = Generated.Write(new Node());
        Assert.Throws<InvalidOperationException>(() => Generated.Write(new FullBufferWriter(), new Node()));
        Assert.Equal(good, Generated.Write(new Node()));
    }

    [Theory]
    [InlineData("", MessageFormatErrorCode.Truncated, 0, "Node")]
    [InlineData("{", MessageFormatErrorCode.Truncated, 1, "Node")]
    [InlineData("{\"Name\":\"x\"} {}", MessageFormatErrorCode.TrailingBytes, 13, "Node")]
    [InlineData("{\"Name\":\"x\"}\u0000", MessageFormatErrorCode.TrailingBytes, 12, "Node")]
    [InlineData("{\n\"Next\":\r\n{\"Number\":x}}", MessageFormatErrorCode.Malformed, 21, "Node.Next.Number")]
    [InlineData("{\"Items\":[{},{\"Number\":\"\u00FC\"}]}", MessageFormatErrorCode.BadValue, 27, "Node.Items[1].Number")]
    [InlineData("{\"Name\":\"x\",\"Name\":\"y\"}", MessageFormatErrorCode.BadValue, 22, "Node.Name")]
    [InlineData("{\"Name\":null}", MessageFormatErrorCode.BadValue, 12, "Node.Name")]
    [InlineData("{\"Name\":\"a\\ud800\"}", MessageFormatErrorCode.BadText, 8, "Node.Name")]
    [InlineData("{\"Items\":[{},{\"Name\":\"\\udc00x\"}]}", MessageFormatErrorCode.BadText, 21, "Node.Items[1].Name")]
    [InlineData("{\"Map\":{\"a secret.key\":true}}", MessageFormatErrorCode.BadValue, 27, "Node.Map[key]")]
    [InlineData("null", MessageFormatErrorCode.UnexpectedNull, 0, null)]
    [InlineData("\uFEFF{}", MessageFormatErrorCode.Malformed, 0, "Node")]
    [InlineData("[]", MessageFormatErrorCode.BadValue, 1, "Node")]
    public void Read_BadBody_SaysWhatAndWhere(string json, MessageFormatErrorCode code, long byteOffset, string? memberPath)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new JsonFormatter<Node>().Read(Encoding.UTF8.GetBytes(json)));
        output.WriteLine(e.ToString());
        Assert.Equal((code, byteOffset, memberPath, true), (e.Code, e.ByteOffset, e.MemberPath, e.IsPoison));
        Assert.DoesNotContain("secret", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_TextThatIsNotUtf8_IsBadTextAtItsFirstBadByte()
    {
        byte[] body = "{\"Items\":[{},{\"Name\":\"ab?\"}]}"u8.ToArray();
        int offset = Array.IndexOf(body, (byte)'?');
        body[offset] = 0xFF;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new JsonFormatter<Node>().Read(body));
        Assert.Equal((MessageFormatErrorCode.BadText, (long)offset, "Node.Items[1].Name", true), (e.Code, e.ByteOffset, e.MemberPath, e.IsPoison));
    }

    public sealed class Open
    {
        public JsonElement Element { get; set; }

        public object? Any { get; set; }

        [JsonExtensionData]
        public Dictionary<string, JsonElement>? More { get; set; }
    }

    [Theory]
    [InlineData("{\"Element\":\"?\"}", 12)]
    [InlineData("{\"Element\":{\"a\":[1,{\"?\":2}]}}", 22)]
    [InlineData("{\"Any\":[\"x\",\"?\"]}", 13)]
    [InlineData("{\"Other\":\"x?\"}", 11)]
    [InlineData("{\"?\":1}", 2)]
    public void Read_BadTextWhereNothingLooksAtIt_IsRefused(string json, int textOffset)
    {
        // As a byte that is not UTF-8, and as half a surrogate pair, high and low, in any case of the letters. In the node, all of these members are skipped.
        int mark = json.IndexOf('?', StringComparison.Ordinal);
        byte[] body = Encoding.UTF8.GetBytes(json);
        body[mark] = 0xFF;
        AssertBadText(body, mark);
        foreach (string escape in new[] { "\\ud800", "\\uDBFF", "\\uDC00", "\\udfffx", "\\uD83D\\u0041", "\\uD83D\\uD83D\\uDE00", "\\\\\\ud800" })
            AssertBadText(Encoding.UTF8.GetBytes(json.Replace("?", escape, StringComparison.Ordinal)), json[mark - 1] == '"' ? mark - 1 : textOffset - 2);
        foreach (string good in new[] { "\\uD83D\\uDE00", "\\\\ud800", "\\\\\\\\uDC00", "\\u00e4", "\uD83D\uDE00" })
        {
            string text = json.Replace("?", good, StringComparison.Ordinal);
            Opened.Read(Encoding.UTF8.GetBytes(text));
            new JsonFormatter<Node>().Read(Encoding.UTF8.GetBytes(text));
        }

        static void AssertBadText(byte[] body, int byteOffset)
        {
            foreach (Action read in new Action[] { () => Opened.Read(body), () => new JsonFormatter<Node>().Read(body) })
            {
                MessageFormatException e = Assert.Throws<MessageFormatException>(read);
                Assert.Equal((MessageFormatErrorCode.BadText, (long)byteOffset, true), (e.Code, e.ByteOffset, e.IsPoison));
            }
        }
    }

    [Fact]
    public void Read_ManyKeys_GivesTheSameCollections()
    {
        // Long enough for keys to be hashed under a random key.
        long[] keys = [.. Enumerable.Range(0, 5000).Select(i => (long)i << 33 | (uint)i)];
        var value = new Keyed
        {
            Dictionary = keys.ToDictionary(key => key, key => (int?)key),
            Interface = keys.ToDictionary(key => (double)key, _ => (int?)null),
            ReadOnly = keys.ToDictionary(key => new DateTime(key), _ => "x"),
            Immutable = keys.ToImmutableDictionary(key => (decimal)key, _ => new List<int> { 1 }),
            Set = [.. keys],
            ImmutableSet = [.. keys.Select(key => new Guid((int)key, (short)(key >> 33), 0, 1, 2, 3, 4, 5, 6, 7, 8))],
        };
        var formatter = new JsonFormatter<Keyed>();
        byte[] body = formatter.Write(value);

        Keyed read = formatter.Read(body);

        Assert.Equal(value.Dictionary, read.Dictionary);
        Assert.Equal(value.Interface, read.Interface);
        Assert.Equal(value.ReadOnly, read.ReadOnly);
        Assert.Equal(value.Immutable, read.Immutable);
        Assert.Equal(value.Set, read.Set);
        Assert.Equal(value.ImmutableSet, read.ImmutableSet);
        Assert.IsType<Dictionary<double, int?>>(read.Interface);
        // What is wrong in it is said as in a short one.
        byte[] twice = Encoding.UTF8.GetBytes("{\"Immutable\":{" + string.Join(',', keys.Select(key => $"\"{key}\":[]")) + ",\"0\":[]}}");
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(twice));
        Assert.Equal((MessageFormatErrorCode.BadValue, true), (error.Code, error.IsPoison));
        Assert.StartsWith("Keyed.Immutable", error.MemberPath, StringComparison.Ordinal);
    }

    private sealed class Keyed
    {
        public Dictionary<long, int?>? Dictionary { get; set; }

        public IDictionary<double, int?>? Interface { get; set; }

        public IReadOnlyDictionary<DateTime, string>? ReadOnly { get; set; }

        public ImmutableDictionary<decimal, List<int>>? Immutable { get; set; }

        public HashSet<long>? Set { get; set; }

        public ImmutableHashSet<Guid>? ImmutableSet { get; set; }
    }

    [Fact]
    public void Read_ValueThatAPropertyRefuses_IsTheTypedError()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new JsonFormatter<Picky>().Read("{\"Percent\":101}"u8));
        Assert.Equal((MessageFormatErrorCode.Malformed, true), (e.Code, e.IsPoison));
        Assert.IsType<ArgumentOutOfRangeException>(e.InnerException);
    }

    [Fact]
    public void Read_EveryPrefixOfABody_IsTruncated()
    {
        byte[] body = Orders.Write(SampleOrders.CreateWithList(1, 2, SampleText.Accented));
        for (int length = 0; length < body.Length; length++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Orders.Read(body.AsSpan(0, length)));
            Assert.Equal((MessageFormatErrorCode.Truncated, (long)length), (e.Code, e.ByteOffset));
        }
    }

    [Fact]
    public void Depth_IsLimitedInBothDirections()
    {
        foreach (JsonFormatter<Node> formatter in new[] { new JsonFormatter<Node>(), Generated, new(NodeContext.Default.Node, new JsonOptions { Limits = FormatterLimits.Default with { MaxDepth = 3 } }) })
        {
            int max = formatter.Limits.MaxDepth;
            byte[] body = formatter.Write(Chain(max - 1));
            Assert.NotNull(formatter.Read(body));
            Assert.NotNull(formatter.Read(JsonSerializer.SerializeToUtf8Bytes(Chain(max), Deep)));
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(Chain(max + 1))).Code);
            byte[] deeper = JsonSerializer.SerializeToUtf8Bytes(Chain(max + 1), Deep);
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(deeper));
            Assert.Equal((MessageFormatErrorCode.DepthExceeded, false), (e.Code, e.IsPoison));
            var cycle = new Node();
            cycle.Next = cycle;
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(cycle)).Code);
        }

        byte[] arrays = Encoding.ASCII.GetBytes(new string('[', 1_000_000));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => new JsonFormatter<JsonElement>().Read(arrays)).Code);
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        var formatter = new JsonFormatter<string>(new JsonOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 100 } });
        Assert.Equal("x", formatter.Read(formatter.Write("x")));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new string('x', 100))).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[101])).Code);
        Assert.Throws<ArgumentNullException>(() => formatter.Write(null!));
    }

    [Fact]
    public void Tags_AreThoseOfJson()
    {
        var body = new MessageBody();
        ((IMessageFormatter)Generated).Write(body, new Node());
        Assert.Equal((BodyTypes.Json, ContentTypes.Json), (body.BodyType, body.ContentType));
        Assert.True(Generated.CanRead(new MessageBody(body.Bytes, 0, "Application/JSON; charset=utf-8")));
        Assert.IsType<Node>(((IMessageFormatter)Generated).Read(body));
    }

    [Fact]
    public void Read_Damaged64KilobyteBody_OnlyTheTypedError()
    {
        byte[] body = Orders.Write(SampleOrders.CreateWithList(3, 600, SampleText.Accented));
        Assert.InRange(body.Length, 55_000, 90_000);
        Mutation.Run(output, 20041120, 500, body, damaged => Orders.Read(damaged));
    }

    private static Node Chain(int depth)
    {
        var node = new Node();
        for (int i = 1; i < depth; i++)
            node = new Node { Next = node };
        return node;
    }

    private sealed class FullBufferWriter : System.Buffers.IBufferWriter<byte>
    {
        public void Advance(int count) => throw new InvalidOperationException("Full.");

        public Memory<byte> GetMemory(int sizeHint = 0) => new byte[Math.Max(1, sizeHint)];

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
#endif
