#if NET
using Formatters.Bench.Compare;

namespace Formatters.Bench.Perftest;

/// <summary>Compares the 2004 study's findings on strings, C and .NET, the network and many queues with the rows.</summary>
internal static class PerftestFindings
{
    /// <summary>Judges whatever the rows can decide.</summary>
    internal static IReadOnlyList<Finding> Judge(PerftestOperation operation, IReadOnlyList<PerftestSection> sections)
    {
        var findings = new List<Finding>();
        foreach (PerftestSection section in sections)
        {
            DeliveryMode mode = System.Enum.Parse<DeliveryMode>(section.Queue.DeliveryMode, ignoreCase: true);
            foreach (string route in section.Rows.Select(row => row.Route).Distinct())
            {
                foreach (int length in Payloads.StringLengths)
                {
                    string name = Payloads.StringName(length);
                    Add($"UTF-8 beats UTF-16, {name}{Where(section, route)}", Find(section, route, name),
                        Find(section, route, $"{name} {Payloads.ActiveXString}"), RatioOf(operation, mode, name));
                }
            }

            foreach (PerftestRow row in section.Rows.Where(row => row.Route == PerftestRow.Native))
                Add($"C beats .NET, {row.Payload}{Where(section, PerftestRow.Local)}", row, Find(section, PerftestRow.Local, row.Payload),
                    row.Study?.Rate / Find(section, PerftestRow.Local, row.Payload)?.Study?.Rate);
            foreach (PerftestRow row in section.Rows.Where(row => row.Route == PerftestRow.Remote))
            {
                PerftestRow? local = Find(section, PerftestRow.Local, row.Payload);
                Add($"Local beats remote, {row.Payload}{Where(section, PerftestRow.Local)}", local, row, local?.Study?.Rate / row.Study?.Rate);
            }

            foreach (PerftestRow row in section.Rows.Where(row => row.Route.StartsWith(OneSend, System.StringComparison.Ordinal)))
            {
                string count = row.Route[OneSend.Length..];
                Add($"1 send beats {count}, {row.Payload}{Where(section, PerftestRow.Local)}", row,
                    Find(section, Sends(int.Parse(count, CultureInfo.InvariantCulture)), row.Payload), null);
            }
        }

        return findings;

        void Add(string text, PerftestRow? faster, PerftestRow? slower, double? study)
        {
            if (faster is not null && slower is not null)
                findings.Add(Findings.Compare(text, faster.Rounds, slower.Rounds, study));
        }
    }

    private const string OneSend = "1 send to ";

    /// <summary>The route of one send to several queues.</summary>
    internal static string OneTo(int queueCount) => OneSend + queueCount.ToString(CultureInfo.InvariantCulture);

    /// <summary>The route of a send to each of several queues.</summary>
    internal static string Sends(int queueCount) => queueCount.ToString(CultureInfo.InvariantCulture) + " sends";

    /// <summary>The study's .NET, which sent UTF-8, over its COM, which sent UTF-16.</summary>
    private static double? RatioOf(PerftestOperation operation, DeliveryMode mode, string name)
    {
        bool isRemote = operation == PerftestOperation.Client;
        return AppendixA.Find(operation, mode, isRemote, name)?.Rate / AppendixA.Find(operation, mode, isRemote, name, isUnmanaged: true)?.Rate;
    }

    private static string Where(PerftestSection section, string route) =>
        $", {section.Queue.DeliveryMode}{(route == PerftestRow.Local ? "" : ", " + route)}";

    private static PerftestRow? Find(PerftestSection section, string route, string payload) =>
        section.Rows.FirstOrDefault(row => row.Route == route && row.Payload == payload);
}
#endif
