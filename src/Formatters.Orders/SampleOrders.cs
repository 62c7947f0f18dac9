using System;
using System.Collections;
using System.Globalization;

namespace Formatters.Orders;

/// <summary>Creates seeded sample data: the same seed gives the same order on every machine, runtime and day.</summary>
public static class SampleOrders
{
    /// <summary>The number of line items in the study.</summary>
    public const int DefaultLineItemCount = 50;

    private static readonly string[] Firstnames =
        ["Benjamin", "Catherine", "Alexandra", "Christopher", "Elisabeth", "Jonathan", "Margaret", "Theodore"];

    private static readonly string[] Lastnames =
        ["Robertson", "Fitzgerald", "Montgomery", "Castellanos", "Whitfield", "Anderson", "Thornbury", "Villanueva"];

    private static readonly string[] Companies =
        ["Harbour Traders", "Contour Limited", "Highland Cycle Works", "Fabric Incorporated", "Tailwind Toys Europe", "Worldwide Importers"];

    private static readonly string[] Cities =
        ["Sacramento", "Manchester", "Copenhagen", "Heidelberg", "Wellington", "San Francisco", "Philadelphia"];

    private static readonly string[] Streets =
        ["1280 Harrison Street", "42 Bakersfield Avenue", "7 King William Road", "9021 Lakeshore Drive", "15 Rue de la Republique"];

    private static readonly string[] ZipCodes = ["94103-1234", "M13 9PL-UK", "DK-2100-01", "69115-0042", "6011-00817"];

    private static readonly string[] Countries = ["United States", "United Kingdom", "Denmark (EU)", "Germany (EU)", "New Zealand"];

    private static readonly string[] States = ["California", "Lancashire", "Hovedstaden", "Baden-Wurtt", "Pennsylvania"];

    private static readonly string[] Adjectives =
        ["Small", "Ergonomic", "Rustic", "Intelligent", "Gorgeous", "Incredible", "Fantastic", "Practical", "Sleek", "Awesome"];

    private static readonly string[] Nouns =
        ["Chair", "Keyboard", "Computer", "Gloves", "Shirt", "Table", "Bicycle", "Lamp", "Hat", "Wallet"];

    private static readonly string[] Accented =
        ["Müller", "Françoise", "Señor Núñez", "Göteborg", "São Paulo", "Zürich", "Œuvre", "Đặng Thị", "Łódź"];

    private static readonly string[] Cjk =
        ["東京都港区", "上海市浦东新区", "서울특별시", "株式会社山田", "无线键盘", "高級椅子セット", "北京有限公司"];

    /// <summary>Creates an order.</summary>
    /// <param name="seed">Which order; every number gives another.</param>
    /// <param name="lineItemCount">How many line items, 0 or more.</param>
    /// <param name="text">The kind of characters in its strings.</param>
    /// <returns>A new order; with 50 ASCII line items about 2,500 bytes in the binary wire format.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="lineItemCount"/> is negative.</exception>
    public static Order Create(int seed = 0, int lineItemCount = DefaultLineItemCount, SampleText text = SampleText.Ascii)
    {
        if (lineItemCount < 0)
            throw new ArgumentOutOfRangeException(nameof(lineItemCount), lineItemCount, "0 or more.");
        // Random with a seed is specified to produce the same numbers on every runtime, unlike any other generator of the base library.
        var random = new Random(unchecked((seed * 7919) + 17));
        var order = new Order
        {
            Date = new DateTime(2026, 11, 20, 9, 30, 15, DateTimeKind.Utc).AddSeconds(seed % 1_000_000),
            CustomerID = 10_000 + random.Next(90_000),
            ShippingAddress = CreateAddress(random, text),
            BillingAddress = CreateAddress(random, text),
            LineItems = new ArrayList(lineItemCount),
        };
        for (int i = 0; i < lineItemCount; i++)
        {
            LineItem item = CreateLineItem(random, text);
            order.Total += item.LineTotal;
            order.LineItems.Add(item);
        }

        return order;
    }

    /// <inheritdoc cref="Create"/>
    /// <summary>Creates the same order with a typed list.</summary>
    public static OrderWithList CreateWithList(int seed = 0, int lineItemCount = DefaultLineItemCount, SampleText text = SampleText.Ascii) =>
        OrderWithList.From(Create(seed, lineItemCount, text));

    private static Address CreateAddress(Random random, SampleText text) => new()
    {
        Firstname = Pick(random, Firstnames, text),
        Lastname = Pick(random, Lastnames, text),
        Company = Pick(random, Companies, text),
        City = Pick(random, Cities, text),
        Street = Pick(random, Streets, text),
        ZIPCode = Pick(random, ZipCodes, text),
        Country = Pick(random, Countries, text),
        State = Pick(random, States, text),
    };

    private static LineItem CreateLineItem(Random random, SampleText text)
    {
        string name = Adjectives[random.Next(Adjectives.Length)] + " " + Nouns[random.Next(Nouns.Length)];
        if (name.Length < 20 && random.Next(2) == 0)
            name += " " + (char)('A' + random.Next(26)) + random.Next(100).ToString(CultureInfo.InvariantCulture);
        if (name.Length > 24)
            name = name.Substring(0, 24);
        var item = new LineItem
        {
            ArticleID = 1_000 + random.Next(60_000),
            Name = Colour(random, name, text),
            Price = random.Next(100, 100_000) / 100.0,
            Quantity = 1 + random.Next(20),
        };
        item.LineTotal = item.Price * item.Quantity;
        return item;
    }

    private static string Pick(Random random, string[] from, SampleText text) => Colour(random, from[random.Next(from.Length)], text);

    private static string Colour(Random random, string ascii, SampleText text)
    {
        bool accented = text == SampleText.Accented;
        bool cjk = text == SampleText.Cjk;
        if (text == SampleText.Mixed && random.Next(5) == 0)
        {
            accented = random.Next(2) == 0;
            cjk = !accented;
        }

        string start = ascii.Length <= 8 ? ascii : ascii.Remove(8);
        return accented
            ? Accented[random.Next(Accented.Length)] + " " + start
            : cjk ? Cjk[random.Next(Cjk.Length)] + random.Next(1_000).ToString(CultureInfo.InvariantCulture) : ascii;
    }
}
