using System;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Tools.Queues;

namespace Formatters.Tools.Commands;

/// <summary>Forwards messages between queues, for the verb <c>forward</c>.</summary>
internal static class ForwardCommand
{
    internal const string Name = "forward";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector)
    {
        var source = new Argument<string>("from") { Description = "The queue from which messages are taken." };
        var target = new Argument<string>("to") { Description = "The queue to which they are sent." };
        var untilEmpty = new Option<bool>("--until-empty") { Description = "End when the source has no more messages. Without it, the command runs until Ctrl-C." };
        var atLeastOnce = new Option<bool>("--at-least-once")
        {
            Description = "From a folder to PostgreSQL: do not use transactions over both, for a server without prepared transactions (max_prepared_transactions = 0).",
        };
        var batch = new Option<int?>("--batch") { Description = "How many messages are moved together. Default: 100 in transactions, else 1.", HelpName = "number" };
        batch.Validators.Add(CommonOptions.InRange(batch, 1, 100_000));
        var attempts = new Option<int>("--max-attempts")
        {
            Description = "How often a message is tried before it goes to the dead-letter queue. Default: without limit.",
            HelpName = "number",
        };
        attempts.Validators.Add(CommonOptions.InRange(attempts, 0, int.MaxValue));
        var deadLetters = new Option<string?>("--dead-letter-queue")
        {
            Description = "The queue for messages that cannot be forwarded, in the location of the source. Default: the source's name with .dead appended.",
            HelpName = "name",
        };
        Option<double> maxBackOff = CommonOptions.CreateNumber(
            "--max-back-off",
            "How long to wait at most while a queue cannot be reached, in seconds.",
            0.1,
            86_400,
            ForwarderOptions.Default.MaxBackOff.TotalSeconds,
            "seconds");
        var command = new Command(Name, "Moves messages from one queue to another as they come: store and forward.")
        {
            source, target, untilEmpty, atLeastOnce, batch, attempts, deadLetters, maxBackOff,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            var options = new ForwarderOptions
            {
                BatchSize = result.GetValue(batch),
                MaxAttempts = result.GetValue(attempts),
                DeadLetterQueue = result.GetValue(deadLetters),
                MaxBackOff = TimeSpan.FromSeconds(result.GetValue(maxBackOff)),
                OnRetry = (e, wait) => error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{ToolInfo.Name}: {ToolWording.Of(e.Message)} Again in {wait.TotalSeconds:0.#} s.")),
            };
            QueueAddress from = QueueAddress.Parse(result.GetValue(source)!), to = QueueAddress.Parse(result.GetValue(target)!);
            if (!from.Uri.IsFile || to.Scheme is not ("postgres" or "postgresql") || result.GetValue(atLeastOnce))
                return await RunAsync(connector, options);

            await using var folders = new FileQueueProvider();
            var databases = new PostgreSqlQueueProvider();
            string database = to.Uri.AbsoluteUri[..to.Uri.AbsoluteUri.LastIndexOf('/')];
            return await RunAsync(new QueueConnector(folders, databases), options with
            {
                Coordination = new CoordinatedForwarding(folders, token => databases.OpenResourceManagerAsync(database, cancellationToken: token)),
            });

            async Task<int> RunAsync(QueueConnector queues, ForwarderOptions forwarderOptions)
            {
                QueueForwarder forwarder;
                try
                {
                    forwarder = new QueueForwarder(queues, result.GetValue(source)!, result.GetValue(target)!, forwarderOptions);
                }
                catch (ArgumentException e)
                {
                    throw new UsageException(e);
                }

                queues.FindProvider(to);
                if (await QueueCheck.IsMissingAsync(queues, from, cancellationToken))
                    throw new QueueException($"There is no queue '{from}'.");

                try
                {
                    if (result.GetValue(untilEmpty))
                        await forwarder.RunUntilEmptyAsync(cancellationToken);
                    else
                        await forwarder.RunAsync(cancellationToken);
                }
                finally
                {
                    if (forwarder.Guarantee is { } guarantee)
                    {
                        string howOften = guarantee == ForwardingGuarantee.ExactlyOnce ? "exactly once" : "at least once";
                        output.WriteLine(string.Create(
                            CultureInfo.InvariantCulture,
                            $"{forwarder.ForwardedCount} forwarded from {forwarder.Source} to {forwarder.Target} ({howOften}), {forwarder.SetAsideCount} set aside"));
                    }
                }

                return cancellationToken.IsCancellationRequested ? ExitCodes.Interrupted : forwarder.SetAsideCount > 0 ? ExitCodes.Failure : ExitCodes.Success;
            }
        });
        return command;
    }
}
