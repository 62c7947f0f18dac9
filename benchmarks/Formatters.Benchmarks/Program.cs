using BenchmarkDotNet.Running;
using Formatters.Benchmarks;
using Formatters.Benchmarks.Brokers;
using Formatters.Benchmarks.Buses;
using Formatters.Benchmarks.Generators;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Startup;
using Formatters.Benchmarks.Tables;
using Formatters.Benchmarks.Workers;

if (args is ["ratios", ..])
    return RatiosCommand.Run(args[1..], Console.Out, Console.Error);

if (args is ["models", ..])
    return ModelsCommand.Run(args[1..], Console.Out, Console.Error);

if (args is ["startup", ..])
    return StartupCommand.Run(args[1..], Console.Out, Console.Error);

if (args is ["generator", ..])
    return GeneratorCommand.Run(args[1..], Console.Out, Console.Error);

if (args is ["brokers", ..])
    return await BrokersCommand.RunAsync(args[1..], Console.Out, Console.Error);

if (args is ["buses", ..])
    return BusesCommand.Run(args[1..], Console.Out, Console.Error);

if (args is ["workers", ..])
    return await WorkersCommand.RunAsync(args[1..], Console.Out, Console.Error);

if (args is ["tables", ..])
    return await TablesCommand.RunAsync(args[1..], Console.Out, Console.Error);

if (args is [FirstUse.Verb, string row] && RowCatalog.Find(row) is { } entry)
{
    FirstUse.Measure(entry).Print(Console.Out);
    return 0;
}

if (args is [GeneratorFirstRun.Verb, _, _, _])
{
    GeneratorFirstRun.Print(args[1..], Console.Out);
    return 0;
}

if (args.Length == 0)
{
    Console.Error.WriteLine(
        """
        Benchmarks of message formatters. README.md beside this project says what the figures mean.

          ratios [--help]                            all formatters side by side, in under a minute
          models [--help]                            payloads that other projects publish, in all formats and by other libraries
          startup [--help]                           the first write and read in a new process
          generator [--help]                         source generators after an edit and in a build, beside MemoryPack and System.Text.Json
          brokers [--help]                           queues over RabbitMQ and PostgreSQL beside bare clients and pgbench
          buses [--help]                             formatters as the serializers of MassTransit, Rebus and Wolverine
          workers [--help]                           the same worker with Formatters.Hosting, MassTransit, Rebus and Wolverine
          tables [--help]                            the tables of README.md and docs, measured and written in place
          --filter '*.OrderBenchmarks.*' --job short the main class under BenchmarkDotNet, in a few minutes
          --list flat                                what BenchmarkDotNet can run; --help: its options
        """);
    return 2;
}

if (!QueueCase.All.Any(static queueCase => queueCase.Address.StartsWith("amqp", StringComparison.Ordinal)))
    Console.Error.WriteLine($"RabbitMQ is left out: {QueueCase.BrokerVariable} names no broker (amqp://guest:guest@127.0.0.1:5672).");
if (!QueueCase.All.Any(static queueCase => queueCase.Address.StartsWith("postgres", StringComparison.Ordinal)))
    Console.Error.WriteLine($"PostgreSQL is left out: {QueueCase.PostgresVariable} names no server "
        + $"(postgres://postgres:formatters@127.0.0.1:5432/postgres).");

var summaries = BenchmarkSwitcher.FromAssembly(typeof(OrderBenchmarks).Assembly).Run(args);
return summaries.Any(static summary => summary.HasCriticalValidationErrors || summary.Reports.Any(static report => !report.Success)) ? 1 : 0;
