using System;
using System.Linq;
using BenchmarkDotNet.Running;
using Formatters.Benchmarks.Ratios;

if (args is ["ratios", ..])
    return RatiosCommand.Run(args[1..], Console.Out, Console.Error);

if (args.Length == 0)
{
    Console.Error.WriteLine(
        """
        Benchmarks of message formatters. README.md beside this project says what the figures mean.

          ratios [--help]                            all formatters side by side, in under a minute
          --filter '*.OrderBenchmarks.*' --job short the main class under BenchmarkDotNet, in a few minutes
          --list flat                                what BenchmarkDotNet can run; --help: its options
        """);
    return 2;
}

var summaries = BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
return summaries.Any(static summary => summary.HasCriticalValidationErrors || summary.Reports.Any(static report => !report.Success)) ? 1 : 0;
