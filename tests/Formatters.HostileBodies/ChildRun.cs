using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;

namespace Formatters.HostileBodies;

/// <summary>Runs of this program in processes of their own, with small stacks: their death is a failure here, and no more.</summary>
public static class ChildRun
{
    /// <summary>The most bodies of a process.</summary>
    private const int PartCount = 100_000;

    /// <summary>Runs damaged bodies of all formats, one format after the other.</summary>
    /// <param name="count">How many of each.</param>
    /// <param name="seed">Of the first.</param>
    /// <returns>The exit code.</returns>
    public static int RunAll(int count, int seed)
    {
        int failed = 0;
        foreach (string format in Formats)
        {
            string outcome = Read(format, count, seed);
            Console.WriteLine(outcome);
            failed += outcome.StartsWith("ok ", StringComparison.Ordinal) ? 0 : 1;
        }

        return failed == 0 ? 0 : 1;
    }

    /// <summary>The names of the formats.</summary>
    public static IEnumerable<string> Formats => MutatedReads.Targets.Keys.Where(name => name != "stack-overflow");

    /// <summary>The names of the cases.</summary>
    public static IEnumerable<string> Cases => HostileCases.All.Keys;

    /// <summary>Reads damaged bodies of a format, many of them in several processes: each run of <c>migrate</c> keeps what it has loaded and compiled.</summary>
    /// <param name="format">Its name.</param>
    /// <param name="count">How many.</param>
    /// <param name="seed">Of the first.</param>
    /// <returns>A line that begins with <c>ok</c> or says what failed.</returns>
    public static string Read(string format, int count, int seed)
    {
        int refused = 0;
        for (int done = 0; done < count; done += PartCount)
        {
            string outcome = ReadPart(format, Math.Min(PartCount, count - done), seed + done);
            if (!outcome.StartsWith("ok ", StringComparison.Ordinal))
                return outcome;
            refused += int.Parse(outcome[(outcome.LastIndexOf(", ", StringComparison.Ordinal) + 2)..outcome.LastIndexOf(' ')], NumberStyles.AllowThousands, CultureInfo.InvariantCulture);
        }

        return Outcome(format, count, seed, refused);
    }

    /// <summary>What is said of bodies that were all read or refused.</summary>
    internal static string Outcome(string format, int count, int seed, int refused) =>
        string.Create(CultureInfo.InvariantCulture, $"ok {format}: {count:#,0} damaged bodies from seed {seed}, {refused:#,0} refused.");

    private static string ReadPart(string format, int count, int seed)
    {
        (int exitCode, List<string> lines) = Run(["reads", format, count.ToString(CultureInfo.InvariantCulture), seed.ToString(CultureInfo.InvariantCulture)]);
        string last = lines.LastOrDefault(line => line.StartsWith("ok ", StringComparison.Ordinal) || line.StartsWith("failed ", StringComparison.Ordinal)) ?? "";
        return last.Length > 0
            ? last
            : string.Create(CultureInfo.InvariantCulture, $"died {format}: exit code {exitCode}, less than 1000 bodies behind the seed {lines.LastOrDefault(line => line.StartsWith("at ", StringComparison.Ordinal))?[3..]}.");
    }

    /// <summary>Runs all cases, those behind a deadly one in a new process.</summary>
    /// <returns>What became of each: <c>ok</c>, or what failed.</returns>
    public static IReadOnlyDictionary<string, string> RunCases()
    {
        var outcomes = new Dictionary<string, string>();
        List<string> open = [.. Cases];
        while (open.Count > 0)
        {
            (int exitCode, List<string> lines) = Run(["cases", .. open]);
            foreach (string line in lines)
            {
                if (line.StartsWith("begin ", StringComparison.Ordinal))
                    outcomes[line[6..]] = $"The process has ended with the exit code {exitCode}.";
                else if (line.StartsWith("ok ", StringComparison.Ordinal))
                    outcomes[line[3..]] = "ok";
                else if (line.StartsWith("failed ", StringComparison.Ordinal) && outcomes.Keys.FirstOrDefault(name => line.StartsWith($"failed {name}: ", StringComparison.Ordinal)) is { } failed)
                    outcomes[failed] = line[(failed.Length + 9)..];
            }

            if (open.RemoveAll(outcomes.ContainsKey) == 0)
                throw new InvalidOperationException($"The program ran no case: exit code {exitCode}.");
        }

        return outcomes;
    }

    private static (int ExitCode, List<string> Lines) Run(string[] args)
    {
        var start = new ProcessStartInfo("dotnet", [typeof(Program).Assembly.Location, .. args]) { RedirectStandardOutput = true, RedirectStandardError = true };
        // Hexadecimal: also the threads that the runtime makes.
        start.Environment["DOTNET_Thread_DefaultStackSize"] = Measured.StackByteCount.ToString("X", CultureInfo.InvariantCulture);
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        var lines = new List<string>();
        using Process process = Process.Start(start)!;
        // What the runtime says of a stack that has ended is long.
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginErrorReadLine();
        while (process.StandardOutput.ReadLine() is { } line)
            lines.Add(line);
        process.WaitForExit();
        return (process.ExitCode, lines);
    }
}
