using System;
using System.Text.RegularExpressions;

namespace Formatters.Queues;

/// <summary>The names that MSMQ has for its queues, as addresses: <c>DIRECT=OS:machine\private$\orders</c>, <c>.\private$\orders</c>,
/// <c>machine\orders</c>.</summary>
internal static class MsmqName
{
    internal const string Scheme = "msmq";

    // A machine, with a port on Mono, where it is a broker's; private$ or nothing; a name. The text before the machine says whether it is a format name.
    private static readonly Regex Form = new(
        @"^(?<format>(FormatName:)?DIRECT=(OS|TCP):)?(?<machine>[^\\/:,\s]+(:[0-9]+)?)\\((?<private>private\$)\\)?(?<name>[^\\]+)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture);

    private static readonly Regex Beginning = new(
        @"^(FormatName:|DIRECT=|[^\\/:,\s]+(:[0-9]+)?\\)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture);

    /// <summary>Whether a string is meant as such a name; it may be none all the same.</summary>
    internal static bool IsMeant(string text) => Beginning.IsMatch(text);

    /// <summary>The URI of a queue by its name: <c>msmq://machine/private$/orders</c>, where the machine <c>.</c> is <c>localhost</c>; null if it is
    /// none.</summary>
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
