using System;
using System.Collections.Generic;
using Formatters.LegacyBinary;
using Formatters.Orders;

namespace Formatters.Interop.Tests.SystemMessaging;

/// <summary>The formats in which orders travel between System.Messaging and .NET: the same table at both ends.</summary>
internal static class OrderFormats
{
    /// <summary>How many orders of each format.</summary>
    public const int OrderCount = 5;

    /// <summary>What System.Messaging's own formatters are called in the place of a name of <see cref="All"/>.</summary>
    public const string GenuineBinary = "BinaryMessageFormatter";

    public const string GenuineXml = "XmlMessageFormatter";

    public static IReadOnlyDictionary<string, MessageFormatter<Order>> All { get; } = new Dictionary<string, MessageFormatter<Order>>
    {
        ["hand-coded"] = new HandCodedFormatter<Order>(),
        ["reflection"] = new BinaryBodyFormatter<Order>(),
        ["legacy-binary"] = new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default.WithType(typeof(LineItem))),
        ["xml"] = new XmlFormatter<Order>(),
        ["users-own"] = DelegateFormatter.FromArrays("application/x-own", 0x8001, Reversed, body => new HandCodedFormatter<Order>().Read(Reverse(body))),
    };

    /// <summary>One formatter for all of them, and for single values.</summary>
    public static FormatterRegistry Registry { get; } = new(
        All["hand-coded"], All["legacy-binary"], All["users-own"], new ActiveXFormatter(), All["xml"]);

    /// <summary>The order with a number: the same at both ends.</summary>
    public static Order Order(int number) => SampleOrders.Create(number, number % 7, (SampleText)(number % 4));

    private static byte[] Reversed(Order order) => Reverse(new HandCodedFormatter<Order>().Write(order));

    private static byte[] Reverse(byte[] bytes)
    {
        byte[] copy = (byte[])bytes.Clone();
        Array.Reverse(copy);
        return copy;
    }
}
