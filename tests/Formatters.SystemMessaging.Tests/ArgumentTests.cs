using System;
using System.ComponentModel;
using System.Messaging;
using System.Security.Permissions;
using System.Threading.Tasks;
using Formatters.Queues;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

/// <summary>The defaults of properties, and the checks of setters and constructors, are those of .NET Framework.</summary>
public class ArgumentTests(TestQueues queues) : IClassFixture<TestQueues>
{
    private const string Id = @"0f8fad5b-d9cb-469f-a165-70867728950e\17";

    public static TheoryData<string, Type?, Action> Setters { get; } = new()
    {
        { "CorrelationId null", typeof(ArgumentNullException), static () => new Message { CorrelationId = null! } },
        { "CorrelationId without number", typeof(InvalidOperationException), static () => new Message { CorrelationId = Guid.Empty.ToString() } },
        { "CorrelationId no guid", typeof(InvalidOperationException), static () => new Message { CorrelationId = @"a\1" } },
        { "CorrelationId no number", typeof(InvalidOperationException), static () => new Message { CorrelationId = Guid.Empty + @"\a" } },
        { "CorrelationId large number", typeof(InvalidOperationException), static () => new Message { CorrelationId = Guid.Empty + @"\4294967296" } },
        { "CorrelationId two numbers", typeof(InvalidOperationException), static () => new Message { CorrelationId = Id + @"\1" } },
        { "CorrelationId", null, static () => new Message { CorrelationId = Id } },
        { "CorrelationId empty", null, static () => new Message { CorrelationId = "" } },
        { "CorrelationId negative", null, static () => new Message { CorrelationId = Guid.Empty + @"\-1" } },
        { "Formatter null", typeof(ArgumentNullException), static () => new Message { Formatter = null! } },
        { "CreatedAfter early", typeof(ArgumentException), static () => new MessageQueueCriteria { CreatedAfter = new DateTime(1969, 12, 31) } },
        { "CreatedBefore late", typeof(ArgumentException), static () => new MessageQueueCriteria { CreatedBefore = new DateTime(2038, 1, 20) } },
        { "ModifiedAfter early", typeof(ArgumentException), static () => new MessageQueueCriteria { ModifiedAfter = DateTime.MinValue } },
        { "ModifiedBefore late", typeof(ArgumentException), static () => new MessageQueueCriteria { ModifiedBefore = DateTime.MaxValue } },
        { "ModifiedBefore", null, static () => new MessageQueueCriteria { ModifiedBefore = new DateTime(2038, 1, 19) } },
        { "generic rights", typeof(InvalidEnumArgumentException), static () => new AccessControlEntry { GenericAccessRights = (GenericAccessRights)1 } },
        { "standard rights", typeof(InvalidEnumArgumentException), static () => new AccessControlEntry { StandardAccessRights = (StandardAccessRights)1 } },
        { "rights", null, static () => new AccessControlEntry
            { GenericAccessRights = GenericAccessRights.All, StandardAccessRights = StandardAccessRights.Synchronize } },
        { "Category null", typeof(InvalidOperationException), static () => Attribute().Category = null },
        { "Label null", typeof(InvalidOperationException), static () => Attribute().Label = null },
        { "MachineName null", typeof(InvalidOperationException), static () => Attribute().MachineName = null },
        { "MachineName empty", typeof(ArgumentException), static () => Attribute().MachineName = "" },
        { "MachineName", null, static () => Attribute().MachineName = "," },
        { "Path null", typeof(InvalidOperationException), static () => Attribute().Path = null },
        { "Path without machine", typeof(ArgumentException), static () => Attribute().Path = "Mono" },
        { "Path", null, static () => Attribute().Path = @"\Mono" },
        { "Path of nothing", null, static () => Attribute().Path = "" },
        { "Path of any", null, static () => Attribute().Path = "*" },
        { "Path beside label", typeof(InvalidOperationException), static () =>
            { MessageQueuePermissionAttribute attribute = Attribute(); attribute.Label = "a"; attribute.Path = "*"; } },
        { "no criteria", typeof(ArgumentNullException), static () => Attribute().CreatePermission() },
        { "entry's path", typeof(ArgumentException), static () => new MessageQueuePermissionEntry(MessageQueuePermissionAccess.Send, "Mono") },
        { "entry's machine", typeof(ArgumentException), static () => new MessageQueuePermissionEntry(MessageQueuePermissionAccess.Send, "", null, null) },
    };

    [Theory]
    [MemberData(nameof(Setters))]
    public void Setters_check_their_values(string what, Type? expected, Action set) =>
        Assert.True(expected == Record.Exception(set)?.GetType(), what);

    [Fact]
    public void A_message_that_was_not_sent_has_defaults()
    {
        var message = new Message();
        Assert.Equal((false, false, ""), (message.IsFirstInTransaction, message.IsLastInTransaction, message.TransactionId));
        foreach (Func<object> get in new Func<object>[]
            {
                () => message.Acknowledgment, () => message.ArrivedTime, () => message.Authenticated, () => message.DestinationQueue!,
                () => message.LookupId, () => message.MessageType, () => message.SenderId, () => message.SenderVersion, () => message.SentTime,
                () => message.SourceMachine,
            })
            Assert.Throws<InvalidOperationException>(get);
    }

    [Fact]
    public void A_criterion_moves_the_other_end_of_its_interval()
    {
        DateTime early = new(2020, 1, 1), late = new(2021, 1, 1);
        var criteria = new MessageQueueCriteria { CreatedBefore = early, CreatedAfter = late, ModifiedAfter = late, ModifiedBefore = early };
        Assert.Equal((late, early), (criteria.CreatedBefore, criteria.ModifiedAfter));
    }

    [Fact]
    public void A_criterion_looks_at_its_property()
    {
        // Created in 2020 and changed in 2022.
        var properties = new QueueProperties { Label = "a", Category = Guid.Parse(Id[..36]), CreateTime = Middle(2020), LastModifyTime = Middle(2022) };
        foreach ((MessageQueueCriteria criteria, bool isMatch) in new (MessageQueueCriteria, bool)[]
            {
                (new(), true), (new() { Label = "a" }, true), (new() { Label = "b" }, false), (new() { Category = properties.Category }, true), (new() { Category = Guid.Empty }, false),
                (new() { CreatedAfter = Middle(2019) }, true), (new() { CreatedAfter = Middle(2021) }, false), (new() { CreatedBefore = Middle(2019) }, false), (new() { CreatedBefore = Middle(2021) }, true),
                (new() { ModifiedAfter = Middle(2021) }, true), (new() { ModifiedAfter = Middle(2023) }, false), (new() { ModifiedBefore = Middle(2021) }, false), (new() { ModifiedBefore = Middle(2023) }, true),
            })
            Assert.Equal(isMatch, criteria.Match(properties));

        static DateTime Middle(int year) => new(year, 7, 1, 0, 0, 0, DateTimeKind.Utc);
    }

    [Fact]
    public void A_constructor_stores_its_path_and_the_first_use_checks_it()
    {
        foreach ((string path, Type type) in new (string, Type)[]
            {
                ("orders", typeof(ArgumentException)), (@"a\private$\b;c;d", typeof(MessageQueueException)), (@".\", typeof(MessageQueueException)),
                (@".\privat$\a", typeof(ArgumentException)), (@".\private$\a\b", typeof(ArgumentException)),
                (@".\private$\", typeof(MessageQueueException)), (@".\a\journal$\b", typeof(ArgumentException)),
                (@"FormatName:DIRECT=OS:.\a\b", typeof(MessageQueueException)), ("FormatName:DIRECT=OS:", typeof(MessageQueueException)), ("FormatName:NONSENSE=1", typeof(MessageQueueException)),
            })
        {
            using MessageQueue queue = new(path), other = new(path, QueueAccessMode.Send), third = new(path, true), fourth = new(path, false, true);
            Assert.Equal((path, path, path, path), (queue.Path, other.Path, third.Path, fourth.Path));
            Action[] all = [() => queue.Send("x"), () => queue.Receive(TimeSpan.Zero), () => queue.Peek(TimeSpan.Zero), () => _ = queue.FormatName,
                () => _ = queue.Label, queue.Purge, () => queue.GetAllMessages()];
            foreach (Action use in all)
            {
                var e = Record.Exception(use);
                Assert.True(type == e?.GetType(), path + ": " + e);
                if (e is MessageQueueException failure)
                {
                    Assert.Equal(path.StartsWith("Format", StringComparison.Ordinal) ? MessageQueueErrorCode.IllegalFormatName
                        : MessageQueueErrorCode.IllegalQueuePathName, failure.MessageQueueErrorCode);
                }
            }

            if (type == typeof(ArgumentException))
                Assert.Throws<ArgumentException>(() => new MessageQueue { Path = path });
            queue.Path = @".\private$\a";
            Assert.EndsWith(@"\private$\a", queue.FormatName, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Null_is_a_value_of_ActiveX()
    {
        var formatter = new ActiveXMessageFormatter();
        var message = new Message();
        formatter.Write(message, null);
        Assert.Equal((1, 0L), (message.BodyType, message.BodyStream.Length));
        Assert.True(formatter.CanRead(message));
        Assert.Null(formatter.Read(message));
    }

    /// <summary>A program can answer every message, also one whose sender gives other ids than Message Queuing.</summary>
    [Fact]
    public async Task The_id_of_a_received_message_is_a_correlation_id()
    {
        using MessageQueue queue = queues.Create("memory");
        await using QueueClient same = await new QueueConnector(MemoryQueueProvider.Shared).OpenAsync(
            queues.Configuration.Machines["memory"] + queue.QueueName[@"private$\".Length..]);
        await same.SendAsync(new QueueMessage { MessageId = "order-17", CorrelationId = "order-16" });
        queue.MessageReadPropertyFilter.SetAll();
        Message request = queue.Receive(TimeSpan.FromSeconds(30));
        queue.Send(new Message { CorrelationId = request.Id, Formatter = new XmlMessageFormatter() });
        queue.Send(new Message { CorrelationId = request.CorrelationId, Formatter = new XmlMessageFormatter() });
        Assert.Equal("order-17", queue.ReceiveByCorrelationId("order-17").CorrelationId);
        Assert.Equal("order-16", queue.ReceiveByCorrelationId("order-16").CorrelationId);
    }

    private static MessageQueuePermissionAttribute Attribute() => new(SecurityAction.Assert);
}
