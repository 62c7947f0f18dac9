using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
#if !FORMATTERS_NETSTANDARD
using System.IO.Pipelines;
#endif
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Buffers;
using Formatters.Orders;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests;

/// <summary>Several bodies in one stream, buffer or pipe, each with its length in front.</summary>
public sealed class DelimitedTests
{
    private static readonly MessageFormatter<string> Text = MessageFormatter.Create<string>(WireFormat.MessagePack);

    /// <summary>Lengths at which the prefix becomes longer: 127 and 128, 16,383 and 16,384 bytes with the head of the string.</summary>
    private static readonly string[] Values = ["", "a", .. new[] { 125, 126, 127, 128, 200, 16_380, 16_381, 16_382, 70_000 }.Select(count => new string('x', count))];

    private static MemoryStream Written()
    {
        var stream = new MemoryStream();
        foreach (string value in Values)
            Text.WriteDelimited(stream, value);
        stream.Position = 0;
        return stream;
    }

    public static TheoryData<string> Formats => [.. WireFormat.All.Where(format => format != WireFormat.LegacyBinary).Select(format => format.Name)];

    [Theory]
    [MemberData(nameof(Formats))]
    public void Every_format_writes_and_reads_them(string name)
    {
        MessageFormatter<Item> formatter = MessageFormatter.Create<Item>(WireFormat.All.Single(format => format.Name == name));
        var stream = new MemoryStream();
        Item[] items = [.. Enumerable.Range(0, 5).Select(i => new Item { Number = 100 * i, Name = new string('x', 60 * i) })];
        foreach (Item item in items)
            formatter.WriteDelimited(stream, item);
        stream.Position = 0;

        Assert.Equal(items.Select(item => (item.Number, item.Name)), formatter.ReadAllDelimited(stream).Select(item => (item.Number, item.Name)));
    }

    public sealed class Item
    {
        [MessageMember(1)]
        public int Number { get; set; }

        [MessageMember(2)]
        public string Name { get; set; } = "";
    }

    [Fact]
    public void A_length_is_a_varint_in_front_of_the_body()
    {
        byte[] body = Text.Write(Values[6]);
        var buffer = new StingyBufferWriter();

        Text.WriteDelimited(buffer, Values[6]);

        Assert.Equal([(byte)(body.Length | 0x80), (byte)(body.Length >> 7), .. body], buffer.ToArray());
    }

    [Fact]
    public async Task A_stream_has_them_one_after_the_other()
    {
        using MemoryStream stream = Written();
        var copy = new MemoryStream();
        foreach (string value in Values)
            await Text.WriteDelimitedAsync(copy, value);

        Assert.Equal(stream.ToArray(), copy.ToArray());
        Assert.Equal(Values, Text.ReadAllDelimited(new Dribbling(stream)));
        Assert.False(Text.TryReadDelimited(stream, out _));
#if !FORMATTERS_NETSTANDARD
        copy.Position = 0;
        var read = new List<string>();
        await foreach (string value in Text.ReadAllDelimitedAsync(new Dribbling(copy)))
            read.Add(value);
        Assert.Equal(Values, read);
#endif
    }

    [Fact]
    public void No_byte_after_a_body_is_read()
    {
        using MemoryStream stream = Written();

        Assert.Equal(Values.Take(4), Text.ReadAllDelimited(stream).Take(4));
        Assert.True(Text.TryReadDelimited(stream, out string? next));
        Assert.Equal(Values[4], next);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100_000)]
    public void A_buffer_gives_what_is_complete(int segmentByteCount)
    {
        byte[] bytes = Written().ToArray();
        var read = new List<string>();
        ReadOnlySequence<byte> all = Bytes.Segmented(bytes, segmentByteCount);
        while (Text.TryReadDelimited(ref all, out string? value))
            read.Add(value);
        Assert.Equal(Values, read);
        Assert.True(all.IsEmpty);

        // Every prefix of the first 700 bytes: what is complete is read, the rest stays.
        for (int length = 0; length < 700; length++)
        {
            ReadOnlySequence<byte> part = Bytes.Segmented(bytes[..length], segmentByteCount);
            int count = 0;
            while (Text.TryReadDelimited(ref part, out string? value))
                Assert.Equal(Values[count++], value);
            int consumed = Values.Take(count).Sum(value => Delimited(value).Length);
            Assert.Equal(length - consumed, part.Length);
            Assert.True(length - consumed < Delimited(Values[count]).Length);
        }
    }

    [Fact]
    public async Task A_damaged_body_is_skipped_and_the_next_is_read()
    {
        byte[] bytes = [.. Delimited("one"), 3, 0xA5, 0x61, 0x61, .. Delimited("two")];

        var stream = new MemoryStream(bytes);
        Assert.True(Text.TryReadDelimited(stream, out string? first));
        Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => Text.TryReadDelimited(stream, out _)).Code);
        Assert.True(Text.TryReadDelimited(stream, out string? second));
        Assert.Equal(("one", "two"), (first, second));

        var buffer = new ReadOnlySequence<byte>(bytes);
        Assert.True(Text.TryReadDelimited(ref buffer, out first));
        MessageFormatException? error = null;
        try
        {
            Text.TryReadDelimited(ref buffer, out _);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        Assert.NotNull(error);
        Assert.True(Text.TryReadDelimited(ref buffer, out second));
        Assert.Equal(("one", "two"), (first, second));
#if !FORMATTERS_NETSTANDARD
        PipeReader pipe = PipeReader.Create(new ReadOnlySequence<byte>(bytes));
        var read = new List<string>();
        await Assert.ThrowsAsync<MessageFormatException>(async () =>
        {
            await foreach (string value in Text.ReadAllDelimitedAsync(pipe))
                read.Add(value);
        });
        await foreach (string value in Text.ReadAllDelimitedAsync(pipe))
            read.Add(value);
        Assert.Equal(["one", "two"], read);
#else
        await Task.CompletedTask;
#endif
    }

    [Theory]
    [InlineData("80", MessageFormatErrorCode.Truncated)]
    [InlineData("FFFF", MessageFormatErrorCode.Truncated)]
    [InlineData("05 A4", MessageFormatErrorCode.Truncated)]
    [InlineData("8000", MessageFormatErrorCode.BadLength)]
    [InlineData("818000", MessageFormatErrorCode.BadLength)]
    [InlineData("FFFFFFFF08", MessageFormatErrorCode.BadLength)]
    [InlineData("FFFFFFFFFF01", MessageFormatErrorCode.BadLength)]
    [InlineData("FFFFFFFF07", MessageFormatErrorCode.LimitExceeded)]
    [InlineData("81808008", MessageFormatErrorCode.LimitExceeded)]
    public async Task A_bad_length_is_an_error_before_anything_is_rented(string hex, MessageFormatErrorCode code)
    {
        byte[] bytes = Bytes.Hex(hex);

        Assert.Equal(code, Assert.Throws<MessageFormatException>(() => Text.TryReadDelimited(new MemoryStream(bytes), out _)).Code);
        Assert.Equal(code == MessageFormatErrorCode.Truncated ? null : code, OfBuffer(bytes));
#if !FORMATTERS_NETSTANDARD
        async Task Enumerate(IAsyncEnumerable<string> values)
        {
            await foreach (string value in values)
                Assert.Fail(value);
        }

        Assert.Equal(code, (await Assert.ThrowsAsync<MessageFormatException>(() => Enumerate(Text.ReadAllDelimitedAsync(new MemoryStream(bytes))))).Code);
        Assert.Equal(code, (await Assert.ThrowsAsync<MessageFormatException>(() => Enumerate(Text.ReadAllDelimitedAsync(PipeReader.Create(Bytes.Segmented(bytes, 1)))))).Code);
        if (code != MessageFormatErrorCode.Truncated)
        {
            // The pipe goes on, and the error does not wait for it.
            var pipe = new Pipe();
            await pipe.Writer.WriteAsync(bytes);
            Assert.Equal(code, (await Assert.ThrowsAsync<MessageFormatException>(() => Enumerate(Text.ReadAllDelimitedAsync(pipe.Reader)))).Code);
        }
#else
        await Task.CompletedTask;
#endif
    }

    [Fact]
    public async Task A_body_of_the_largest_size_is_read()
    {
        byte[] bytes = Delimited("text");
        MessageFormatter<string> formatter = MessageFormatter.Create<string>(
            WireFormat.MessagePack, FormatterLimits.Default with { MaxBodyByteCount = bytes.Length - 1 });

        Assert.True(formatter.TryReadDelimited(new MemoryStream(bytes), out string? value));
        var buffer = new ReadOnlySequence<byte>(bytes);
        Assert.True(formatter.TryReadDelimited(ref buffer, out string? ofBuffer));
        Assert.Equal(("text", "text"), (value, ofBuffer));
#if !FORMATTERS_NETSTANDARD
        await foreach (string ofStream in formatter.ReadAllDelimitedAsync(new MemoryStream(bytes)))
            Assert.Equal("text", ofStream);
#else
        await Task.CompletedTask;
#endif
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void A_length_whose_bytes_are_missing_allocates_little()
    {
        // 16 MiB, of which one byte has come.
        var stream = new MemoryStream(Bytes.Hex("80808008 A1"));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => Text.TryReadDelimited(stream, out _)).Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 << 20);
    }
#endif

    private static MessageFormatErrorCode? OfBuffer(byte[] bytes)
    {
        try
        {
            var buffer = new ReadOnlySequence<byte>(bytes);
            Assert.False(Text.TryReadDelimited(ref buffer, out _));
            Assert.Equal(bytes.Length, buffer.Length);
            return null;
        }
        catch (MessageFormatException e)
        {
            return e.Code;
        }
    }

    [Fact]
    public void What_cannot_be_written_leaves_the_destination_as_it_is()
    {
        var formatter = new MessagePackFormatter<string>(new MessagePackOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 10 } });
        var stream = new MemoryStream();
        var buffer = new PooledBufferWriter();

        Assert.Throws<MessageFormatException>(() => formatter.WriteDelimited(stream, Values[5]));
        Assert.Throws<MessageFormatException>(() => formatter.WriteDelimited(buffer, Values[5]));
        // Also of the asynchronous method, before there is a task.
        Assert.Throws<MessageFormatException>(() => { _ = formatter.WriteDelimitedAsync(stream, Values[5]); });

        Assert.Equal((0, 0), (stream.Length, buffer.WrittenCount));
    }

    private static byte[] Delimited(string value)
    {
        using var buffer = new PooledBufferWriter();
        Text.WriteDelimited(buffer, value);
        return buffer.WrittenSpan.ToArray();
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public async Task A_pipe_takes_one_body_and_gives_it_at_its_end()
    {
        var pipe = new Pipe();
        Order order = SampleOrders.Create(3);
        var formatter = new CborFormatter<Order>();

        FlushResult flushed = await formatter.WriteAsync(pipe.Writer, order);
        Task<Order> reading = formatter.ReadAsync(pipe.Reader);
        Assert.False(flushed.IsCompleted);
        Assert.False(reading.IsCompleted);
        await pipe.Writer.CompleteAsync();

        Assert.True(order.ContentEquals(await reading));
        await Assert.ThrowsAsync<MessageFormatException>(async () => await formatter.ReadAsync(pipe.Reader));
    }

    [Fact]
    public async Task A_pipe_with_more_than_the_limit_is_an_error_while_it_is_open()
    {
        var pipe = new Pipe();
        var formatter = new MessagePackFormatter<string>(new MessagePackOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 10 } });
        await pipe.Writer.WriteAsync(new byte[11]);

        Assert.Equal(MessageFormatErrorCode.LimitExceeded, (await Assert.ThrowsAsync<MessageFormatException>(async () => await formatter.ReadAsync(pipe.Reader))).Code);
    }

    [Fact]
    public async Task Bodies_through_a_pipe_arrive_in_order_whatever_its_segments()
    {
        var random = new Random(TestScale.Seed(20261127));
        byte[] bytes = Written().ToArray();
        for (int round = 0; round < 30; round++)
        {
            var pipe = new Pipe(new PipeOptions(minimumSegmentSize: random.Next(1, 300)));
            Task writing = Task.Run(async () =>
            {
                for (int at = 0; at < bytes.Length;)
                {
                    int count = Math.Min(random.Next(1, 9_000), bytes.Length - at);
                    await pipe.Writer.WriteAsync(bytes.AsMemory(at, count));
                    at += count;
                }

                await pipe.Writer.CompleteAsync();
            });
            var read = new List<string>();
            // Enumerations that end early leave what they did not take.
            while (read.Count < Values.Length)
            {
                int take = random.Next(1, 5);
                await foreach (string value in Text.ReadAllDelimitedAsync(pipe.Reader))
                {
                    read.Add(value);
                    if (--take == 0)
                        break;
                }
            }

            await writing;
            Assert.Equal(Values, read);
        }
    }

    [Fact]
    public async Task A_canceled_read_leaves_what_has_come_in_the_pipe()
    {
        var pipe = new Pipe();
        byte[] one = Delimited("one");
        await pipe.Writer.WriteAsync(one.AsMemory(0, 2));
        using var cancellation = new CancellationTokenSource();
        await using IAsyncEnumerator<string> values = Text.ReadAllDelimitedAsync(pipe.Reader, cancellation.Token).GetAsyncEnumerator();
        Task<bool> moving = values.MoveNextAsync().AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => moving);

        Task<string> reading = Text.ReadAsync(pipe.Reader);
        pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);

        await pipe.Writer.WriteAsync(one.AsMemory(2));
        await pipe.Writer.CompleteAsync();
        await using IAsyncEnumerator<string> again = Text.ReadAllDelimitedAsync(pipe.Reader).GetAsyncEnumerator();
        Assert.True(await again.MoveNextAsync());
        Assert.Equal("one", again.Current);
        Assert.False(await again.MoveNextAsync());
    }

    [Fact]
    public async Task A_pipe_whose_value_cannot_be_written_stays_empty()
    {
        var pipe = new Pipe();
        var formatter = new MessagePackFormatter<string>(new MessagePackOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 10 } });
        Assert.Throws<MessageFormatException>(() => { _ = formatter.WriteDelimitedAsync(pipe.Writer, Values[5]).AsTask(); });
        await formatter.WriteDelimitedAsync(pipe.Writer, "a");
        await pipe.Writer.CompleteAsync();

        var read = new List<string>();
        await foreach (string value in formatter.ReadAllDelimitedAsync(pipe.Reader))
            read.Add(value);
        Assert.Equal(["a"], read);
    }
#endif

    /// <summary>A stream that gives at most three bytes at a time.</summary>
    private sealed class Dribbling(Stream inner) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, Math.Min(count, 3));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            inner.ReadAsync(buffer[..Math.Min(buffer.Length, 3)], cancellationToken);

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
