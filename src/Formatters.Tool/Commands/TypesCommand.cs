using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Queues;
using Formatters.Tools.Types;

namespace Formatters.Tools.Commands;

/// <summary>The command <c>types</c>: C# types from bodies of BinaryFormatter.</summary>
internal static class TypesCommand
{
    internal const string Name = "types";

    private const int PageCount = 100;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector)
    {
        var source = new Argument<string>("from") { Description = "A file with a body, a folder of such files, or a queue, whose messages stay there." };
        var count = new Option<int>("--count") { Description = "The maximum number of bodies to read.", HelpName = "number", DefaultValueFactory = static _ => 100_000 };
        count.Validators.Add(CommonOptions.InRange(count, 1, int.MaxValue));
        var file = new Option<FileInfo?>("--output") { Description = "The file for the source. Default: the standard output.", HelpName = "file" };
        var command = new Command(Name, "Writes C# types for bodies of BinaryFormatter: names, types of members, what may be null.") { source, count, file };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFile("--output", result.GetValue(file));
            string from = result.GetValue(source)!;
            bool isPath = File.Exists(from) || Directory.Exists(from);
            if (!isPath && !from.Contains(':', StringComparison.Ordinal))
                throw CommonOptions.Missing(new FileInfo(from));
            var types = new SeenTypes();
            var refused = new Dictionary<string, (int Count, string First)>(StringComparer.Ordinal);
            IAsyncEnumerable<(string Name, byte[] Body)> bodies = isPath ? ReadFiles(from) : PeekAsync(connector, QueueAddress.Parse(from), cancellationToken);
            int read = 0;
            await foreach ((string name, byte[] body) in bodies.WithCancellation(cancellationToken))
            {
                if (types.Add(body) is { } reason)
                    refused[reason] = refused.TryGetValue(reason, out (int Count, string First) before) ? (before.Count + 1, before.First) : (1, name);
                if (++read == result.GetValue(count))
                    break;
            }

            foreach ((string reason, (int times, string first)) in refused.OrderBy(static pair => pair.Key, StringComparer.Ordinal))
                error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{ToolInfo.Name}: {times} not read, the first is {first}: {reason}"));
            if (types.BodyCount == 0)
                throw new QueueException($"'{from}' has no bodies of BinaryFormatter{(read == 0 ? ": it is empty" : "")}.");
            using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
            new TypeWriter(text).Write(types);
            if (result.GetValue(file) is { } target)
            {
                WholeFile.Write(target, stream =>
                {
                    using var writer = new StreamWriter(stream, leaveOpen: true);
                    writer.Write(text.ToString());
                });
            }
            else
            {
                output.Write(text.ToString());
            }

            return ExitCodes.Success;
        });
        return command;
    }

    private static async IAsyncEnumerable<(string Name, byte[] Body)> ReadFiles(string path)
    {
        IEnumerable<string> files = !Directory.Exists(path) ? [path]
            : new DirectoryInfo(path).EnumerateFiles("*", SearchOption.AllDirectories).Where(MessageFile.IsBody).Select(static file => file.FullName).Order(StringComparer.Ordinal);
        foreach (string file in files)
            yield return ($"'{file}'", await File.ReadAllBytesAsync(file));
    }

    private static async IAsyncEnumerable<(string Name, byte[] Body)> PeekAsync(QueueConnector connector, QueueAddress address, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await QueueCheck.FindAsync(connector, address, cancellationToken);
        await using QueueClient queue = await connector.OpenOneAsync(address, new QueueOptions { DeliveryMode = DeliveryMode.Express, PrefetchCount = 1 }, cancellationToken);
        if (!queue.Capabilities.Supports(QueueFeatures.Peek))
            throw new UsageException($"'{queue.Address}': {queue.Capabilities.Product} shows no messages without a delivery. "
                + "Receive some into a folder ('queue receive --count 100 --to FOLDER'), or forward them to a folder of queues.");
        string? after = null;
        while (true)
        {
            IReadOnlyList<PeekedMessage> page = await queue.PeekAsync(new PeekOptions { MaxCount = PageCount, After = after, IncludeLocked = true, IncludeDelayed = true }, cancellationToken);
            foreach (PeekedMessage message in page)
                yield return ($"message {message.Position}", message.Body.ToArray());
            if (page.Count < PageCount)
                yield break;
            after = page[^1].Position;
        }
    }
}
