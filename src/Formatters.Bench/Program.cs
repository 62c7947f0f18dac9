using System;
using Formatters.Bench;
using Formatters.Bench.CommandLine;

using var signals = new InterruptSignals(Console.Error);
return await new BenchApplication(Console.Out, Console.Error, BenchQueues.CreateConnector(), TimeProvider.System).RunAsync(args, signals.Token);
