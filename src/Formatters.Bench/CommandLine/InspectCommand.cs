using System;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>inspect</c>.</summary>
internal static class InspectCommand
{
    private const string ActiveX = "activex";

    internal static Command Create(TextWriter output, TextWriter error)
    {
        var file = new Argument<FileInfo>("file") { Description = "A file with one message body." };
        var format = new Option<string>("--format")
        {
            Description = $"The wire format: {Names}. Default: by content type or body type, else guessed from the bytes.",
            HelpName = "name",
        };
        var contentType = new Option<string>("--content-type") { Description = "The content type that the message had.", HelpName = "type" };
        var bodyType = new Option<int>("--body-type") { Description = "The body type that the message had; of ActiveX bodies the VARTYPE.", HelpName = "number" };
        var offsets = new Option<bool>("--offsets") { Description = "Before each value, where it begins, in hexadecimal." };
        var maxBytes = new Option<int>("--max-bytes")
        {
            Description = "The longest body, in bytes.",
            HelpName = "number",
            DefaultValueFactory = static _ => FormatterLimits.Default.MaxBodyByteCount,
        };
        var maxChars = new Option<long>("--max-chars")
        {
            Description = "The most characters that are printed.",
            HelpName = "number",
            DefaultValueFactory = static _ => InspectionOptions.Default.MaxCharCount,
        };
        Option<double> timeout = CommonOptions.CreateNumber("--timeout", "For how long a pipe or device may give nothing, in seconds.", 0, 1_000_000, 10, helpName: "seconds");
        var signingKeys = new Option<string[]>("--signing-key")
        {
            Description = "A key by which signed bodies are verified: its id, and a file with the secret of HMAC-SHA256, or a public key for ECDSA in PEM. Several times for several keys.",
            HelpName = "id=file",
        };
        var encryptionKeys = new Option<string[]>("--encryption-key")
        {
            Description = "A key by which encrypted bodies are decrypted: its id, and a file with its 16, 24 or 32 bytes. Several times for several keys.",
            HelpName = "id=file",
        };
        maxBytes.Validators.Add(CommonOptions.InRange(maxBytes, 1, Array.MaxLength));
        maxChars.Validators.Add(CommonOptions.InRange(maxChars, 1, long.MaxValue));
        var command = new Command("inspect", "Prints a message body as JSON, without the type it is of.")
        {
            file, format, contentType, bodyType, offsets, maxBytes, maxChars, timeout, signingKeys, encryptionKeys,
        };
        command.SetAction(result =>
        {
            FileInfo path = result.GetValue(file)!;
            if (!path.Exists)
                throw new UsageException($"There is no file '{path.FullName}'.");
            byte[] bytes = ReadFile(path, result.GetValue(maxBytes), TimeSpan.FromSeconds(result.GetValue(timeout)));
            var body = new MessageBody(bytes, result.GetValue(bodyType), result.GetValue(contentType));
            MessageInspector inspector = Choose(result.GetValue(format), body, error);
            var limits = FormatterLimits.Default with { MaxBodyByteCount = int.MaxValue, MaxElementCount = int.MaxValue };
            inspector.Inspect(
                body.Bytes.FirstSpan,
                output,
                new InspectionOptions
                {
                    ShowOffsets = result.GetValue(offsets),
                    MaxCharCount = result.GetValue(maxChars),
                    Limits = limits,
                    SigningKeys = KeyFiles.Read(result.GetValue(signingKeys), "--signing-key", KeyFiles.ToSigningKey),
                    EncryptionKeys = KeyFiles.Read(result.GetValue(encryptionKeys), "--encryption-key", static (id, bytes) => EncryptionKey.AesGcm(id, bytes)),
                });
        });
        return command;
    }

    /// <summary>Reads a file, which may be a pipe or a device that has no end, or has nothing to give.</summary>
    private static byte[] ReadFile(FileInfo file, int maxByteCount, TimeSpan timeout)
    {
        var body = new MemoryStream();
        // A thread that waits for a pipe cannot be called back: it is left to the end of the process.
        using var progress = new AutoResetEvent(false);
        var reading = Task.Factory.StartNew(
            () =>
            {
                byte[] buffer = new byte[64 * 1024];
                using FileStream stream = file.Open(FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
                for (int count; body.Length <= maxByteCount && (count = stream.Read(buffer)) > 0;)
                {
                    body.Write(buffer, 0, count);
                    Signal();
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        while (!reading.IsCompleted)
        {
            if (WaitHandle.WaitAny([progress, ((IAsyncResult)reading).AsyncWaitHandle], timeout) == WaitHandle.WaitTimeout)
                throw new TimeoutException(string.Create(CultureInfo.InvariantCulture, $"'{file.FullName}' has given nothing for {timeout.TotalSeconds:0.##} s, and not ended (--timeout)."));
        }

        reading.GetAwaiter().GetResult();
        return body.Length <= maxByteCount
            ? body.ToArray()
            : throw new MessageFormatException(
                MessageFormatErrorCode.LimitExceeded, string.Create(CultureInfo.InvariantCulture, $"'{file.FullName}' has more than {maxByteCount} bytes (--max-bytes): it was not printed."));

        void Signal()
        {
            try
            {
                progress.Set();
            }
            catch (ObjectDisposedException)
            {
                // Nobody waits any more.
            }
        }
    }

    private static string Names => string.Join(", ", MessageInspector.All.Select(static inspector => inspector.Name)) + ", " + ActiveX;

    private static MessageInspector Choose(string? name, MessageBody body, TextWriter error)
    {
        if (name is null)
        {
            MessageInspector detected = MessageInspector.Detect(body);
            if (body.ContentType is null && body.BodyType == 0)
                error.WriteLine($"{ToolInfo.Name}: by its bytes taken for {detected.Name} (--format)");
            return detected;
        }

        if (string.Equals(name, ActiveX, StringComparison.OrdinalIgnoreCase))
        {
            return body.BodyType != VarTypes.Empty && MessageInspector.Detect(new MessageBody(body.Bytes, body.BodyType, ContentTypes.ActiveX)) is { Name: ActiveX } inspector
                ? inspector
                : throw new UsageException("What an ActiveX body is stands beside it: give its VARTYPE with --body-type, as 31 for a text.");
        }

        return MessageInspector.Find(name) ?? throw new UsageException($"'{name}' is none of {Names}.");
    }
}
