namespace Formatters.TradeEngine.Store;

/// <summary>Holds the trades and matches their messages.</summary>
/// <remarks>
/// The results of a message are sent exactly once by this protocol: the store records them together with the id of the message's delivery; the
/// component sends them in the transaction that takes the message out of its queue, and then reports that it is settled. If the
/// component dies in between, the queue delivers the message again under the same id, and the store returns the same results again.
/// </remarks>
internal interface ITradeStore : IAsyncDisposable
{
    string Description { get; }

    /// <summary>On how many databases the trades are.</summary>
    int DatabaseCount { get; }

    /// <param name="entries">The messages; their outcome and emission are set.</param>
    /// <returns>Completes when all that was applied is durable.</returns>
    ValueTask ApplyAsync(IReadOnlyList<StoreEntry> entries, CancellationToken cancellationToken = default);

    /// <summary>
    /// Says that the queue has taken what these messages led to, so that it need not be given out again. It may be lost: that costs a little memory.
    /// </summary>
    void Settle(IReadOnlyList<StoreEntry> entries);

    /// <summary>Gives up trades that are not matched.</summary>
    /// <param name="seenBefore">Those whose first message came before this time.</param>
    /// <returns>Which ones; when that is durable.</returns>
    ValueTask<IReadOnlyList<ExpiredTrade>> ExpireAsync(DateTimeOffset seenBefore, CancellationToken cancellationToken = default);

    /// <summary>Removes the trades of earlier days, matched or not; messages of such days are refused from now on.</summary>
    /// <param name="beforeTradeDate">The first day that is kept, as a number.</param>
    ValueTask<long> ClearAsync(int beforeTradeDate, CancellationToken cancellationToken = default);

    /// <summary>Distributes the trades over more databases, while messages are on their way.</summary>
    /// <param name="databaseCount">How many; a multiple of now.</param>
    /// <returns>How many trades have moved.</returns>
    ValueTask<long> GrowAsync(int databaseCount, CancellationToken cancellationToken = default);

    /// <summary>Counts the trades, and those for which a CLS holds.</summary>
    ValueTask<StoreCounts> CountAsync(CancellationToken cancellationToken = default);
}

/// <summary>The numbers of trades in a store.</summary>
/// <param name="Matched">Those for which a CLS holds.</param>
/// <param name="Expired">Those that were given up.</param>
internal sealed record StoreCounts(long Trades, long Matched, long Expired);
