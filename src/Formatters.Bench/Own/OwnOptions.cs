using Formatters.Tools.Migrate;

namespace Formatters.Bench.Own;

/// <summary>The options of <c>own</c>.</summary>
internal sealed record OwnOptions
{
    /// <summary>Says that there are none, or too many.</summary>
    internal const string OneKindOfSamples = "A type of your own needs either --sample FILE or --samples Namespace.Type.Method.";

    /// <summary>The user's assemblies.</summary>
    public required UserAssemblies Assemblies { get; init; }

    /// <summary>The full name of the payload's type.</summary>
    public required string Type { get; init; }

    /// <summary>A JSON file with one sample, or an array of them; null if a method makes them.</summary>
    public FileInfo? Sample { get; init; }

    /// <summary>A static method that makes samples, <c>Namespace.Type.Method</c>; null if a file has them.</summary>
    public string? Samples { get; init; }

    /// <summary>The queue between sender and receiver.</summary>
    public string Queue { get; init; } = "memory:own";

    /// <summary>The formatters: names of rows, or static members of the user's; none means all rows.</summary>
    public IReadOnlyList<string> Formatters { get; init; } = [];

    public DeliveryMode Mode { get; init; }

    /// <summary>Gets whether to be content with a coarser result.</summary>
    public bool Quick { get; init; }

    /// <summary>Gets how long to measure; null means by <see cref="Quick"/> and the kind of queue.</summary>
    public MeterPlan? Plan { get; init; }

    /// <summary>Gets whether to delete what is in the queue beforehand; else a queue that is not empty is refused.</summary>
    public bool Purge { get; init; }
}
