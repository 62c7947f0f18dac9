namespace Formatters.TradeEngine.StaticData;

/// <summary>
/// Who and what may be in a message: participants, securities, currencies, countries, payment and settlement dates, held in sorted arrays and found
/// by binary search.
/// </summary>
internal sealed class ReferenceData
{
    /// <summary>How many business days before and after the business date are known.</summary>
    private const int CalendarDays = 10;

    private readonly long[] _participants;
    private readonly long[] _securities;
    private readonly long[] _currencies;
    private readonly long[] _countries;
    private readonly int[] _tradeDates;
    private readonly int[] _paymentDates;
    private readonly int[] _settlementDates;

    /// <param name="seed">The same seed gives the same data.</param>
    /// <param name="businessDate">The day of the trades, a business day.</param>
    internal ReferenceData(int seed, DateOnly businessDate, int participantCount = 200, int securityCount = 1_000)
    {
        if (!IsBusinessDay(businessDate))
            throw new ArgumentException("Not a business day.", nameof(businessDate));
        Seed = seed;
        BusinessDate = businessDate;
        var random = new SeededRandom((ulong)seed);
        Currencies = ReferenceTexts.Currencies;
        Countries = ReferenceTexts.Countries;
        Participants = Make(participantCount, ref random, MakeParticipant);
        Securities = Make(securityCount, ref random, MakeSecurity);
        int today = NumberOf(businessDate);
        int[] days = [.. BusinessDays(businessDate)];
        TradeDates = Array.FindAll(days, day => day <= today);
        // Money may move on the day of the trade; securities need a day.
        PaymentDates = Array.FindAll(days, day => day >= today);
        SettlementDates = Array.FindAll(days, day => day > today);
        _participants = Sorted(Participants.Select(participant => participant.Code));
        _securities = Sorted(Securities.Select(security => security.Code));
        _currencies = Sorted(Currencies);
        _countries = Sorted(Countries);
        _tradeDates = [.. TradeDates.Order()];
        _paymentDates = [.. PaymentDates.Order()];
        _settlementDates = [.. SettlementDates.Order()];
    }

    internal int Seed { get; }

    /// <summary>The day of the trades.</summary>
    internal DateOnly BusinessDate { get; }

    internal Participant[] Participants { get; }
    internal Security[] Securities { get; }
    internal string[] Currencies { get; }
    internal string[] Countries { get; }

    /// <summary>As numbers, 20261124.</summary>
    internal int[] TradeDates { get; }

    /// <summary>As numbers, 20261124.</summary>
    internal int[] PaymentDates { get; }

    /// <summary>As numbers, 20261124.</summary>
    internal int[] SettlementDates { get; }

    internal bool IsParticipant(long code) => Array.BinarySearch(_participants, code) >= 0;

    internal bool IsSecurity(long code) => Array.BinarySearch(_securities, code) >= 0;

    internal bool IsCurrency(long code) => Array.BinarySearch(_currencies, code) >= 0;

    internal bool IsCountry(long code) => Array.BinarySearch(_countries, code) >= 0;

    internal bool IsTradeDate(long date) => Array.BinarySearch(_tradeDates, (int)date) >= 0;

    internal bool IsPaymentDate(long date) => Array.BinarySearch(_paymentDates, (int)date) >= 0;

    internal bool IsSettlementDate(long date) => Array.BinarySearch(_settlementDates, (int)date) >= 0;

    /// <summary>A day as a number: 20261124.</summary>
    internal static int NumberOf(DateOnly day) => (day.Year * 10_000) + (day.Month * 100) + day.Day;

    internal static bool IsBusinessDay(DateOnly day) => day.DayOfWeek is not (DayOfWeek.Saturday or DayOfWeek.Sunday);

    private static IEnumerable<int> BusinessDays(DateOnly businessDate) =>
        Enumerable.Range(-CalendarDays, (2 * CalendarDays) + 1).Select(businessDate.AddDays).Where(IsBusinessDay).Select(NumberOf);

    private static long[] Sorted(IEnumerable<string> codes) =>
        [.. codes.Select(code => PackedCode.TryPack(code, out long value) ? value
            : throw new InvalidOperationException($"'{code}' is not a code.")).Order()];

    private delegate T Maker<out T>(ref SeededRandom random);

    /// <summary>Makes things until there are enough with different codes.</summary>
    private static T[] Make<T>(int count, ref SeededRandom random, Maker<T> make)
        where T : ICoded
    {
        var made = new Dictionary<string, T>(StringComparer.Ordinal);
        while (made.Count < count)
        {
            T next = make(ref random);
            made.TryAdd(next.Code, next);
        }

        return [.. made.Values];
    }

    private static Participant MakeParticipant(ref SeededRandom random)
    {
        string country = random.From(ReferenceTexts.Countries);
        string name = $"{random.From(ReferenceTexts.Names)} {random.From(ReferenceTexts.Names)} {random.From(ReferenceTexts.Trades)}";
        string city = random.From(ReferenceTexts.Cities);
        // As a BIC: four letters, the country, two characters of the place.
        string code = string.Create(8, (country, random.Next()), static (chars, from) =>
        {
            ulong rest = from.Item2;
            for (int i = 0; i < 8; i++, rest /= 26)
                chars[i] = i is 4 or 5 ? from.country[i - 4] : (char)('A' + (int)(rest % 26));
        });
        return new Participant(code, string.Create(CultureInfo.InvariantCulture,
            $"{name}, {1 + random.Below(200)} {random.From(ReferenceTexts.Streets)}, {city} {country}"), country);
    }

    private static Security MakeSecurity(ref SeededRandom random)
    {
        string country = random.From(ReferenceTexts.Countries);
        string name = $"{random.From(ReferenceTexts.Names)} {random.From(ReferenceTexts.Companies)} {random.From(ReferenceTexts.Kinds)}";
        string withoutCheck = string.Create(CultureInfo.InvariantCulture, $"{country}{random.Below(1_000_000_000):D9}");
        return new Security(withoutCheck + (char)('0' + IsinCheckDigit(withoutCheck)), name, country, random.From(ReferenceTexts.Currencies));
    }

    /// <summary>ISO 6166: letters as two digits, then the rule of Luhn.</summary>
    private static int IsinCheckDigit(string code)
    {
        int sum = 0;
        bool isDoubled = true;
        foreach (char digit in string.Concat(code.Select(c => char.IsAsciiDigit(c) ? c.ToString()
            : (c - 'A' + 10).ToString(CultureInfo.InvariantCulture))).Reverse())
        {
            int value = (digit - '0') * (isDoubled ? 2 : 1);
            sum += value > 9 ? value - 9 : value;
            isDoubled = !isDoubled;
        }

        return (10 - (sum % 10)) % 10;
    }
}

/// <summary>Reference data with a code.</summary>
internal interface ICoded
{
    string Code { get; }
}

/// <summary>Who may trade.</summary>
/// <param name="Code">8 characters, as a BIC.</param>
/// <param name="Name">Name and address.</param>
internal sealed record Participant(string Code, string Name, string Country) : ICoded;

/// <param name="Code">12 characters, an ISIN.</param>
/// <param name="Country">The country of its market.</param>
/// <param name="Currency">The currency of its price.</param>
internal sealed record Security(string Code, string Name, string Country, string Currency) : ICoded;
