using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Channels;
using System.Threading.Tasks;
using Formatters.SignalR;
using Formatters.TestSupport;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Formatters.Integrations.Tests;

/// <summary>A hub over Kestrel, with clients of this library's protocol and of Microsoft's.</summary>
public sealed class SignalRTests : IAsyncLifetime
{
    private static readonly OrderPlaced Order = new() { Id = 7, Customer = "Ådá" };

    private WebApplication _app = null!;
    private string _address = null!;

    public async Task InitializeAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddSignalR(static options =>
        {
            options.EnableDetailedErrors = true;
            // The results of clients.
            options.MaximumParallelInvocationsPerClient = 2;
        }).AddMessageFormatters();
        _app = builder.Build();
        _app.MapHub<OrderHub>("/orders");
        await _app.StartAsync();
        _address = _app.Urls.First() + "/orders";
    }

    public async Task DisposeAsync() => await _app.DisposeAsync();

    public static TheoryData<bool> Clients => new() { true, false };

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Calls_InBothDirections(bool isOurs)
    {
        await using HubConnection client = await ConnectAsync(isOurs);
        var pushed = new TaskCompletionSource<OrderPlaced>();
        client.On<OrderPlaced>("Placed", pushed.SetResult);
        client.On<OrderPlaced, OrderPlaced>("Confirm", static order => new OrderPlaced { Id = order.Id + 1, Customer = order.Customer });

        Assert.Equal(Order, await client.InvokeAsync<OrderPlaced>("Echo", Order));
        Assert.Null(await client.InvokeAsync<OrderPlaced?>("Echo", null));
        Assert.Equal("7 a 3 2", await client.InvokeAsync<string>("Many", 7, "a", new List<int> { 1, 2, 3 }, new Dictionary<string, double> { ["x"] = 1, ["y"] = 2 }));
        Assert.Equal(new[] { 1, 2, 3 }, await client.InvokeAsync<int[]>("Query", 3));
        await client.InvokeAsync("Nothing");
        await client.SendAsync("Place", Order);
        Assert.Equal(Order, await pushed.Task);
        // A client's result, which the server asked for.
        Assert.Equal(8, (await client.InvokeAsync<OrderPlaced>("AskBack", Order)).Id);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Streams_InBothDirections(bool isOurs)
    {
        await using HubConnection client = await ConnectAsync(isOurs);
        var received = new List<OrderPlaced>();
        await foreach (OrderPlaced order in client.StreamAsync<OrderPlaced>("Orders", 5))
            received.Add(order);
        Assert.Equal([0, 1, 2, 3, 4], received.Select(static order => order.Id));

        var channel = Channel.CreateUnbounded<OrderPlaced>();
        for (int i = 0; i < 4; i++)
            channel.Writer.TryWrite(new OrderPlaced { Id = i });
        channel.Writer.Complete();
        Assert.Equal(6, await client.InvokeAsync<int>("Sum", channel.Reader));
    }

    /// <summary>The client is tests/Formatters.Interop.Tests/node/signalr.mjs.</summary>
    [NodeFact]
    public async Task AJavaScriptClient_CallsInBothDirections()
    {
        var start = new ProcessStartInfo("node", [Path.Combine(NodeFactAttribute.Folder, "signalr.mjs"), _address])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process node = Process.Start(start)!;
        Task<string> errors = node.StandardError.ReadToEndAsync();
        string output = await node.StandardOutput.ReadToEndAsync();
        await node.WaitForExitAsync();
        Assert.Equal("", await errors);
        Assert.Equal(
            """
            [{"Id":7,"Customer":"Ådá"}]
            [null]
            ["7 a 3 2"]
            [[1,2,3]]
            [{"Id":7,"Customer":"Ådá"}]
            [{"Id":8,"Customer":"Ådá"}]
            [true]
            [true]
            [0]
            [1]
            [2]
            [6]

            """,
            output.ReplaceLineEndings("\n"));
    }

    [Fact]
    public async Task AnArgumentThatCannotBeRead_FailsItsInvocation_AndTheConnectionStaysOpen()
    {
        await using HubConnection client = await ConnectAsync(isOurs: true);
        var error = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<OrderPlaced>("Echo", "text"));
        Assert.Contains("Echo", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<string>("Many", 7));
        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync("NotThere"));
        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<int>("Echo", Order));
        Assert.Equal(Order, await client.InvokeAsync<OrderPlaced>("Echo", Order));
    }

    /// <summary>Every kind of message, in the bytes of Microsoft's protocol, and read from them in any pieces.</summary>
    [Fact]
    public void Messages_HaveTheBytesOfMicrosoftsProtocol()
    {
        var ours = new FormatterHubProtocol();
        IHubProtocol theirs = Theirs();
        foreach (HubMessage message in Messages())
        {
            byte[] bytes = theirs.GetMessageBytes(message).ToArray();
            Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(ours.GetMessageBytes(message).Span));
            for (int cut = 0; cut < bytes.Length; cut += 1 + (bytes.Length / 200))
            {
                var part = new ReadOnlySequence<byte>(bytes, 0, cut);
                Assert.False(ours.TryParseMessage(ref part, new Binder(), out _));
                Assert.Equal(cut, part.Length);
                ReadOnlySequence<byte> pieces = Pieces(bytes[..cut], bytes[cut..], [0xFF]);
                Assert.True(ours.TryParseMessage(ref pieces, new Binder(), out HubMessage? read));
                Assert.Equal(1, pieces.Length);
                Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(ours.GetMessageBytes(read).Span));
            }
        }
    }

    [Fact]
    public void DamagedMessages_AreInvalidData_OrFailTheirInvocation()
    {
        var protocol = new FormatterHubProtocol();
        var random = new Random(1);
        byte[][] bodies = [.. Messages().Select(message => protocol.GetMessageBytes(message).ToArray())];
        int damagedCount = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] body = (byte[])bodies[i % bodies.Length].Clone();
            body[random.Next(body.Length)] = (byte)random.Next(256);
            var input = new ReadOnlySequence<byte>(body);
            try
            {
                protocol.TryParseMessage(ref input, new Binder(), out _);
            }
            catch (InvalidDataException)
            {
                damagedCount++;
            }
        }

        Assert.True(damagedCount > 100, $"Only {damagedCount} messages were noticed.");
        var tooLong = new ReadOnlySequence<byte>([0xFF, 0xFF, 0xFF, 0xFF, 0x7F]);
        Assert.Throws<InvalidDataException>(() => protocol.TryParseMessage(ref tooLong, new Binder(), out _));
    }

    [Fact]
    public void AMessageOfAnUnknownKind_IsPassedOver()
    {
        var input = new ReadOnlySequence<byte>([2, 0x91, 99, .. new FormatterHubProtocol().GetMessageBytes(PingMessage.Instance).Span]);
        Assert.False(new FormatterHubProtocol().TryParseMessage(ref input, new Binder(), out _));
        Assert.True(new FormatterHubProtocol().TryParseMessage(ref input, new Binder(), out HubMessage? ping));
        Assert.IsType<PingMessage>(ping);
    }

    [Fact]
    public void AValueThatCannotBeWritten_WritesNothing()
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.ThrowsAny<ArgumentException>(() => new FormatterHubProtocol().WriteMessage(new InvocationMessage("Echo", [1, new object()]), output));
        Assert.Equal(0, output.WrittenCount);
    }

    [Fact]
    public void OptionsAndFormatters_AreUsed()
    {
        var array = new FormatterHubProtocol(new FormatterHubProtocolOptions { MessagePack = new MessagePackOptions { Form = MessagePackForm.Array } });
        Assert.Contains("9207A6", Written(array), StringComparison.Ordinal);
        Assert.Contains("9207A6", Written(new FormatterHubProtocol(new FormatterHubProtocolOptions().Add(
            new MessagePackFormatter<OrderPlaced>(new MessagePackOptions { Form = MessagePackForm.Array })))), StringComparison.Ordinal);
        Assert.DoesNotContain("9207A6", Written(new FormatterHubProtocol()), StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => new FormatterHubProtocolOptions().Add<OrderPlaced>(null!));

        static string Written(FormatterHubProtocol protocol) => Convert.ToHexString(protocol.GetMessageBytes(
            new InvocationMessage("Echo", [new OrderPlaced { Id = 7, Customer = "abcdef" }])).Span);
    }

    private static HubMessage[] Messages() =>
    [
        new InvocationMessage("Place", [Order]),
        new InvocationMessage("1", "Place", [Order]),
        new InvocationMessage("2", "Many", [7, null, "three", 4.5, true, new byte[] { 1, 2 }]) { Headers = new Dictionary<string, string> { ["a"] = "b", ["c"] = "" } },
        new InvocationMessage(null, "Sum", [], ["s1", "s2"]),
        new StreamInvocationMessage("3", "Orders", [5]),
        new StreamInvocationMessage("4", "Sum", [], ["s1"]),
        new StreamItemMessage("5", Order),
        new StreamItemMessage("6", null),
        new CompletionMessage("7", null, null, hasResult: false),
        new CompletionMessage("8", null, null, hasResult: true),
        new CompletionMessage("9", null, Order, hasResult: true),
        new CompletionMessage("10", "It failed.", null, hasResult: false),
        new CancelInvocationMessage("11") { Headers = new Dictionary<string, string> { ["trace"] = "x" } },
        PingMessage.Instance,
        CloseMessage.Empty,
        new CloseMessage("Goodbye.", allowReconnect: true),
        new AckMessage(5),
        new SequenceMessage(70000),
        new InvocationMessage("Place", [new OrderPlaced { Customer = new string('x', 100_000) }]),
    ];

    private static IHubProtocol Theirs() => new MessagePackHubProtocol();

    private static ReadOnlySequence<byte> Pieces(params byte[][] pieces)
    {
        var first = new Segment(pieces[0], null);
        Segment last = pieces.Skip(1).Aggregate(first, static (previous, piece) => new Segment(piece, previous));
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private async Task<HubConnection> ConnectAsync(bool isOurs)
    {
        IHubConnectionBuilder builder = new HubConnectionBuilder().WithUrl(_address);
        HubConnection client = (isOurs ? builder.AddMessageFormatters() : builder.AddMessagePackProtocol()).Build();
        await client.StartAsync();
        return client;
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        internal Segment(byte[] memory, Segment? previous)
        {
            Memory = memory;
            if (previous is not null)
            {
                RunningIndex = previous.RunningIndex + previous.Memory.Length;
                previous.Next = this;
            }
        }
    }

    private sealed class Binder : IInvocationBinder
    {
        public IReadOnlyList<Type> GetParameterTypes(string methodName) => methodName switch
        {
            "Place" => [typeof(OrderPlaced)],
            "Many" => [typeof(int), typeof(int?), typeof(string), typeof(double), typeof(bool), typeof(byte[])],
            "Orders" => [typeof(int)],
            _ => [],
        };

        public Type GetReturnType(string invocationId) => typeof(OrderPlaced);

        public Type GetStreamItemType(string streamId) => typeof(OrderPlaced);
    }

    public sealed class OrderHub : Hub
    {
        public OrderPlaced? Echo(OrderPlaced? order) => order;

        public string Many(int number, string text, List<int> list, Dictionary<string, double> map) => $"{number} {text} {list.Count} {map.Count}";

        public IEnumerable<int> Query(int count) => Enumerable.Range(1, count).Where(static i => i > 0);

        public void Nothing()
        {
        }

        public Task Place(OrderPlaced order) => Clients.Caller.SendAsync("Placed", order);

        public Task<OrderPlaced> AskBack(OrderPlaced order) => Clients.Caller.InvokeAsync<OrderPlaced>("Confirm", order, Context.ConnectionAborted);

        public async IAsyncEnumerable<OrderPlaced> Orders(int count)
        {
            for (int i = 0; i < count; i++)
            {
                await Task.Yield();
                yield return new OrderPlaced { Id = i };
            }
        }

        public async Task<int> Sum(ChannelReader<OrderPlaced> orders)
        {
            int sum = 0;
            await foreach (OrderPlaced order in orders.ReadAllAsync())
                sum += order.Id;
            return sum;
        }
    }
}

/// <summary>A test that needs the npm packages.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NodeFactAttribute : FactAttribute
{
    public NodeFactAttribute() => Skip = TestScale.SkipReason(static () => Directory.Exists(Path.Combine(Folder, "node_modules", "@microsoft"))
        ? null
        : "The npm packages are not installed: npm ci --ignore-scripts --omit=optional in tests/Formatters.Interop.Tests/node.");

    internal static string Folder { get; } = Path.Combine(RepositoryFolder.Path, "tests", "Formatters.Interop.Tests", "node");
}
