namespace Formatters.TradeEngine.Extraction;

/// <summary>The fields of a body that a component needs: the sender, and the values to match. Reused for each message.</summary>
internal sealed class ExtractedFields
{
    private readonly char[] _code = new char[PackedCode.MaxCharCount];

    internal CriterionValues Values { get; } = new();

    /// <summary>Of the header.</summary>
    internal int Version { get; set; }

    /// <summary>Of the header.</summary>
    internal MessageVariant Variant { get; set; }

    /// <summary>Of the header.</summary>
    internal Party Party { get; set; }

    /// <summary>The sender, packed.</summary>
    internal long Sender { get; set; }

    internal void Clear()
    {
        Values.Clear();
        (Version, Variant, Party, Sender) = (0, default, default, 0);
    }

    /// <summary>Takes the fields of a message that a formatter has read.</summary>
    internal void Take(TradeMessage message)
    {
        MessageHeader header = message.Header;
        (Version, Variant, Party, Sender) = (header.Version, header.Variant, header.Party, Pack(header.Sender));
        message.CollectCriteria(Values);
    }

    /// <summary>Takes the text of a field.</summary>
    /// <param name="field">Its index in <see cref="FieldNames.All"/>.</param>
    /// <param name="text">As in the body, ASCII.</param>
    internal void Set(int field, ReadOnlySpan<byte> text)
    {
        switch (field)
        {
            case FieldNames.Version:
                Version = checked((int)Whole(text));
                break;
            case FieldNames.Variant:
                Variant = Enum.Parse<MessageVariant>(Chars(text));
                break;
            case FieldNames.Party:
                Party = text is [(byte)'E', ..] ? Party.ExecutingBroker : Party.InvestmentManager;
                break;
            case FieldNames.Sender:
                Sender = Pack(Chars(text));
                break;
            default:
                SetCriterion((Criterion)(field - FieldNames.FirstCriterion), text);
                break;
        }
    }

    private static long Pack(ReadOnlySpan<char> code) =>
        PackedCode.TryPack(code, out long packed) ? packed : throw new FormatException($"'{code}' is not a code.");

    private void SetCriterion(Criterion criterion, ReadOnlySpan<byte> text)
    {
        switch (criterion)
        {
            case Criterion.Side:
                Values.Set(criterion, (long)(text is [(byte)'B', ..] ? TradeSide.Buy : TradeSide.Sell));
                break;
            case Criterion.TradeDate or Criterion.Quantity or Criterion.SettlementDate or Criterion.PaymentDate:
                Values.Set(criterion, Whole(text));
                break;
            case Criterion.Price or Criterion.NetAmount or Criterion.Commission:
                Values.Set(criterion, TenThousandths(text));
                break;
            default:
                Values.Set(criterion, Pack(Chars(text)));
                break;
        }
    }

    private Span<char> Chars(ReadOnlySpan<byte> text)
    {
        if (text.Length > _code.Length)
            throw new FormatException("A code has up to 12 characters.");
        for (int i = 0; i < text.Length; i++)
            _code[i] = (char)text[i];
        return _code.AsSpan(0, text.Length);
    }

    private static long Whole(ReadOnlySpan<byte> text) =>
        System.Buffers.Text.Utf8Parser.TryParse(text, out long value, out int read) && read == text.Length
        ? value
        : throw new FormatException("Not a whole number.");

    private static long TenThousandths(ReadOnlySpan<byte> text) =>
        System.Buffers.Text.Utf8Parser.TryParse(text, out decimal value, out int read) && read == text.Length
            ? (long)(value * 10_000)
            : throw new FormatException("Not an amount.");
}
