namespace Formatters.Bench.Factors;

/// <summary>The destination of a scenario's messages.</summary>
internal enum Destination
{
    Queue,

    /// <summary>A topic, to a subscription that ends with its handle.</summary>
    NonDurable,

    /// <summary>A topic, to a subscription that stays.</summary>
    Durable,
}

/// <summary>One combination of the study's factors: one producer, one consumer.</summary>
/// <param name="Name">By which claims know it.</param>
internal sealed record Scenario(string Name)
{
    internal DeliveryMode Mode { get; init; } = DeliveryMode.Express;

    /// <summary>Null is AUTO_ACKNOWLEDGE, which here is receive-and-delete: the queue acknowledges as it hands over.</summary>
    internal AcknowledgeMode? Acknowledge { get; init; }

    internal Destination Destination { get; init; }

    /// <summary>Gets whether the consumer has a selector, which half of the messages match.</summary>
    internal bool HasSelector { get; init; }

    /// <summary>Half of the messages to a queue of their own instead of the selector.</summary>
    internal bool HasTwoDestinations { get; init; }

    /// <summary>Gets whether every other message is not for the consumer.</summary>
    internal bool IsHalved => HasSelector || HasTwoDestinations;

    internal int ByteCount { get; init; } = 1_024;

    /// <summary>Gets whether the body is a string in UTF-16 (<c>VT_LPWSTR</c>), as of a text message.</summary>
    internal bool IsText { get; init; }

    /// <summary>Gets how many sends the producer has in progress at most.</summary>
    internal int Window { get; init; } = 64;

    /// <summary>Gets how many small messages go into one body.</summary>
    internal int Packed { get; init; } = 1;

    /// <summary>Returns the capability that a queue lacks for the scenario.</summary>
    internal string? MissingIn(QueueCapabilities capabilities, bool isOffered) =>
        !isOffered ? $"{Modes.NameOf(Mode)} messages"
        : Destination != Destination.Queue && !capabilities.Supports(QueueFeatures.Topics) ? "topics"
        : HasSelector && !capabilities.Supports(QueueFeatures.Selectors) ? "selectors"
        : Acknowledge is not null && !capabilities.Supports(QueueFeatures.PeekLock) ? "acknowledgements"
        : Acknowledge is AcknowledgeMode.Cumulative or AcknowledgeMode.Lazy
            && !capabilities.Supports(QueueFeatures.AcknowledgeModes) ? "acknowledge modes"
        : null;

    /// <summary>Table 3-5, high reliability: persistent, in transactions, a durable subscription, a selector, small, text.</summary>
    internal static Scenario Reliable { get; } = new("profile reliable") { Mode = DeliveryMode.Transactional, Destination = Destination.Durable,
        HasSelector = true, IsText = true, Window = 1 };

    /// <summary>Table 3-5, high performance: non-persistent, no transactions, DUPS_OK, a non-durable subscription, no selector, large,
    /// bytes.</summary>
    internal static Scenario Fast { get; } =
        new("profile fast") { Acknowledge = AcknowledgeMode.Lazy, Destination = Destination.NonDurable, ByteCount = 100 * 1_024 };

    /// <summary>The name of recoverable messages sent as those in transactions are, each when the one before is done.</summary>
    internal const string OneAtATime = "recoverable, 1k, one at a time";

    /// <summary>All that the claims need.</summary>
    internal static IReadOnlyList<Scenario> All { get; } = CreateAll();

    private static List<Scenario> CreateAll()
    {
        var all = new List<Scenario>();
        foreach (DeliveryMode mode in new[] { DeliveryMode.Express, DeliveryMode.Recoverable })
        {
            string name = Modes.NameOf(mode);
            foreach (int kilobytes in new[] { 1, 10, 100 })
                all.Add(new Scenario($"{name}, {kilobytes}k") { Mode = mode, ByteCount = kilobytes * 1_024 });
            foreach (AcknowledgeMode acknowledge in Enum.GetValues<AcknowledgeMode>())
                all.Add(new Scenario($"{name}, {NameOf(acknowledge)}") { Mode = mode, Acknowledge = acknowledge });
            all.Add(new Scenario($"{name}, non-durable") { Mode = mode, Destination = Destination.NonDurable });
            all.Add(new Scenario($"{name}, durable") { Mode = mode, Destination = Destination.Durable });
        }

        all.Add(new Scenario(OneAtATime) { Mode = DeliveryMode.Recoverable, Window = 1 });
        all.Add(new Scenario("transactional, 1k") { Mode = DeliveryMode.Transactional, Window = 1 });
        all.Add(new Scenario("express, non-durable, selector") { Destination = Destination.NonDurable, HasSelector = true });
        all.Add(new Scenario("express, durable, selector") { Destination = Destination.Durable, HasSelector = true });
        all.Add(new Scenario("express, queue, selector") { HasSelector = true });
        all.Add(new Scenario("express, queue, two destinations") { HasTwoDestinations = true });
        all.Add(new Scenario("express, text") { IsText = true });
        all.Add(new Scenario("express, no body") { ByteCount = 0 });
        all.Add(new Scenario("recoverable, 100 bytes") { Mode = DeliveryMode.Recoverable, ByteCount = 100 });
        all.Add(new Scenario("recoverable, 100 of 100 bytes packed") { Mode = DeliveryMode.Recoverable, ByteCount = 100, Packed = 100 });
        return all;
    }

    /// <summary>The study's names.</summary>
    internal static string NameOf(AcknowledgeMode mode) => mode switch
    {
        AcknowledgeMode.Cumulative => "CLIENT",
        AcknowledgeMode.Lazy => "DUPS_OK",
        _ => "each",
    };
}
