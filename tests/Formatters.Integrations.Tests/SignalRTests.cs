using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Channels;
using System.Threading.Tasks;
using Formatters.MessagePack;
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
    private static readonly Placed Order = new() { Id = 7, Customer = "Ådá" };

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
        var pushed = new TaskCompletionSource<Placed>();
        client.On<Placed>("Placed", pushed.SetResult);
        client.On<Placed, Placed>("Confirm", static order => new Placed { Id = order.Id + 1, Customer = order.Customer });

        Assert.Equal(Order, await client.InvokeAsync<Placed>("Echo", Order));
        Assert.Null(await client.InvokeAsync<Placed?>("Echo", null));
        Assert.Equal("7 a 3 2", await client.InvokeAsync<string>("Many", 7, "a", new List<int> { 1, 2, 3 }, new Dictionary<string, double> { ["x"] = 1, ["y"] = 2 }));
        Assert.Equal(new[] { 1, 2, 3 }, await client.InvokeAsync<int[]>("Query", 3));
        await client.InvokeAsync("Nothing");
        await client.SendAsync("Place", Order);
        Assert.Equal(Order, await pushed.Task);
        // A client's result, which the server asked for.
        Assert.Equal(8, (await client.InvokeAsync<Placed>("AskBack", Order)).Id);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Nullables_InBothDirections(bool isOurs)
    {
        await using HubConnection client = await ConnectAsync(isOurs);
        client.On<int?, int?>("Next", static number => number * 2);
        var id = Guid.NewGuid();

        Assert.Equal(8, await client.InvokeAsync<int?>("Next", 7));
        Assert.Null(await client.InvokeAsync<int?>("Next", null));
        Assert.Equal(id, await client.InvokeAsync<Guid?>("Same", id));
        Assert.Equal(10, await client.InvokeAsync<int?>("AskNext", 5));
        Assert.Null(await client.InvokeAsync<int?>("AskNext", null));
        var numbers = new List<int?>();
        await foreach (int? number in client.StreamAsync<int?>("Numbers"))
            numbers.Add(number);
        Assert.Equal([1, null], numbers);
    }

    [Fact]
    public async Task AResultThatTheCallerDoesNotAskFor_IsPassedOver()
    {
        await using HubConnection client = await ConnectAsync(isOurs: true);
        await client.InvokeAsync("Echo", Order);
        await client.InvokeAsync("Query", 3);
        await client.InvokeAsync("Next", 7);
        // The next result is that of its own call.
        Assert.Equal(new[] { 1, 2, 3 }, await client.InvokeAsync<int[]>("Query", 3));
    }

    /// <summary>The limits are those of each argument, not of the message.</summary>
    [Fact]
    public async Task TwoArgumentsOfTenMegabytes()
    {
        var protocol = new FormatterHubProtocol();
        byte[] big = new byte[10_000_000];
        var input = new ReadOnlySequence<byte>(protocol.GetMessageBytes(new InvocationMessage("Two", [big, big])));
        Assert.True(protocol.TryParseMessage(ref input, new Binder(), out HubMessage? read));
        Assert.Equal(2, ((InvocationMessage)read).Arguments.Length);
        await using HubConnection client = await ConnectAsync(isOurs: true);
        Assert.Equal(30_000, await client.InvokeAsync<int>("Length", new byte[30_000]));
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Streams_InBothDirections(bool isOurs)
    {
        await using HubConnection client = await ConnectAsync(isOurs);
        var received = new List<Placed>();
        await foreach (Placed order in client.StreamAsync<Placed>("Orders", 5))
            received.Add(order);
        Assert.Equal([0, 1, 2, 3, 4], received.Select(static order => order.Id));

        var channel = Channel.CreateUnbounded<Placed>();
        for (int i = 0; i < 4; i++)
            channel.Writer.TryWrite(new Placed { Id = i });
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
            [[{"text":"hello"},[1,{"a":[null,true]}],null,"x"]]
            [true]
            [true]
            [{"Id":7,"Customer":"Ådá"}]

            """,
            output.ReplaceLineEndings("\n"));
    }

    [Fact]
    public async Task AnArgumentThatCannotBeRead_FailsItsInvocation_AndTheConnectionStaysOpen()
    {
        await using HubConnection client = await ConnectAsync(isOurs: true);
        var error = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<Placed>("Echo", "text"));
        Assert.Contains("Echo", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<string>("Many", 7));
        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync("NotThere"));
        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<int>("Echo", Order));
        Assert.Equal(Order, await client.InvokeAsync<Placed>("Echo", Order));
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

    public static TheoryData<string, object> UntypedValues { get; } = new()
    {
        { "array", new object?[] { 1, "a", null, 2.5, true, new object?[] { null } } },
        { "map", new Dictionary<object, object?> { ["text"] = "hello", [7] = null, [true] = new object[] { 1 } } },
        { "list", new List<object?> { 1, null, new Dictionary<object, object?> { ["a"] = 1 }, "x" } },
        { "names", new Dictionary<string, object?> { ["a"] = 1, ["b"] = null, ["c"] = new List<object> { 1 } } },
        { "strings", new List<string?> { "a", null } },
        { "string array", new string?[] { null, "a" } },
        { "string map", new Dictionary<string, string?> { ["a"] = null } },
        { "set", new HashSet<object> { 1, "a" } },
        { "queue", new Queue<object>([1, "a"]) },
        { "concurrent", new System.Collections.Concurrent.ConcurrentDictionary<string, object> { ["a"] = new object[] { 1 } } },
        { "immutable", System.Collections.Immutable.ImmutableList.Create<object>(1, "a") },
        { "array list", new System.Collections.ArrayList { 1, "a", null } },
        { "hashtable", new System.Collections.Hashtable { ["a"] = new object[] { null! } } },
        { "expando", Expando() },
        { "anonymous", new { Id = 1, Text = "a" } },
        { "contract", new Holder { Value = new Dictionary<string, object> { ["x"] = new Placed { Id = 1 } }, Items = [1, "a"] } },
        { "contracts", new object[] { new Placed { Id = 1 }, new List<Placed> { new() { Id = 2 } } } },
        { "object", new object() },
        { "objects", new object[] { new() } },
    };

    /// <summary>What Microsoft's protocol carries is carried: it reads the same values from our bytes as from its own.</summary>
    [Theory]
    [MemberData(nameof(UntypedValues))]
    public void UntypedValues_AreCarried(string what, object value)
    {
        var ours = new FormatterHubProtocol();
        var message = new InvocationMessage("Any", [value]);
        ReadOnlyMemory<byte> bytes = ours.GetMessageBytes(message);
        string expected = Values(Theirs(), Theirs().GetMessageBytes(message));
        Assert.True(expected == Values(Theirs(), bytes), what);
        Assert.Equal(expected, Values(ours, Theirs().GetMessageBytes(message)));
        // Relayed as it was read.
        var input = new ReadOnlySequence<byte>(bytes);
        Assert.True(ours.TryParseMessage(ref input, new Binder(), out HubMessage? read));
        Assert.Equal(Convert.ToHexString(bytes.Span), Convert.ToHexString(ours.GetMessageBytes(read).Span));
    }

    private static string Values(IHubProtocol protocol, ReadOnlyMemory<byte> bytes, Type? declared = null)
    {
        var input = new ReadOnlySequence<byte>(bytes);
        Assert.True(protocol.TryParseMessage(ref input, new Binder(declared), out HubMessage? read));
        return System.Text.Json.JsonSerializer.Serialize(Assert.IsType<InvocationMessage>(read).Arguments);
    }

    /// <summary>Declared collections of objects and strings have what Microsoft's protocol reads.</summary>
    [Theory]
    [InlineData(typeof(object[]), "list")]
    [InlineData(typeof(List<object>), "list")]
    [InlineData(typeof(IReadOnlyList<object>), "list")]
    [InlineData(typeof(IEnumerable<object>), "list")]
    [InlineData(typeof(Dictionary<string, object>), "names")]
    [InlineData(typeof(IDictionary<string, object>), "names")]
    [InlineData(typeof(Dictionary<object, object>), "map")]
    [InlineData(typeof(System.Dynamic.ExpandoObject), "names")]
    [InlineData(typeof(List<string>), "strings")]
    [InlineData(typeof(string[]), "strings")]
    [InlineData(typeof(Dictionary<string, string>), "string map")]
    [InlineData(typeof(Holder), "contract")]
    public void UntypedCollections_AreReadAsTheyAreDeclared(Type declared, string what)
    {
        object value = UntypedValues.Single(row => (string)row[0] == what)[1];
        ReadOnlyMemory<byte> bytes = Theirs().GetMessageBytes(new InvocationMessage("Any", [value]));
        var input = new ReadOnlySequence<byte>(bytes);
        Assert.True(new FormatterHubProtocol().TryParseMessage(ref input, new Binder(declared), out HubMessage? read));
        Assert.IsAssignableFrom(declared, Assert.Single(Assert.IsType<InvocationMessage>(read).Arguments));
        Assert.Equal(Values(Theirs(), bytes, declared), Values(new FormatterHubProtocol(), bytes, declared));
    }

    [Fact]
    public void ACycle_IsRefused()
    {
        var cycle = new List<object>();
        cycle.Add(cycle);
        var node = new Holder();
        node.Value = node;
        foreach (object value in new object[] { cycle, node })
        {
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(
                () => new FormatterHubProtocol().GetMessageBytes(new InvocationMessage("Any", [value]))).Code);
        }
    }

    /// <summary>The results and pushes that cannot be written fail for their caller. Nobody's connection ends.</summary>
    [Theory]
    [MemberData(nameof(Clients))]
    public async Task WhatCannotBeWritten_FailsForItsCaller(bool isOurs)
    {
        await using HubConnection caller = await ConnectAsync(isOurs), other = await ConnectAsync(isOurs: true);
        var closed = new TaskCompletionSource();
        caller.Closed += error => { closed.TrySetResult(); return Task.CompletedTask; };
        other.Closed += error => { closed.TrySetResult(); return Task.CompletedTask; };
        foreach (string method in new[] { "PushUnwritable", "UnwritableResult", "AskUnwritable" })
            Assert.Contains("MemoryStream", (await Assert.ThrowsAsync<HubException>(() => caller.InvokeAsync<object>(method))).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<HubException>(async () =>
        {
            await foreach (object _ in caller.StreamAsync<object>("UnwritableStream"))
            {
            }
        });
        var pushed = new TaskCompletionSource<object>();
        other.On<object>("Relayed", pushed.SetResult);
        await caller.InvokeAsync("Relay", new Dictionary<string, object> { ["text"] = "hello" });
        Assert.Equal("hello", Assert.IsType<Dictionary<object, object?>>(await pushed.Task)["text"]);
        Assert.Equal(Order, await caller.InvokeAsync<Placed>("Echo", Order));
        Assert.False(closed.Task.IsCompleted);
    }

    private static System.Dynamic.ExpandoObject Expando()
    {
        dynamic expando = new System.Dynamic.ExpandoObject();
        expando.A = 1;
        expando.B = null;
        return expando;
    }

    /// <summary>Members without a type.</summary>
    public sealed class Holder
    {
        public object? Value { get; set; }

        public List<object> Items { get; set; } = [];
    }

    [Fact]
    public void AValueThatCannotBeWritten_WritesNothing()
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.ThrowsAny<ArgumentException>(() => new FormatterHubProtocol().WriteMessage(new InvocationMessage("Echo", [1, new MemoryStream()]), output));
        Assert.Equal(0, output.WrittenCount);
    }

    [Fact]
    public void UntypedValues_AreRead()
    {
        var protocol = new FormatterHubProtocol();
        object[] values = [1L, ulong.MaxValue, 1.5, "a", true, new byte[] { 1, 2 }, new[] { 1, 2 }, new Dictionary<string, int> { ["x"] = 1 }, Order, new DateTime(2026, 11, 27, 1, 2, 3, DateTimeKind.Utc)];
        var input = new ReadOnlySequence<byte>(protocol.GetMessageBytes(new InvocationMessage("Untyped", values)));
        Assert.True(protocol.TryParseMessage(ref input, new Binder(), out HubMessage? read));
        object?[] arguments = ((InvocationMessage)read).Arguments;
        Assert.Equal(values[..6], arguments[..6]);
        Assert.Equal(new object?[] { 1L, 2L }, arguments[6]);
        Assert.Equal(new Dictionary<object, object?> { ["x"] = 1L }, arguments[7]);
        Assert.Equal(new Dictionary<object, object?> { ["Id"] = 7L, ["Customer"] = "Ådá" }, arguments[8]);
        Assert.Equal(values[9], arguments[9]);
    }

    /// <summary>A sequence is written as its elements only where it has nothing else.</summary>
    [Fact]
    public void ASequenceWithMembers_IsRefused()
    {
        var protocol = new FormatterHubProtocol();
        Assert.ThrowsAny<ArgumentException>(() => protocol.GetMessageBytes(new InvocationMessage("Echo", [new Page { 1, 2 }])));
        IEnumerable<int> expression = [1, 2, 3];
        foreach (object sequence in new object[] { Enumerable.Range(1, 3), Enumerable.Range(1, 3).Select(static i => i), Iterator(), expression, new[] { 1, 2, 3 }.Where(static i => i > 0) })
            Assert.EndsWith("9193010203" + "90", Convert.ToHexString(protocol.GetMessageBytes(new InvocationMessage("Echo", [sequence])).Span), StringComparison.Ordinal);

        static IEnumerable<int> Iterator()
        {
            yield return 1;
            yield return 2;
            yield return 3;
        }
    }

    [Fact]
    public void AStreamWithoutAnId_IsInvalidData()
    {
        byte[] body = [0x96, 4, 0x80, 0xC0, 0xA6, .. "Orders"u8, 0x91, 3, 0x90];
        var input = new ReadOnlySequence<byte>([(byte)body.Length, .. body]);
        Assert.Throws<InvalidDataException>(() => new FormatterHubProtocol().TryParseMessage(ref input, new Binder(), out _));
    }

    [Fact]
    public void AFormatterOfAnInterface_WritesItsClasses()
    {
        var protocol = new FormatterHubProtocol(new FormatterHubProtocolOptions().Add(new MessagePackFormatter<IShape>(new ShapeCodec())));
        var input = new ReadOnlySequence<byte>(protocol.GetMessageBytes(new InvocationMessage("Shape", [new Circle(2)])));
        Assert.True(protocol.TryParseMessage(ref input, new Binder(), out HubMessage? read));
        Assert.Equal([new Circle(2)], ((InvocationMessage)read).Arguments);
    }

    [Fact]
    public void SeveralCalls_ChangeTheSameOptions()
    {
        ServiceCollection services = new();
        services.AddSignalRCore().AddMessageFormatters().AddMessageFormatters(static options => options.MessagePack = new MessagePackOptions { Form = MessagePackForm.Array });
        using ServiceProvider provider = services.BuildServiceProvider();
        IHubProtocol protocol = Assert.Single(provider.GetServices<IHubProtocol>().OfType<FormatterHubProtocol>());
        Assert.Contains("9207A6", Convert.ToHexString(protocol.GetMessageBytes(new InvocationMessage("Echo", [new Placed { Id = 7, Customer = "abcdef" }])).Span), StringComparison.Ordinal);
    }

    [Fact]
    public void OptionsAndFormatters_AreUsed()
    {
        var array = new FormatterHubProtocol(new FormatterHubProtocolOptions { MessagePack = new MessagePackOptions { Form = MessagePackForm.Array } });
        Assert.Contains("9207A6", Written(array), StringComparison.Ordinal);
        Assert.Contains("9207A6", Written(new FormatterHubProtocol(new FormatterHubProtocolOptions().Add(
            new MessagePackFormatter<Placed>(new MessagePackOptions { Form = MessagePackForm.Array })))), StringComparison.Ordinal);
        Assert.DoesNotContain("9207A6", Written(new FormatterHubProtocol()), StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => new FormatterHubProtocolOptions().Add<Placed>(null!));

        static string Written(FormatterHubProtocol protocol) => Convert.ToHexString(protocol.GetMessageBytes(
            new InvocationMessage("Echo", [new Placed { Id = 7, Customer = "abcdef" }])).Span);
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
        new InvocationMessage("Place", [new Placed { Customer = new string('x', 100_000) }]),
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

    private sealed class Binder(Type? any = null) : IInvocationBinder
    {
        public IReadOnlyList<Type> GetParameterTypes(string methodName) => methodName switch
        {
            "Place" => [typeof(Placed)],
            "Many" => [typeof(int), typeof(int?), typeof(string), typeof(double), typeof(bool), typeof(byte[])],
            "Orders" => [typeof(int)],
            "Two" => [typeof(byte[]), typeof(byte[])],
            "Shape" => [typeof(IShape)],
            "Any" => [any ?? typeof(object)],
            "Untyped" => [.. Enumerable.Repeat(typeof(object), 10)],
            _ => [],
        };

        public Type GetReturnType(string invocationId) => typeof(Placed);

        public Type GetStreamItemType(string streamId) => typeof(Placed);
    }

    /// <summary>Without numbers: a map, as Microsoft's protocol writes it.</summary>
    public sealed record Placed
    {
        public int Id { get; set; }

        public string Customer { get; set; } = "";
    }

    public interface IShape;

    public sealed record Circle(double Radius) : IShape;

    /// <summary>Writes what it knows of shapes.</summary>
    private sealed class ShapeCodec : MessagePackCodec<IShape>
    {
        public override IShape Read(ref MessagePackBodyReader reader, IShape? existing = null) => new Circle(reader.ReadDouble());

        public override void Write(ref MessagePackBodyWriter writer, IShape value) => writer.Write(((Circle)value).Radius);
    }

    /// <summary>A sequence that has a member, which would be lost.</summary>
    internal sealed class Page : List<int>
    {
        public int Total { get; set; }
    }

    public sealed class OrderHub : Hub
    {
        public Placed? Echo(Placed? order) => order;

        public string Many(int number, string text, List<int> list, Dictionary<string, double> map) => $"{number} {text} {list.Count} {map.Count}";

        public IEnumerable<int> Query(int count) => Enumerable.Range(1, count).Where(static i => i > 0);

        public int? Next(int? number) => number + 1;

        public Guid? Same(Guid? id) => id;

        public int Length(byte[] bytes) => bytes.Length;

        public Task<int?> AskNext(int? number) => Clients.Caller.InvokeAsync<int?>("Next", number, Context.ConnectionAborted);

        public async IAsyncEnumerable<int?> Numbers()
        {
            yield return 1;
            await Task.Yield();
            yield return null;
        }

        public void Nothing()
        {
        }

        public Task Relay(object? value) => Clients.All.SendAsync("Relayed", value);

        public Task PushUnwritable() => Clients.All.SendAsync("Relayed", new MemoryStream());

        public object UnwritableResult() => new MemoryStream();

        public Task<int> AskUnwritable() => Clients.Caller.InvokeAsync<int>("Any", new MemoryStream(), Context.ConnectionAborted);

        public async IAsyncEnumerable<object> UnwritableStream()
        {
            yield return 1;
            await Task.Yield();
            yield return new MemoryStream();
            yield return 2;
        }

        public Task Place(Placed order) => Clients.Caller.SendAsync("Placed", order);

        public Task<Placed> AskBack(Placed order) => Clients.Caller.InvokeAsync<Placed>("Confirm", order, Context.ConnectionAborted);

        public async IAsyncEnumerable<Placed> Orders(int count)
        {
            for (int i = 0; i < count; i++)
            {
                await Task.Yield();
                yield return new Placed { Id = i };
            }
        }

        public async Task<int> Sum(ChannelReader<Placed> orders)
        {
            int sum = 0;
            await foreach (Placed order in orders.ReadAllAsync())
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
