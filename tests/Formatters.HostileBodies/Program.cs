using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.HostileBodies;

/// <summary>
/// <c>cases [NAME ...]</c> reads hostile bodies one after the other. A line <c>begin NAME</c> comes before each and <c>ok NAME</c> or <c>failed NAME: …</c> behind it, so that who
/// reads the output knows which of them ended the process. <c>reads FORMAT COUNT [SEED]</c> reads damaged bodies, the i-th of them with the seed SEED + i, and <c>all COUNT [SEED]</c>
/// those of all formats, each in a process of its own. <c>list</c> names the cases, and <c>formats</c> the formats.
/// </summary>
public static class Program
{
    public static int Main(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Measured.IsVerbose = Environment.GetEnvironmentVariable("FORMATTERS_HOSTILE_VERBOSE") == "1";
        switch (args)
        {
            case ["list"]:
                foreach (string name in HostileCases.All.Keys)
                    Console.WriteLine(name);
                return 0;
            case ["cases", .. string[] names]:
                return RunCases(names.Length == 0 ? [.. HostileCases.All.Keys] : names);
            case ["formats"]:
                foreach (string name in MutatedReads.Targets.Keys)
                    Console.WriteLine(name);
                return 0;
            case ["reads", string format, string count, .. string[] seed]:
                return RunReads(format, Number(count), seed is [string first] ? Number(first) : 1);
            case ["all", string count, .. string[] seed]:
                return ChildRun.RunAll(Number(count), seed is [string start] ? Number(start) : 1);
            default:
                Console.Error.WriteLine("list | cases [NAME ...] | formats | reads FORMAT COUNT [SEED] | all COUNT [SEED]");
                return 2;
        }
    }

    private static int Number(string text) => int.Parse(text, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    private static int RunReads(string format, int count, int seed)
    {
        try
        {
            int refused = MutatedReads.Run(format, count, seed);
            Console.WriteLine(ChildRun.Outcome(format, count, seed, refused));
            return 0;
        }
        catch (BrokenPromiseException e)
        {
            Console.WriteLine($"failed {format}: {e.Message.ReplaceLineEndings(" ")}");
            return 1;
        }
    }

    private static int RunCases(IReadOnlyList<string> names)
    {
        int failed = 0;
        foreach (string name in names)
        {
            Console.WriteLine("begin " + name);
            try
            {
                Action run = HostileCases.All[name]();
                Measured.OnStack(Measured.StackByteCount, run);
                Console.WriteLine("ok " + name);
            }
            catch (Exception e)
            {
                failed++;
                Console.WriteLine($"failed {name}: {(e is BrokenPromiseException ? e.Message : e.ToString()).ReplaceLineEndings(" ")}");
            }
        }

        return failed == 0 ? 0 : 1;
    }
}
