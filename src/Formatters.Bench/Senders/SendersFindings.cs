using Formatters.Bench.Compare;

namespace Formatters.Bench.Senders;

/// <summary>Holds what the study says against what was measured.</summary>
internal static class SendersFindings
{
    /// <summary>Judges every finding; those whose cases were not measured say so.</summary>
    /// <param name="rows">What was measured.</param>
    /// <param name="byteCount">The size at which they are compared.</param>
    internal static IReadOnlyList<Finding> Judge(IReadOnlyList<SendersRow> rows, int byteCount)
    {
        SendersCase express = Case(SendersMode.Express, 1), recoverable = Case(SendersMode.Recoverable, 1), three = Case(SendersMode.Recoverable, 3);
        SendersCase internalOne =
            Case(SendersMode.Internal, 1), internalFive = Case(SendersMode.Internal, 5), externalFive = Case(SendersMode.External, 5);
        return
        [
            Findings.Compare("3 senders beat 1, recoverable", Sent(three), Sent(recoverable), Study.Sends(Usual(three), Usual(recoverable))),
            Findings.Compare("50 senders beat 1, recoverable", Sent(Case(SendersMode.Recoverable, 50)), Sent(recoverable),
                Study.Curve[50].OneDisk / Study.Curve[1].OneDisk),
            Findings.NoGain("3 receivers no faster than 1, recoverable", Received(three), Received(recoverable),
                Study.Receives(Usual(three), Usual(recoverable))),
            Findings.Compare("Express beats recoverable, sending", Sent(express), Sent(recoverable), Study.Sends(Usual(express), Usual(recoverable))),
            Findings.Compare("Express beats recoverable, receiving", Received(express), Received(recoverable),
                Study.Receives(Usual(express), Usual(recoverable))),
            Findings.Compare("Recoverable beats transactions, sending", Sent(recoverable), Sent(internalOne),
                Study.Sends(Usual(recoverable), Usual(internalOne))),
            Findings.Compare("Internal beats external, 5 senders", Sent(internalFive), Sent(externalFive),
                Study.Sends(Usual(internalFive), Usual(externalFive))),
            Findings.Compare("Internal beats external, 5 receivers", Received(internalFive), Received(externalFive),
                Study.Receives(Usual(internalFive), Usual(externalFive))),
            Findings.Compare("10 messages a transaction beat 1, sending", Sent(internalOne with { PerTransaction = 10 }), Sent(internalOne), null),
            Findings.Compare("100 messages a transaction beat 1", Sent(internalOne with { PerTransaction = 100 }), Sent(internalOne), null),
            Findings.Compare("Opening once beats opening for each", Sent(recoverable), Sent(recoverable with { OpensEach = true }), null),
            Findings.Compare("Plain beats signed (HMAC), sending", Sent(express), Sent(express with { Variant = SendersVariant.Signed }), null),
            Findings.Compare("Plain beats signed (ECDSA), sending", Sent(express),
                Sent(express with { Variant = SendersVariant.SignedByCertificate }), null),
            Findings.Compare("Plain beats encrypted, sending", Sent(express), Sent(express with { Variant = SendersVariant.Encrypted }), null),
            Findings.Compare("No journal beats one, express", Received(express), Received(express with { Variant = SendersVariant.Journal }), null),
            Findings.Compare("No journal beats one, recoverable", Received(recoverable),
                Received(recoverable with { Variant = SendersVariant.Journal }), null),
            Findings.Compare("No source journal beats one, express", Sent(express), Sent(express with { Variant = SendersVariant.SourceJournal }),
                null),
            Findings.Compare("No source journal beats one, recoverable", Sent(recoverable),
                Sent(recoverable with { Variant = SendersVariant.SourceJournal }), null),
            Findings.Compare("No acknowledgement beats one, express", Complete(express),
                Complete(express with { Variant = SendersVariant.Acknowledged }), null),
            Findings.Compare("No acknowledgement beats one, sent", Sent(recoverable),
                Sent(recoverable with { Variant = SendersVariant.Acknowledged }), null),
            Findings.Compare("No acknowledgement beats one, received", Received(recoverable),
                Received(recoverable with { Variant = SendersVariant.Acknowledged }), null),
            // Not their rates: a receiver that waits works while messages are sent, and any two that work at once take less time than one after the
            // other.
            Findings.Compare("A waiting receiver saves writes", Writes(recoverable), Writes(recoverable with { Variant = SendersVariant.Waiting }),
                null),
        ];

        SendersCase Case(SendersMode mode, int threads) => new(mode, threads, byteCount);

        IReadOnlyList<double>? Sent(SendersCase item) => rows.FirstOrDefault(row => row.Name == item.Name)?.SendRounds;

        // Sent, and received when all were sent.
        IReadOnlyList<double>? Complete(SendersCase item) => Sent(item) is { } sent && Received(item) is { } received
            ? [.. sent.Zip(received, static (send, receive) => 1 / ((1 / send) + (1 / receive)))]
            : null;

        IReadOnlyList<double>? Writes(SendersCase item) => rows.FirstOrDefault(row => row.Name == item.Name)?.WriteRounds;

        IReadOnlyList<double>? Received(SendersCase item) => rows.FirstOrDefault(row => row.Name == item.Name)?.ReceiveRounds;
    }

    /// <summary>The study's own size.</summary>
    private static SendersCase Usual(SendersCase item) => item with { ByteCount = Study.UsualByteCount };
}
