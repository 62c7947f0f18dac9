#if NET && !FORMATTERS_NETSTANDARD
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Formatters.TestSupport;

/// <summary>
/// Tests run as on a machine whose numbers have a decimal comma, a point between thousands and a minus sign that is no hyphen: what a body, a selector or a file holds may not depend on it.
/// Those over the netstandard2.0 build run under the invariant culture.
/// </summary>
internal static class CommaCulture
{
#pragma warning disable CA2255 // A module initializer in what is no application: there is no other place before the first test.
    [ModuleInitializer]
#pragma warning restore CA2255
    internal static void Set()
    {
        // Made here: cultures of the system are not to be had under InvariantGlobalization.
        var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        NumberFormatInfo numbers = culture.NumberFormat;
        numbers.NumberDecimalSeparator = numbers.CurrencyDecimalSeparator = numbers.PercentDecimalSeparator = ",";
        numbers.NumberGroupSeparator = numbers.CurrencyGroupSeparator = numbers.PercentGroupSeparator = ".";
        numbers.NegativeSign = "\u2212";
        culture.DateTimeFormat.DateSeparator = ".";
        culture.DateTimeFormat.TimeSeparator = ".";
        culture.DateTimeFormat.ShortDatePattern = "dd.MM.yyyy";
        culture.DateTimeFormat.ShortTimePattern = "HH.mm";
        CultureInfo.DefaultThreadCurrentCulture = culture;
        CultureInfo.CurrentCulture = culture;
    }
}
#endif
