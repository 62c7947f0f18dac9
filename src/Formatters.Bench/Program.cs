using System;
using Formatters.Bench;
using Formatters.Bench.CommandLine;

return await new BenchApplication(Console.Out, Console.Error, BenchQueues.CreateConnector(), TimeProvider.System).RunAsync(args);
