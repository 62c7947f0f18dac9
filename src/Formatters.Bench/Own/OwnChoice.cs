using Formatters.Tools.Migrate;

namespace Formatters.Bench.Own;

/// <summary>The formatters that take a type, each checked by a round trip, and why the others do not.</summary>
internal abstract class OwnChoice
{
    internal abstract Type Type { get; }
    internal abstract int SampleCount { get; }
    internal List<OwnCandidate> Candidates { get; } = [];
    internal List<OwnRefusal> Refused { get; } = [];

    /// <summary>The formatters that change nothing: only these can be compared.</summary>
    /// <exception cref="UsageException">There are none.</exception>
    internal IReadOnlyList<(string Name, Payload Payload)> Exact => Candidates.Where(static candidate => candidate.Changes.Count == 0)
        .Select(static candidate => (candidate.Name, candidate.Payload)).ToArray() is { Length: > 0 } exact
        ? exact
        : throw new UsageException($"No formatter supports {Type} without changing it: "
        + $"{string.Join("; ", Inexact.Select(static refusal => $"{refusal.Formatter}: {refusal.Reason}"))}");

    /// <summary>The others, and why.</summary>
    internal IReadOnlyList<OwnRefusal> Inexact =>
        [.. Candidates.Where(static candidate => candidate.Changes.Count > 0)
            .Select(static candidate => new OwnRefusal(candidate.Name, string.Join("; ", candidate.Changes))), .. Refused];

    /// <summary>Finds and checks the formatters.</summary>
    /// <exception cref="UsageException">The type, its samples or a formatter that was named are not there.</exception>
    internal static OwnChoice Create(OwnOptions options)
    {
        Type type;
        try
        {
            type = options.Assemblies.GetType(options.Type);
            if (type.ContainsGenericParameters)
                throw new UsageException($"'{type}' is an open generic type: give its type arguments, as in 'Shop.Page`1[[Shop.Order]]'.");
            if (type.IsByRefLike || type.IsPointer || type == typeof(void) || type is { IsAbstract: true, IsSealed: true })
                throw new UsageException($"A message cannot be of the type '{type}'.");
            return (OwnChoice)Activator.CreateInstance(
                typeof(OwnChoice<>).MakeGenericType(type), System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic, null,
                    [options], null)!;
        }
        catch (System.Reflection.TargetInvocationException e) when (e.InnerException is UsageException inner)
        {
            throw inner;
        }
        catch (Exception e) when (e is not (UsageException or OutOfMemoryException))
        {
            throw new UsageException($"'{options.Type}' cannot be measured: {OwnReasons.Of(e)}");
        }
    }
}

/// <summary>A formatter that takes the type.</summary>
/// <param name="Description">What writes the bytes.</param>
/// <param name="CanChange">See <see cref="OwnFormatter{T}.CanChange"/>.</param>
/// <param name="IsForNewBodies">See <see cref="OwnFormatter{T}.IsForNewBodies"/>.</param>
/// <param name="Changes">What a round trip loses or changes.</param>
/// <param name="Payload">Is measured.</param>
internal sealed record OwnCandidate(string Name, string Description, bool? CanChange, bool IsForNewBodies, IReadOnlyList<string> Changes,
    Payload Payload);

internal sealed class OwnChoice<T> : OwnChoice
{
    internal OwnChoice(OwnOptions options)
    {
        IReadOnlyList<T> samples = Load(options);
        SampleCount = samples.Count;
        foreach (OwnFormatter<T> row in Select(options, samples))
        {
            try
            {
                var payload = new OwnPayload<T>(row.Name, row.Create(), samples);
                Candidates.Add(
                    new OwnCandidate(row.Name, row.Description, row.CanChange, row.IsForNewBodies, Compare(Load(options), payload.Read()), payload));
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                Refused.Add(new OwnRefusal(row.Name, OwnReasons.Of(e)));
            }
        }
    }

    internal override Type Type => typeof(T);
    internal override int SampleCount { get; }

    private static IReadOnlyList<T> Load(OwnOptions options) => options switch
    {
        { Sample: { } file, Samples: null } => OwnSamples<T>.OfFile(file),
        { Sample: null, Samples: { } method } => OwnSamples<T>.OfMethod(method, options.Assemblies),
        _ => throw new UsageException(OwnOptions.OneKindOfSamples),
    };

    private static IEnumerable<OwnFormatter<T>> Select(OwnOptions options, IReadOnlyList<T> samples)
    {
        IReadOnlyList<OwnFormatter<T>> all = [.. OwnFormatters<T>.Create(samples), .. OwnFormatters<T>.OfLibraries(options.Assemblies)];
        if (options.Formatters.Count == 0)
            return all;
        // Those of the user's first: they have names with points.
        return [.. options.Formatters.Distinct(StringComparer.OrdinalIgnoreCase).Select(name =>
            all.FirstOrDefault(row => row.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? (name.Contains('.', StringComparison.Ordinal)
                ? OwnFormatters<T>.OfUser(name, options.Assemblies)
                : throw new UsageException($"There is no formatter '{name}'. The formatters are: {string.Join(", ", all.Select(row => row.Name))}, "
                + $"and static members Namespace.Type.Member of yours.")))];
    }

    /// <summary>Lists the changes of a round trip, member by member, each once.</summary>
    /// <remarks>A list that has become one of another class, with the same elements, is none: the member is declared as an interface.</remarks>
    private static string[] Compare(IReadOnlyList<T> before, IReadOnlyList<T> after)
    {
        var changes = new ChangeList();
        for (int i = 0; i < Math.Min(before.Count, after.Count); i++)
            GraphComparison.Compare(before[i], after[i], changes);
        return [.. changes.Items.Where(static change => !change.IsOtherList)
            .Select(static change => $"{(change.Place.Kind == ChangeKind.Dropped ? "drops" : "changes")} {change.Place.Name}: {change.Detail}")];
    }
}
