using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Formatters.Bench.Network;
using Formatters.Bench.Perftest;
using Formatters.Buffers;

namespace Formatters.Bench.Native;

/// <summary>The same batches by a program in C over librabbitmq or libpq (<c>perftest.c</c>), which takes its commands from its standard
/// input.</summary>
internal sealed class NativeOperation : BatchOperation
{
    private readonly Process _process;
    private readonly PerftestOptions _options;
    private string _payload = "";

    private NativeOperation(Process process, PerftestOptions options) => (_process, _options) = (process, options);

    /// <summary>Determines whether the program has the payload: empty messages, strings in UTF-8, and the order by Save and Load.</summary>
    internal static bool Takes(string payload) => KindOf(payload) is not null;

    /// <summary>Returns why the program cannot measure; null if it can.</summary>
    internal static string? WhyNot(PerftestOptions options)
    {
        IReadOnlyList<QueueAddress> queues = QueueAddress.ParseList(options.Queue);
        return queues.Count > 1 ? "C: it sends to one queue"
            : options.Operation is not (PerftestOperation.SendAndPurge or PerftestOperation.SendAndReceive)
                ? "C: it supports only SENDANDPURGE and SENDANDRECEIVE"
            : LoopbackProxy.WhyNot(queues) is { } reason ? $"C: it is over librabbitmq and libpq, and {reason}"
            : null;
    }

    /// <summary>Starts the program, and lets it connect.</summary>
    /// <exception cref="UsageException">It cannot be started.</exception>
    /// <exception cref="QueueException">It cannot connect.</exception>
    internal static async Task<BatchOperation> OpenAsync(PerftestOptions options, DeliveryMode mode, CancellationToken cancellationToken)
    {
        QueueAddress address = QueueAddress.Parse(options.Queue);
        Process process;
        try
        {
            process = Process.Start(new ProcessStartInfo(options.Native!.FullName) { RedirectStandardInput = true, RedirectStandardOutput = true,
                UseShellExecute = false })!;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new UsageException($"--native: '{options.Native!.FullName}' cannot be started: {e.Message}");
        }

        var operation = new NativeOperation(process, options);
        try
        {
            bool isRabbitMq = address.Scheme == "amqp";
            string[] user = address.Uri.UserInfo.Split(':', 2);
            string place = string.Join('/', address.Uri.AbsolutePath.Trim('/').Split('/')[..^1]);
            // By standard input: arguments are for everybody to see.
            string[] lines =
            [
                isRabbitMq ? "amqp" : "postgres",
                address.Uri.Host,
                LoopbackProxy.PortOf(address).ToString(CultureInfo.InvariantCulture),
                user[0].Length > 0 ? Uri.UnescapeDataString(user[0]) : isRabbitMq ? "guest" : "",
                user.Length > 1 ? Uri.UnescapeDataString(user[1]) : isRabbitMq ? "guest" : "",
                place.Length > 0 ? Uri.UnescapeDataString(place) : isRabbitMq ? "/" : "",
                address.QueueName,
                Modes.NameOf(mode),
            ];
            await operation.AskAsync(string.Concat(lines.Select(static line => line + "\n")), [], cancellationToken);
            return operation;
        }
        catch
        {
            await operation.DisposeAsync();
            throw;
        }
    }

    internal override async Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        if (_payload != payload.Name)
            await ShowPayloadAsync(payload, cancellationToken);
        double sent = await AskAsync(string.Create(CultureInfo.InvariantCulture, $"send {count}\n"), [], cancellationToken);
        if (_options.Operation == PerftestOperation.SendAndReceive)
            return TimeSpan.FromSeconds(
                await AskAsync(string.Create(CultureInfo.InvariantCulture, $"receive {count} {(wholeContent ? 1 : 0)}\n"), [], cancellationToken));
        double purged = await AskAsync("purge\n", [], cancellationToken);
        return purged == count
            ? TimeSpan.FromSeconds(sent)
            : throw new VerificationException(
                string.Create(CultureInfo.InvariantCulture, $"{payload.Name}, C: {count:N0} messages were sent, {purged:N0} were purged."));
    }

    public override async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5));
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private static string? KindOf(string payload) => payload switch
    {
        Payloads.EmptyName => "empty",
        _ when payload == Payloads.OrderName(OrderFormatterRows.HandCoded) => "order",
        _ when payload.StartsWith("string ", StringComparison.Ordinal) && payload.Count(static character => character == ' ') == 1 => "string",
        _ => null,
    };

    /// <summary>Gives the program the bodies, from which it makes its own objects.</summary>
    private async Task ShowPayloadAsync(Payload payload, CancellationToken cancellationToken)
    {
        string kind = KindOf(payload.Name)!;
        int valueCount = kind switch { "empty" => 1, "order" => 16, _ => 4 };
        using var all = new MemoryStream();
        for (int i = 0; i < valueCount; i++)
        {
            using var buffer = new PooledBufferWriter(payload.BodyByteCount);
            var body = new MessageBody();
            payload.Write(i, buffer, body);
            byte[] length = new byte[4];
            BinaryPrimitives.WriteInt32LittleEndian(length, (int)body.Bytes.Length);
            all.Write(length);
            all.Write(body.Bytes.ToArray());
        }

        await AskAsync(string.Create(CultureInfo.InvariantCulture, $"payload {kind} {valueCount}\n"), all.ToArray(), cancellationToken);
        _payload = payload.Name;
    }

    /// <summary>Tells the program what to do, and waits until it has done it.</summary>
    /// <returns>Its number: seconds, or messages.</returns>
    private async Task<double> AskAsync(string command, byte[] data, CancellationToken cancellationToken)
    {
        string? answer;
        try
        {
            Stream input = _process.StandardInput.BaseStream;
            await input.WriteAsync(Encoding.UTF8.GetBytes(command), cancellationToken);
            await input.WriteAsync(data, cancellationToken);
            await input.FlushAsync(cancellationToken);
            answer = await _process.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(2 * _options.Timeout, cancellationToken);
        }
        catch (IOException)
        {
            answer = null;
        }

        string[] words = (answer ?? "").Split(' ', 2);
        return words switch
        {
            ["ok", var number] when double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) => value,
            ["wrong", var what] => throw new VerificationException($"C: {what}"),
            ["error", var what] => throw new QueueException($"C: {what}"),
            _ => throw new QueueException("C: the program has ended."),
        };
    }
}
