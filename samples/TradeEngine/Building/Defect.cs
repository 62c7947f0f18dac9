namespace Formatters.TradeEngine.Building;

/// <summary>A defect that the builder puts into a message; each has one reason with which the message must end in the exception queue.</summary>
internal enum Defect
{
    None = 0,
    UnknownParticipant,
    UnknownSecurity,
    UnknownCurrency,
    UnknownCountry,
    SettlementDate,
    PaymentDate,
    Amount,
    Quantity,
    Sender,
    Code,

    /// <summary>The body ends too early.</summary>
    Truncated,

    /// <summary>The label names no type.</summary>
    Label,

    /// <summary>The label names another type than the body.</summary>
    Misrouted,

    /// <summary>The body was changed after it was signed. Not in files, which have no signatures.</summary>
    Signature,
}

/// <summary>The planned course of a trade.</summary>
internal enum TradePlan
{
    /// <summary>Seven messages, one CLS.</summary>
    Plain,

    /// <summary>A message is wrong in its first version and right in its second.</summary>
    ReplacedBeforeMatch,

    /// <summary>A message is taken back by its second version and stated again by its third.</summary>
    CancelledAndReplaced,

    /// <summary>A message is taken back: no CLS holds in the end.</summary>
    Cancelled,

    /// <summary>A party rejects by its second version and affirms by its third.</summary>
    RejectedAndAffirmed,

    /// <summary>A message is never sent: no CLS.</summary>
    Incomplete,
}
