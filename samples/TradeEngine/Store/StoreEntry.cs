namespace Formatters.TradeEngine.Store;

/// <summary>A message on its way into the store, and what became of it there.</summary>
internal sealed class StoreEntry
{
    /// <summary>Identifies this hand-over of the message by its queue: the same again when the queue hands it over again.</summary>
    internal required string DeliveryId { get; init; }

    /// <summary>The sender's number.</summary>
    internal required string MessageId { get; init; }

    internal required TradeKey Key { get; init; }

    /// <summary>Which of the trade's seven.</summary>
    internal required int Slot { get; init; }

    internal required Statement Statement { get; init; }

    /// <summary>The body for the audit trail; empty for none.</summary>
    internal ReadOnlyMemory<byte> AuditBody { get; init; }

    internal ApplyOutcome Outcome { get; set; }
    internal Emission? Emission { get; set; }

    /// <summary>Set by the store: it has told the sink itself, in its own transaction.</summary>
    internal bool IsTold { get; set; }
}

/// <summary>A message to send about a trade.</summary>
/// <param name="Transition">Whether it is matched now.</param>
/// <param name="Number">How often it was matched, this time included.</param>
[MessageContract(Formats = ContractFormats.Compact)]
internal sealed partial record Emission(Transition Transition, int Number, TradeTermsCodes Terms);

/// <param name="Why">What was missing or different.</param>
internal sealed record ExpiredTrade(TradeKey Key, string Why);
