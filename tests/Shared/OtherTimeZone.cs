#if NET
using System;
using System.Runtime.CompilerServices;

namespace Formatters.TestSupport;

/// <summary>
/// Tests run in a time zone that is not UTC, three hours and a half behind it in winter: machines that build are in UTC, where a local time that was not
/// converted looks right.
/// </summary>
/// <remarks>Where TZ is set it stays. On Windows, which does not look at TZ, and without a database of zones the tests run in the machine's own.</remarks>
internal static class OtherTimeZone
{
#pragma warning disable CA2255 // As in CommaCulture.
    [ModuleInitializer]
#pragma warning restore CA2255
    internal static void Set()
    {
        if (Environment.GetEnvironmentVariable("TZ") is { Length: > 0 })
            return;
        Environment.SetEnvironmentVariable("TZ", "America/St_Johns");
        TimeZoneInfo.ClearCachedData();
    }
}
#endif
