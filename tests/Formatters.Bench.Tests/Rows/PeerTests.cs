using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Peers;
using Formatters.Bench.Rows;
using Formatters.Bench.Tests.Support;
using Formatters.Buffers;
using Formatters.Orders;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Xunit;

namespace Formatters.Bench.Tests.Rows;

/// <summary>Each peer calls the library that it is named after.</summary>
public sealed class PeerTests
{
    private static readonly Order Sample = SampleOrders.Create(7);
    private static readonly PeerOrder Peers = PeerOrder.From(Sample);

    /// <summary>Each library called here, without the tool's code.</summary>
    private static readonly Dictionary<string, Func<byte[]>> Libraries = new()
    {
        ["MessagePack-CSharp"] = static () => global::MessagePack.MessagePackSerializer.Serialize(Peers),
        ["Nerdbank"] = static () => new Nerdbank.MessagePack.MessagePackSerializer().Serialize(in Peers, PolyType.Abstractions.TypeShapeResolver.ResolveDynamicOrThrow<PeerOrder>()),
        ["MemoryPack"] = static () => MemoryPack.MemoryPackSerializer.Serialize(Peers, MemoryPack.MemoryPackSerializerOptions.Utf8),
        ["MemoryPack UTF-16"] = static () => MemoryPack.MemoryPackSerializer.Serialize(Peers, MemoryPack.MemoryPackSerializerOptions.Utf16),
        ["protobuf-net"] = static () =>
        {
            using var stream = new MemoryStream();
            ProtoBuf.Serializer.Serialize(stream, Peers);
            return stream.ToArray();
        },
        ["Google.Protobuf"] = static () =>
            Google.Protobuf.MessageExtensions.ToByteArray(Bench.Peers.Protobuf.Order.Parser.ParseFrom(ProtobufFormatter.Create<GeneratedOrder>().Write(GeneratedOrder.From(OrderWithList.From(Sample))))),
        ["Orleans"] = static () => new ServiceCollection().AddSerializer().BuildServiceProvider().GetRequiredService<Serializer>().SerializeToArray(Peers),
        ["System.Text.Json"] = static () => JsonSerializer.SerializeToUtf8Bytes(Peers),
    };

    public static TheoryData<string> Names { get; } = [.. Peer.All.Select(static peer => peer.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Row_HasTheBytesOfTheLibraryItIsNamedAfter_AndReadsBackAnEqualOrder(string name)
    {
        OrderFormatterRow row = Peer.All.Single(peer => peer.Name == name).CreateRow();
        byte[] body = row.Formatter.Write(Sample);

        Assert.Equal(Libraries[name](), body);
        Assert.True(row.Formatter.Read(body).ContentEquals(Sample));
    }

    /// <summary>Payloads are of the library's own types: nothing is converted while a clock runs.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Payload_IsOfTheFormThatTheLibraryTakes(string name)
    {
        OrderFormatterRow row = Peer.All.Single(peer => peer.Name == name).CreateRow();
        Payload payload = row.CreatePayload("it", [Sample, SampleOrders.Create(8)]);
        using var buffer = new PooledBufferWriter(1024);
        var body = new MessageBody();

        payload.Write(0, buffer, body);

        Assert.Equal(name == "Google.Protobuf" ? typeof(Payload<Bench.Peers.Protobuf.Order>) : typeof(Payload<PeerOrder>), payload.GetType());
        Assert.Equal(Libraries[name](), body.ToArray());
        payload.Read(2, body, wholeContent: true);
        Assert.Throws<VerificationException>(() => payload.Read(1, body, wholeContent: false));
    }

    [Fact]
    public void PeersOfOneFormat_WriteTheSameBytes()
    {
        Assert.Equal(Write("MessagePack-CSharp"), Write("Nerdbank"));
        Assert.Equal(Write("protobuf-net"), Write("Google.Protobuf"));
        Assert.Equal(OrderFormatterRows.Select(["JSON"])[0].Formatter.Write(Sample), Write("System.Text.Json"));
        Assert.Equal(OrderFormatterRows.Select(["protobuf"])[0].Formatter.Write(Sample), Write("protobuf-net"));

        static byte[] Write(string name) => OrderFormatterRows.Select([name])[0].Formatter.Write(Sample);
    }

    [Theory]
    [InlineData("compare --quick")]
    [InlineData("matrix memory:q --seconds-per-case 0.2")]
    public async Task Verbs_HaveThePeers(string line)
    {
        var tool = new Tool { Clock = TimeProvider.System };

        ToolResult result = await tool.RunAsync([.. line.Split(' '), .. Peer.All.SelectMany(static peer => new[] { "--formatter", peer.Name })]);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.All(Peer.All, peer => Assert.Contains(peer.Name, result.Output, StringComparison.Ordinal));
        Assert.All(result.Output.Split('\n'), static line => Assert.InRange(line.Length, 0, 80));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task PerftestThroughputAndOwn_HaveThePeer(string name)
    {
        var tool = new Tool { Clock = TimeProvider.System };
        string[] own = ["own", "--quick", "--assembly", typeof(PeerOrder).Assembly.Location, "--type", typeof(PeerOrder).FullName!, "--samples", typeof(PeerTests).FullName + ".Samples",
            "--assembly", typeof(PeerTests).Assembly.Location, "--formatter", name];

        ToolResult perftest = await tool.RunAsync("perftest", "NOTX", "SENDANDPURGE", "memory:q", "--rounds", "2", "--batch", "5", "--seconds-per-case", "0.1", "--payload", "order " + name);
        ToolResult throughput = await tool.RunAsync("throughput", "-C", "memory:", "-S", "q", "-n", "200", "--formatter", name);
        ToolResult result = await tool.RunAsync(own);

        Assert.True(perftest.ExitCode == 0, perftest.Error);
        Assert.Contains(name, perftest.Output, StringComparison.Ordinal);
        Assert.True(throughput.ExitCode == 0, throughput.Error);
        Assert.Contains(name, throughput.Output, StringComparison.Ordinal);
        Assert.Equal(name == "Google.Protobuf" ? 2 : 0, result.ExitCode);
        Assert.Contains(name == "Google.Protobuf" ? "not a message class made by protoc" : "Recommended: " + name, result.Output + result.Error, StringComparison.Ordinal);
    }

    /// <summary>The rows of <c>own</c>.</summary>
    public static PeerOrder Samples() => PeerOrder.From(SampleOrders.Create(3));
}
