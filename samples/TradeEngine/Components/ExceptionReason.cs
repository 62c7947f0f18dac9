namespace Formatters.TradeEngine.Components;

/// <summary>Why a message is in the exception queue: the header <c>exception-reason</c>.</summary>
internal enum ExceptionReason
{
    None = 0,

    /// <summary>It is not signed by the driver's key, or was changed after that.</summary>
    SignatureInvalid,

    /// <summary>Its label names no type that the engine takes in.</summary>
    UnknownType,

    /// <summary>Its body cannot be read.</summary>
    Unreadable,

    /// <summary>It has no id in its queue: it was not sent by the router.</summary>
    MissingId,

    /// <summary>Its header names another type than its label, a variant that only the engine sends, or a party that has no such message.</summary>
    WrongType,

    /// <summary>Its version is below 1.</summary>
    InvalidVersion,

    /// <summary>A code is not a code, or an amount has too many digits.</summary>
    InvalidValue,

    UnknownParticipant,

    /// <summary>It speaks for a party that its sender is not.</summary>
    SenderNotParty,

    UnknownSecurity,

    InvalidTradeDate,

    UnknownCountry,

    UnknownCurrency,

    InvalidQuantity,

    /// <summary>A price or amount is not more than zero, or the net amount is not what gross amount, commission and charges make.</summary>
    InvalidAmount,

    InvalidSettlementDate,

    InvalidPaymentDate,

    /// <summary>Its sender has said something else with the same version.</summary>
    ConflictingVersion,

    TradeExpired,

    /// <summary>Its trade is of a day that has been cleared.</summary>
    TradeCleared,

    /// <summary>Not a message but a trade: it was not matched in time.</summary>
    TradeNotMatched,
}
