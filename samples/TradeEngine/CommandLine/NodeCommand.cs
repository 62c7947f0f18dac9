using System.CommandLine;
using System.Security.Cryptography;
using System.Text;
using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Measurement;
using Formatters.TradeEngine.Nodes;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>The verb <c>node</c>: a process that runs components.</summary>
internal static class NodeCommand
{
    private static readonly string[] Components = ["router", "noe", "alc", "npr", "set"];

    internal static Command Create(TextWriter output, QueueConnector connector)
    {
        var shared = new SharedOptions();
        var components = new Option<string[]>("--component")
        {
            Description = string.Join(", ", Components)
                + ": the components that run here. Default: all.", HelpName = "name", AllowMultipleArgumentsPerToken = true,
        };
        components.AcceptOnlyFromAmong(Components);
        Option<string?> key = CreateKey();
        var untilInputEnds = new Option<bool>("--until-input-ends") { Description = "Ends when its standard input does.", Hidden = true };
        var command =
            new Command("node", "Runs components of the engine in this process, over queues and a store that it shares with others, until Ctrl-C.")
        {
            components, key, untilInputEnds,
        };
        foreach (Option option in shared.All)
            command.Options.Add(option);
        command.SetAction(async (result, cancellationToken) =>
        {
            string? place = result.GetValue(shared.Store);
            SharedOptions.CheckShared(result.GetValue(shared.Queues), place);
            SigningKey signing = ReadKey(result.GetValue(key) ?? throw new UsageException("--key: the file with the driver's key is missing."));
            EngineRunOptions run = shared.ToRunOptions(result, null);
            var options = new EngineOptions
            {
                QueuePrefix = run.QueuePrefix,
                Formats = run.Formats,
                InboundQueueCount = run.InboundQueueCount,
                RouterCount = run.RouterCount,
                NoticeCount = run.NoticeCount,
                InstanceCount = run.InstanceCount,
                BatchSize = run.BatchSize,
                BundleSize = run.BundleSize,
                Components = result.GetValue(components) ?? [],
            };
            await RunAsync(output, connector, place!, result.GetValue(shared.Databases), options, result.GetValue(shared.Seed), signing,
                result.GetValue(untilInputEnds), cancellationToken);
            return ExitCodes.Success;
        });
        return command;
    }

    internal static Option<string?> CreateKey() => new("--key")
    {
        Description = "The driver's key, as id=file: a secret for HMAC, or a PEM file for ECDSA P-256 (node: the public key is enough).",
        HelpName = "id=file",
    };

    /// <summary>Reads the key of a driver or of those who verify it.</summary>
    internal static SigningKey ReadKey(string entry, bool signs = false) =>
        KeyFiles.Read<SigningKey>([entry], "--key", signs ? ToDriverKey : KeyFiles.ToSigningKey)!.Current;

    private static SigningKey ToDriverKey(string id, byte[] bytes)
    {
        if (!bytes.AsSpan().StartsWith("-----BEGIN"u8))
            return SigningKey.HmacSha256(id, bytes);
        using var key = ECDsa.Create();
        key.ImportFromPem(Encoding.ASCII.GetString(bytes));
        return SigningKey.EcdsaP256(id, key.ExportParameters(includePrivateParameters: true));
    }

    private static async Task RunAsync(
        TextWriter output,
        QueueConnector connector,
        string place,
        int databaseCount,
        EngineOptions options,
        int seed,
        SigningKey key,
        bool endsWithInput,
        CancellationToken cancellationToken)
    {
        var data = new ReferenceData(seed, new MessageSetOptions().BusinessDate);
        string clearingsAddress = EngineStores.ClearingsOf(place)!;
        await using QueueClient clearings = await connector.OpenAsync(
            clearingsAddress, new QueueOptions { DeliveryMode = DeliveryMode.Transactional }, cancellationToken);
        await using ITradeStore store =
            await EngineStores.OpenAsync(place, databaseCount, options.Formats, clearings, purges: false, cancellationToken);
        await using EngineQueues queues = await EngineQueues.OpenAsync(connector, options.QueuePrefix, options.InboundQueueCount, clearingsAddress,
            options.BundleSize, cancellationToken: cancellationToken);
        await using QueueClient reports = await queues.OpenOtherAsync(EngineNode.QueueName, cancellationToken);
        await using var host = new TradeEngineHost(queues, options, data, store, key);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        if (endsWithInput)
            _ = Task.Run(() => CancelAtEndOfInput(end), CancellationToken.None);
        string which = options.Components.Count == 0 ? string.Join(", ", Components) : string.Join(", ", options.Components);
        await output.WriteLineAsync($"{which} at {queues.Inbound[0].Address}; {store.Description}. Ctrl-C ends.");
        await new EngineNode(queues, reports, host).RunAsync(end.Token);
        await output.WriteLineAsync(string.Join(", ", host.Meters.Where(meter => meter.Completions > 0)
            .Select(meter => $"{meter.Name} {Numbers.Count(meter.Completions, "message")}")));
    }

    private static void CancelAtEndOfInput(CancellationTokenSource end)
    {
        using Stream input = Console.OpenStandardInput();
        byte[] buffer = new byte[64];
        while (input.Read(buffer) > 0)
        {
        }

        try
        {
            end.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // It has ended before.
        }
    }
}
