using Formatters.Bench.Peers;

namespace Formatters.Bench.Own;

/// <summary>Tells the rows of this library from those of others.</summary>
internal static class RowOwners
{
    private static readonly HashSet<string> Ours = [.. OrderFormatterRows.Create().Select(static row => row.Name)
        .Concat(OwnFormatters<object>.Create([]).Select(static row => row.Name))
        .Except(Peer.All.Select(static peer => peer.Name))
        .Except([OrderFormatterRows.Legacy, OrderFormatterRows.ClassicBinaryWriter])];

    /// <summary>Determines whether a row is a formatter of this library; a formatter of the user's is not.</summary>
    internal static bool IsOurs(string formatter) => Ours.Contains(formatter);
}
