namespace Formatters.TradeEngine.StaticData;

/// <summary>The words of which reference data are made; codes of ISO 4217 and ISO 3166.</summary>
internal static class ReferenceTexts
{
    internal static readonly string[] Currencies =
    [
        "SGD", "USD", "EUR", "GBP", "JPY", "CHF", "AUD", "NZD", "CAD", "HKD", "CNY", "INR", "MYR", "THB", "IDR", "PHP", "KRW", "TWD", "SEK", "NOK",
            "DKK", "PLN", "CZK", "ZAR",
    ];

    internal static readonly string[] Countries =
    [
        "SG", "US", "DE", "FR", "NL", "GB", "JP", "CH", "AU", "NZ", "CA", "HK", "CN", "IN", "MY", "TH", "ID", "PH", "KR", "TW", "SE", "NO", "DK",
            "PL", "CZ", "ZA", "IT", "ES", "BE", "AT",
    ];

    internal static readonly string[] Names =
    [
        "Ash", "Bay", "Cedar", "Dale", "East", "Fern", "Grove", "Harbour", "Island", "Jade", "Keppel", "Lake", "Marina", "North", "Orchard", "Pine",
            "Quay", "River", "Summit", "Temple", "Union",
        "Valley", "West", "Yew",
    ];

    internal static readonly string[] Trades = ["Bank", "Securities", "Brokers", "Asset Management", "Custody Services", "Investment Partners"];

    internal static readonly string[] Companies = ["Airlines", "Shipping", "Energy", "Telecom", "Foods", "Properties", "Electronics", "Pharma",
        "Motors", "Steel"];

    internal static readonly string[] Kinds =
        ["ordinary shares", "preference shares", "5.25 % notes 2031", "3.75 % bonds 2029", "depositary receipts"];

    internal static readonly string[] Streets = ["Battery Road", "Raffles Place", "Market Street", "Cecil Street", "Station Road", "Exchange Square",
        "High Street", "Quai du Nord"];

    internal static readonly string[] Cities = ["Singapore", "London", "Frankfurt", "Zurich", "Tokyo", "Sydney", "Hong Kong", "New York", "Amsterdam",
        "Mumbai"];
}
