using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Formatters.LegacyBinary;
using Formatters.Orders;
using Formatters.Queues;
using Xunit;

namespace Formatters.Tools.Tests.Migrate;

/// <summary>What a new body would say otherwise than the old one is refused, in a dry run as in the run, unless it is allowed by its name.</summary>
public sealed class MigrateChangesTests
{
    private const string Source = "memory:old";
    private const string Destination = "memory:new";
    private const string Errors = "memory:errors";

    private static readonly string TestAssembly = typeof(WideTicket).Assembly.Location;
    private static readonly LegacyBinaryOptions OldNames = LegacyBinaryOptions.Default
        .WithType(typeof(WideTicket), "Old.Ticket", "OldShop").WithType(typeof(WidePart), "Old.Part", "OldShop");

    private readonly Tool _tool = new();

    public static TheoryData<string, string[]> Passed { get; } = new()
    {
        { "legacy-binary", ["Ticket.Remark:dropped", "Part.Extra:dropped"] },
        { "xml", ["NarrowTicket.Remark:dropped", "NarrowPart.Extra:dropped"] },
        { "json", ["NarrowTicket.Remark:dropped", "NarrowPart.Extra:dropped"] },
        { "messagepack", ["NarrowTicket.2:dropped", "NarrowPart.2:dropped"] },
        { "protobuf", ["NarrowTicket.2:dropped", "NarrowPart.2:dropped"] },
        { "versioned", ["NarrowTicket.2:dropped", "NarrowPart.2:dropped"] },
    };

    [Theory]
    [MemberData(nameof(Passed))]
    public async Task Members_that_the_type_lacks_are_found_in_every_format(string format, string[] changes)
    {
        WideTicket ticket = new() { Id = 1, Remark = "do not lose this", Parts = [new WidePart { Number = 1, Extra = 2 }, new WidePart { Number = 2, Extra = 0 }] };
        await SendAsync(Written(FormatterOf<WideTicket>(format), ticket, "wide"));
        string toFormat = format == "json" ? "messagepack" : "json";
        string[] args = [Source, Destination, .. TypeOf<NarrowTicket>(), .. format == "legacy-binary" ? Names : [], "--to-format", toFormat];

        ToolResult dry = await RunAsync([.. args, "--dry-run"]);
        ToolResult run = await RunAsync(args);

        Assert.Equal((3, 3), (dry.ExitCode, run.ExitCode));
        Assert.All(changes, change => Assert.Contains(change + ": the body has the member, the type lacks it; first in message wide, ", Words(dry.Output), StringComparison.Ordinal));
        Assert.All(changes, change => Assert.Matches($@"{change} +refused +1 ", run.Output));
        Assert.Contains("The message wide is refused and is still in its queue", run.Error, StringComparison.Ordinal);
        Assert.Equal((1L, 0L), (await _tool.CountAsync(Source), await _tool.CountAsync(Destination)));

        ToolResult half = await RunAsync([.. args, "--allow", changes[0]]);
        ToolResult allowed = await RunAsync([.. args, "--allow", changes[0], "--allow", changes[1]]);

        Assert.Equal(3, half.ExitCode);
        Assert.True(allowed.ExitCode == 0, allowed.Error);
        Assert.All(changes, change => Assert.Matches($@"{change} +allowed +1 ", allowed.Output));
        var moved = (NarrowTicket)FormatterOf<NarrowTicket>(toFormat).Read(Assert.Single(await TakeAsync(Destination)).Body)!;
        Assert.Equal((1, 2, 2), (moved.Id, moved.Parts.Count, moved.Parts[1].Number));
    }

    [Theory]
    [MemberData(nameof(Passed))]
    public async Task A_type_with_all_members_loses_nothing(string format, string[] changes)
    {
        Assert.NotEmpty(changes);
        await SendAsync(Written(FormatterOf<WideTicket>(format), new WideTicket { Id = 1, Remark = "", Parts = [new WidePart { Number = 1 }] }));
        string[] names = format == "legacy-binary" ? ["--legacy-name", $"{typeof(WideTicket).FullName}=Old.Ticket,OldShop", "--legacy-name", $"{typeof(WidePart).FullName}=Old.Part,OldShop"] : [];

        ToolResult result = await RunAsync([Source, Destination, .. TypeOf<WideTicket>(), .. names, "--to-format", format == "json" ? "messagepack" : "json"]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
    }

    public static TheoryData<string, byte[]> Foreign { get; } = new()
    {
        { "application/json", Encoding.UTF8.GetBytes("""{ "Parts": [ { "Extra": 0, "Number": 1 } ], "Remark": "x", "Id": 1 }""") },
        // Integers in more bytes than they need, an array with a count of 32 bits.
        { "application/x-msgpack", [0x93, 0xD2, 0, 0, 0, 1, 0xA1, (byte)'x', 0xDD, 0, 0, 0, 1, 0x92, 0xD0, 1, 0] },
        // Fields in another order, and a zero that need not be there.
        { "application/x-protobuf", [0x1A, 4, 0x10, 0, 0x08, 1, 0x12, 1, (byte)'x', 0x08, 1] },
        {
            "text/xml",
            Encoding.UTF8.GetBytes("""<?xml version="1.0"?><!-- c --><Ticket xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"><Remark>x</Remark><Id>1</Id><Parts><NarrowPart><Extra>0</Extra><Number>1</Number></NarrowPart></Parts></Ticket>""")
        },
    };

    [Theory]
    [MemberData(nameof(Foreign))]
    public async Task A_body_that_others_have_written_in_their_way_loses_nothing_either(string contentType, byte[] body)
    {
        await SendAsync(new QueueMessage(new MessageBody(body, 0, contentType)));

        ToolResult result = await RunAsync([Source, Destination, .. TypeOf<WideTicket>(), "--to-format", "versioned"]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        var moved = (WideTicket)FormatterOf<WideTicket>("versioned").Read(Assert.Single(await TakeAsync(Destination)).Body)!;
        Assert.Equal((1, "x", 1), (moved.Id, moved.Remark, Assert.Single(moved.Parts).Number));
    }

    [Fact]
    public async Task With_an_error_queue_what_would_change_goes_there_as_it_is_and_the_exit_code_says_so()
    {
        await SendAsync(
            Written(new LegacyBinaryFormatter<Delicate>(), new Delicate { Placed = new DateTime(2026, 1, 2), Price = 1 }, "kind"),
            Written(new LegacyBinaryFormatter<Delicate>(), new Delicate { Placed = new DateTime(2026, 1, 2, 0, 0, 0, DateTimeKind.Utc), Price = 1 }, "good"));
        string[] args = [Source, Destination, .. TypeOf<Delicate>(), "--to-format", "messagepack", "--error-queue", Errors];

        ToolResult dry = await RunAsync([.. args, "--dry-run"]);
        ToolResult run = await RunAsync(args);

        Assert.Equal((3, 3), (dry.ExitCode, run.ExitCode));
        Assert.Contains("1 moved, 1 to the error queue", run.Output, StringComparison.Ordinal);
        Assert.Contains("Delicate.Placed:kind: Unspecified became Utc; first in message kind, Delicate.Placed.", Words(run.Output), StringComparison.Ordinal);
        Assert.Equal("good", Assert.Single(await TakeAsync(Destination)).MessageId);
        ReceivedMessage aside = Assert.Single(await TakeAsync(Errors));
        Assert.Equal(("kind", "WouldChange", "compare", "Delicate.Placed"), (aside.MessageId, aside.Headers["formatters-error-code"], aside.Headers["formatters-error-step"], aside.Headers["formatters-error-member"]));
        Assert.Contains("--allow Delicate.Placed:kind", (string)aside.Headers["formatters-error"], StringComparison.Ordinal);
        Assert.Equal(DateTimeKind.Unspecified, new LegacyBinaryFormatter<Delicate>().Read(aside.Body.Bytes).Placed.Kind);
    }

    [Fact]
    public async Task The_guides_own_example_says_which_dates_would_change_their_kind()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(LineItem));
        const int OtherCount = 67;
        await SendAsync([.. Enumerable.Range(0, 100).Select(i =>
        {
            Order order = SampleOrders.Create(seed: i);
            order.Date = DateTime.SpecifyKind(order.Date, i < OtherCount ? DateTimeKind.Unspecified : DateTimeKind.Utc);
            return Written(new LegacyBinaryFormatter<Order>(options), order, $"{i}");
        })]);
        string[] args = [Source, Destination, "--assembly", typeof(Order).Assembly.Location, "--type", "Formatters.Orders.Order", "--type", "Formatters.Orders.LineItem", "--to-format", "messagepack"];

        ToolResult dry = await RunAsync([.. args, "--dry-run"]);
        ToolResult allowed = await RunAsync([.. args, "--allow", "Order.Date:kind"]);

        Assert.Equal((3, 0), (dry.ExitCode, allowed.ExitCode));
        Assert.Matches($@"Order\.Date:kind +refused +{OtherCount} +{OtherCount}\r?\n", dry.Output);
        Assert.Equal(100, await _tool.CountAsync(Destination));
    }

    public static TheoryData<string, string, string, Delicate> Losses { get; } = new()
    {
        { "json", "Delicate.From:type", "NamedSpot became Spot", new Delicate { From = new NamedSpot { X = 1, Name = "n" } } },
        { "json", "Delicate.Stock:comparer", "became the default comparer", new Delicate { Stock = new(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 } } },
        { "json", "Delicate.To:identity", "one object in several places", Shared() },
        { "xml", "Delicate:", "", new Delicate { From = new NamedSpot() } },
    };

    [Theory]
    [MemberData(nameof(Losses))]
    public async Task What_the_new_format_does_not_carry_is_refused(string format, string change, string detail, Delicate payload)
    {
        await SendAsync(Written(new LegacyBinaryFormatter<Delicate>(LegacyBinaryOptions.Default.WithType(typeof(NamedSpot))), payload, "m"));

        ToolResult result = await RunAsync([Source, Destination, .. TypeOf<Delicate>(), "--type", typeof(NamedSpot).FullName!, "--to-format", format, "--dry-run"]);

        // XmlSerializer has no dictionaries: usage, before any message is read.
        Assert.Equal(format == "xml" ? 2 : 3, result.ExitCode);
        if (format == "xml")
            return;
        Assert.Contains(change, result.Output.Replace("Delicate.From:identity", "Delicate.To:identity", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Contains(detail, Words(result.Output), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_dictionary_of_many_keys_takes_no_longer_than_its_size()
    {
        var stock = Enumerable.Range(0, 200_000).ToDictionary(i => $"k{i}", i => i);
        // One space: the body is not the one that would be written.
        byte[] body = [.. " "u8, .. new JsonFormatter<Delicate>().Write(new Delicate { Stock = stock })];
        await SendAsync(new QueueMessage(new MessageBody(body, 0, "application/json")));

        // Element by element it would be 20,000,000,000 steps.
        ToolResult result = await RunAsync([Source, Destination, .. TypeOf<Delicate>(), "--to-format", "legacy-binary", "--allow", "Delicate.Placed:kind"]).WaitAsync(TimeSpan.FromMinutes(2));

        Assert.True(result.ExitCode == 0, result.Error);
    }

    [Fact]
    public async Task A_body_that_grows_too_much_is_refused()
    {
        var numbers = new ManyNumbersWithLongNames { NumbersThatAreOneByteEachInOneFormat = new int[3000] };
        await SendAsync(Written(new MessagePackFormatter<ManyNumbersWithLongNames>(), numbers, "grows"));
        string[] args = [Source, Destination, .. TypeOf<ManyNumbersWithLongNames>(), "--to-format", "xml"];

        ToolResult refused = await RunAsync([.. args, "--max-growth", "2"]);
        ToolResult allowed = await RunAsync(args);
        ToolResult wrong = await RunAsync([.. args, "--max-growth", "0.5"]);

        Assert.Equal((3, 0, 2), (refused.ExitCode, allowed.ExitCode, wrong.ExitCode));
        Assert.Contains("refused: TooLarge", refused.Output, StringComparison.Ordinal);
        Assert.Contains("more than --max-growth 2 allows", refused.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("json", 0)]
    [InlineData("messagepack", 0)]
    [InlineData("versioned", 0)]
    [InlineData("legacy-binary", 0)]
    [InlineData("binary", 3)]
    [InlineData("protobuf", 3)]
    public async Task Types_without_annotations_may_hold_null(string format, int exitCode)
    {
        await SendAsync(Written(new LegacyBinaryFormatter<UnannotatedTicket>(), new UnannotatedTicket { Parts = [new UnannotatedPart()] }, "null"));
        string[] args = [Source, Destination, .. TypeOf<UnannotatedTicket>(), "--to-format", format];

        ToolResult dry = await RunAsync([.. args, "--dry-run"]);
        ToolResult result = await RunAsync(args);

        Assert.Equal((exitCode, exitCode), (dry.ExitCode, result.ExitCode));
        if (exitCode == 0)
            return;
        Assert.Contains("cannot be written: UnexpectedNull", dry.Output, StringComparison.Ordinal);
        Assert.Contains($"The body was read as legacy-binary; writing it as {format}: ", result.Error, StringComparison.Ordinal);
        Assert.Contains("--unannotated-null", result.Error, StringComparison.Ordinal);
        ToolResult allowed = await RunAsync([.. args, "--unannotated-null"]);
        Assert.True(allowed.ExitCode == 0, allowed.Error);
        ToolResult back = await RunAsync([Destination, Source, .. TypeOf<UnannotatedTicket>(), "--to-format", "legacy-binary", "--unannotated-null"]);
        Assert.True(back.ExitCode == 0, back.Error);
        UnannotatedTicket read = new LegacyBinaryFormatter<UnannotatedTicket>().Read(Assert.Single(await TakeAsync(Source)).Body.Bytes);
        Assert.Equal((null, null), (read.Remark, Assert.Single(read.Parts).Name));
    }

    [Fact]
    public async Task An_error_says_which_side_failed()
    {
        await SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 }, 768, null)) { MessageId = "bad" });

        ToolResult result = await RunAsync([Source, Destination, .. TypeOf<UnannotatedTicket>(), "--to-format", "json"]);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The message bad cannot be read and is still in its queue; with --error-queue it would be put aside: Reading the source's body as legacy-binary: ", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_change_that_does_not_exist_is_a_mistake()
    {
        ToolResult result = await RunAsync([Source, Destination, "--to-format", "activex", "--allow", "Order.Date"]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("Type.Member:change", result.Error, StringComparison.Ordinal);
    }

    /// <summary>A report without its line ends.</summary>
    private static string Words(string output) => string.Join(' ', output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    private static string[] Names => ["--legacy-name", $"{typeof(NarrowTicket).FullName}=Old.Ticket,OldShop", "--legacy-name", $"{typeof(NarrowPart).FullName}=Old.Part,OldShop"];

    private static string[] TypeOf<T>() => ["--assembly", TestAssembly, "--type", typeof(T).FullName!];

    private static Delicate Shared()
    {
        var spot = new Spot { X = 1 };
        return new Delicate { From = spot, To = spot };
    }

    private static IMessageFormatter FormatterOf<T>(string format) => format switch
    {
        "legacy-binary" => new LegacyBinaryFormatter<T>(OldNames),
        "xml" => new XmlFormatter(typeof(T)),
        "json" => new JsonFormatter<T>(),
        "messagepack" => new MessagePackFormatter<T>(),
        "protobuf" => new ProtobufFormatter<T>(),
        _ => new VersionedFormatter<T>(VersionedOptions.Default),
    };

    private static QueueMessage Written(IMessageFormatter formatter, object value, string? id = null)
    {
        var message = new QueueMessage { MessageId = id };
        formatter.Write(message.Body, value);
        return message;
    }

    private Task<ToolResult> RunAsync(params string[] args) => _tool.RunAsync(["migrate", .. args, "--wait", "0"]);

    private async Task SendAsync(params QueueMessage[] messages)
    {
        await using QueueClient queue = await _tool.Connector.OpenAsync(Source, QueueOptions.Fastest);
        foreach (QueueMessage message in messages)
            await queue.SendAsync(message);
    }

    private async Task<List<ReceivedMessage>> TakeAsync(string address)
    {
        await using QueueClient queue = await _tool.Connector.OpenAsync(address, QueueOptions.Fastest);
        var messages = new List<ReceivedMessage>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            messages.Add(message);
        return messages;
    }
}
