using System;
using System.Text.RegularExpressions;

namespace Formatters.Queues;

/// <summary>
/// Converts MSMQ's queue names to addresses: <c>DIRECT=OS:machine\private$\orders</c>, <c>.\private$\orders</c>, <c>machine\orders</c>.
/// </summary>
internal static class MsmqName
{
    internal const string Scheme = "msmq";

    // A machine, with a port on Mono for a broker; optionally private$; a name. The prefix shows whether it is a format name.
    private static readonly Regex Form = new(
        @"^(?<format>(FormatName:)?DIRECT=(OS|TCP):)?(?<machine>[^\\/:,\s]+(:[0-9]+)?)\\((?<private>private\$)\\)?(?<name>[^\\]+)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture);

    private static readonly Regex Beginning = new(
        @"^(FormatName:|DIRECT=|[^\\/:,\s]+(:[0-9]+)?\\)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture);

    /// <summary>Determines whether a string is meant as an MSMQ name, valid or not.</summary>
    internal static bool IsMeant(string text) => Beginning.IsMatch(text);

    /// <summary>
    /// Converts a name to a URI: <c>msmq://machine/private$/orders</c>, where the machine <c>.</c> is <c>localhost</c>; null if it is not valid.
    /// </summary>
    internal static Uri? ToUri(string text)
    {
        Match match = Form.Match(text);
        if (!match.Success)
            return null;
        string machine = match.Groups["machine"].Value;
        string place = match.Groups["private"].Success ? "private$/" : "";
        string name = Uri.EscapeDataString(match.Groups["name"].Value).Replace("%24", "$", StringComparison.Ordinal);
        return Uri.TryCreate($"{Scheme}://{(machine == "." ? "localhost" : machine)}/{place}{name}", UriKind.Absolute, out Uri? uri) ? uri : null;
    }
}
