using System.Buffers;
using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>One formatter under comparison: the name it has in every table, and the formatter itself over the order of the study.</summary>
/// <param name="Name">The name, as <c>--formatter</c> takes it: at most 18 characters, for the tables.</param>
/// <param name="Description">What writes the bytes, in a few words.</param>
/// <param name="Formatter">The formatter. One instance serves all threads.</param>
internal record OrderFormatterRow(string Name, string Description, MessageFormatter<Order> Formatter)
{
    /// <summary>Makes the payload of this row's messages.</summary>
    /// <param name="name">Its name in tables.</param>
    /// <param name="orders">What the messages carry, in turn.</param>
    internal virtual Payload CreatePayload(string name, IReadOnlyList<Order> orders) =>
        new Payload<Order>(name, Formatter, orders, static order => order.Date.Ticks, static (one, other) => one.ContentEquals(other));
}

/// <summary>A formatter over another form of the order: the messages carry that form, so that nothing is converted while a clock runs.</summary>
internal sealed record ConvertedOrderRow<T> : OrderFormatterRow
{
    private readonly Func<T, long> _key;

    /// <param name="description">What writes the bytes.</param>
    /// <param name="key">Tells orders apart: the ticks of the date.</param>
    internal ConvertedOrderRow(string name, string description, MessageFormatter<T> formatter, Func<Order, T> from, Func<T, Order> to,
        Func<T, long> key)
        : base(name, description, new Converting(formatter, from, to))
    {
        Measured = formatter;
        From = from;
        To = to;
        _key = key;
    }

    internal MessageFormatter<T> Measured { get; }
    internal Func<Order, T> From { get; }
    internal Func<T, Order> To { get; }

    internal override Payload CreatePayload(string name, IReadOnlyList<Order> orders) =>
        new Payload<T>(name, Measured, [.. orders.Select(From)], _key, (one, other) => To(one).ContentEquals(To(other)));

    private sealed class Converting(MessageFormatter<T> formatter, Func<Order, T> from, Func<T, Order> to)
        : MessageFormatter<Order>(formatter.ContentType, formatter.BodyType, formatter.Limits)
    {
        public override void Write(IBufferWriter<byte> destination, Order value) => formatter.Write(destination, from(value));

        public override Order Read(ReadOnlySpan<byte> body) => to(formatter.Read(body));
    }
}
