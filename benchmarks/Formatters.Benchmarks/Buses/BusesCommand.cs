using Formatters.Benchmarks.Ratios;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.MassTransit;
using MassTransit;
using MassTransit.Context;
using MassTransit.Serialization;
using Rebus.Activation;
using Rebus.Config;
using Rebus.Messages;
using Rebus.Serialization;
using Rebus.Transport.InMem;
using Wolverine;
using RebusHeaders = Rebus.Messages.Headers;

namespace Formatters.Benchmarks.Buses;

/// <summary>The command <c>buses</c>: writing and reading a message through the serializers of buses, with a formatter and with their own JSON,
/// beside the formatter alone.</summary>
internal static class BusesCommand
{
    private const int RoundCount = 31;
    private static readonly TimeSpan RoundTime = TimeSpan.FromMilliseconds(20);

    internal static int Run(string[] args, TextWriter output, TextWriter error)
    {
        if (args is ["--help"])
        {
            output.WriteLine("buses: writes and reads an order of 5, 50 and 500 lines through the serializers of "
                + "MassTransit, Rebus and Wolverine. Takes no options.");
            return 0;
        }

        if (args.Length > 0)
        {
            error.WriteLine("buses takes no options.");
            return 2;
        }

        output.WriteLine($"{Machine.Short}. Microseconds of processor time to write and read, the median of {RoundCount} interleaved rounds.");
        foreach (int lineCount in new[] { 5, 50, 500 })
            Print(Measure(lineCount), lineCount, output);
        return 0;
    }

    /// <summary>Measures all cases in turn, so that a slow phase of the machine slows all of them.</summary>
    internal static IReadOnlyList<(string Name, double Microseconds)> Measure(int lineCount)
    {
        (string Name, Action Run)[] cases = [.. Cases(lineCount)];
        int[] counts = [.. cases.Select(static one => CountFor(one.Run))];
        double[][] times = [.. cases.Select(static _ => new double[RoundCount])];
        for (int round = 0; round < RoundCount; round++)
        {
            for (int i = 0; i < cases.Length; i++)
            {
                // Processor time, which other processes on the machine change less than the time on the clock.
                TimeSpan start = Environment.CpuUsage.TotalTime;
                for (int n = 0; n < counts[i]; n++)
                    cases[i].Run();
                times[i][round] = (Environment.CpuUsage.TotalTime - start).TotalMicroseconds / counts[i];
            }
        }

        return [.. cases.Select((one, i) => (one.Name, times[i].Order().ElementAt(RoundCount / 2)))];
    }

    /// <summary>Returns the cases: the formatter alone first, then for each bus its serializer with the formatter and with JSON.</summary>
    internal static IEnumerable<(string Name, Action Run)> Cases(int lineCount)
    {
        BusOrder order = BusOrder.Create(lineCount);
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<BusOrder>();
        var formatter = (MessageFormatter<BusOrder>)contracts.Find(typeof(BusOrder))!.Formatter;
        yield return ("formatter alone", () => Check(formatter.Read(formatter.Write(order)), order));

        var rebus = RebusSerializer(s => s.UseFormatters(contracts));
        yield return ("Rebus, formatter", () => Rebus(rebus, order));
        var rebusJson = RebusSerializer(static _ => { });
        yield return ("Rebus, its JSON", () => Rebus(rebusJson, order));

        var massTransit = new FormatterSerializerFactory(ContentTypes.MessagePack, contracts);
        yield return ("MassTransit, formatter", () => MassTransit(massTransit.CreateSerializer(), massTransit.CreateDeserializer(), order));
        yield return ("MassTransit, its JSON",
            () => MassTransit(SystemTextJsonMessageSerializer.Instance, SystemTextJsonMessageSerializer.Instance, order));

        var wolverine = new WolverineOptions();
        wolverine.UseFormatters(contracts);
        yield return ("Wolverine, formatter", () => Wolverine(wolverine, order));
        var wolverineJson = new WolverineOptions();
        yield return ("Wolverine, its JSON", () => Wolverine(wolverineJson, order));
    }

    private static void Print(IReadOnlyList<(string Name, double Microseconds)> rows, int lineCount, TextWriter output)
    {
        double alone = rows[0].Microseconds;
        output.WriteLine(
            string.Create(CultureInfo.InvariantCulture,
                $"\n| order with {lineCount} lines | microseconds | to the formatter alone |\n|---|---:|---:|"));
        foreach ((string name, double time) in rows)
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {name} | {time:0.00} | {time / alone:0.00} |"));
    }

    private static int CountFor(Action run)
    {
        // Warms up, too: the second half is counted.
        int count = 0;
        for (int half = 0; half < 2; half++)
        {
            count = 0;
            TimeSpan start = Environment.CpuUsage.TotalTime;
            while (Environment.CpuUsage.TotalTime - start < 20 * RoundTime)
            {
                run();
                count++;
            }
        }

        return Math.Max(1, count / 20);
    }

    private static ISerializer RebusSerializer(Action<StandardConfigurer<ISerializer>> configure)
    {
        ISerializer serializer = null!;
        using var activator = new BuiltinHandlerActivator();
        Configure.With(activator)
            .Logging(static l => l.None())
            .Transport(static t => t.UseInMemoryTransportAsOneWayClient(new InMemNetwork()))
            .Serialization(configure)
            .Options(o => o.Decorate<ISerializer>(c => serializer = c.Get<ISerializer>()))
            .Start();
        return serializer;
    }

    private static void Rebus(ISerializer serializer, BusOrder order)
    {
        var headers = new Dictionary<string, string> { [RebusHeaders.MessageId] = "1",
            [RebusHeaders.Type] = "Formatters.Benchmarks.Buses.BusOrder, Formatters.Benchmarks" };
        TransportMessage sent = serializer.Serialize(new Message(headers, order)).GetAwaiter().GetResult();
        Check((BusOrder)serializer.Deserialize(sent).GetAwaiter().GetResult().Body, order);
    }

    private static void MassTransit(IMessageSerializer serializer, IMessageDeserializer deserializer, BusOrder order)
    {
        var context = new MessageSendContext<BusOrder>(order) { Serializer = serializer };
        SerializerContext received = deserializer.Deserialize(new BytesMessageBody(context.Body.GetBytes()), context.Headers);
        Check(received.TryGetMessage(out BusOrder? read) ? read : null, order);
    }

    private static void Wolverine(WolverineOptions options, BusOrder order)
    {
        var envelope = new Envelope(order) { Serializer = options.DefaultSerializer, ContentType = options.DefaultSerializer.ContentType };
        foreach (IEnvelopeRule rule in options.MetadataRules)
            rule.Modify(envelope);
        var received = new Envelope { Data = envelope.Data, ContentType = envelope.ContentType };
        if (envelope.TryGetHeader(ContractNames.HeaderName, out string? name))
            received.Headers[ContractNames.HeaderName] = name;
        Check((BusOrder)options.DetermineSerializer(received).ReadFromData(typeof(BusOrder), received), order);
    }

    private static void Check(BusOrder? read, BusOrder order)
    {
        if (read is null || read.Lines.Count != order.Lines.Count || read.Customer != order.Customer)
            throw new InvalidOperationException("The message has changed.");
    }
}
