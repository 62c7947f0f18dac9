using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading.Tasks;
using Formatters.Envelopes;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Tools.Tests.Commands;

public sealed class InspectCommandTests : IDisposable
{
    private readonly string _file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task A_body_is_printed_as_JSON()
    {
        await File.WriteAllBytesAsync(_file, [0x81, 0xA1, (byte)'a', 0x92, 1, 0xC3]);
        ToolResult result = await new Tool().RunAsync("inspect", _file);
        Assert.Equal("formatters: format guessed from the bytes: messagepack (--format)", Assert.Single(result.ErrorLines));
        result = await new Tool().RunAsync("inspect", _file, "--content-type", "application/msgpack");
        Assert.Equal((0, "", "{\n  \"a\": [\n    1,\n    true\n  ]\n}\n"), (result.ExitCode, result.Error, result.Output));
        result = await new Tool().RunAsync("inspect", _file, "--format", "MessagePack", "--offsets");
        Assert.Equal(0, result.ExitCode);
        Assert.StartsWith("/* 00000000 */ {\n/* 00000001 */   \"a\": [\n/* 00000004 */     1,\n", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_properties_beside_a_file_tell_its_format()
    {
        // Without them, this would be a guess, and a wrong one.
        byte[] body = [0x7B, 0x7D];
        await File.WriteAllBytesAsync(_file, body);
        await File.WriteAllTextAsync(_file + ".properties.json", "{ \"bodyType\": 8209 }");
        try
        {
            ToolResult result = await new Tool().RunAsync("inspect", _file);
            Assert.Equal((0, "", "{ \"$binary\": \"7B7D\" }\n"), (result.ExitCode, result.Error, result.Output));
            result = await new Tool().RunAsync("inspect", _file, "--content-type", "application/json");
            Assert.Equal((0, "", "{}\n"), (result.ExitCode, result.Error, result.Output));
        }
        finally
        {
            File.Delete(_file + ".properties.json");
        }
    }

    [Fact]
    public async Task The_standard_input_is_a_body()
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach (string arg in new[] { typeof(UsageException).Assembly.Location, "inspect", "-", "--format", "messagepack" })
            start.ArgumentList.Add(arg);
        using Process process = Process.Start(start)!;
        await process.StandardInput.BaseStream.WriteAsync(new byte[] { 0x91, 7 });
        process.StandardInput.Close();
        Assert.Equal("[\n  7\n]\n", (await process.StandardOutput.ReadToEndAsync()).ReplaceLineEndings("\n"));
        await process.WaitForExitAsync();
        Assert.Equal(0, process.ExitCode);
    }

    [Fact]
    public async Task The_messages_of_a_queue_are_printed_and_stay()
    {
        var tool = new Tool();
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:waiting", QueueOptions.Fastest);
        for (byte i = 0; i < 120; i++)
            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 0x91, i == 1 ? (byte)0xC1 : i }, 0, ContentTypes.MessagePack)) { MessageId = $"id-{i}" });

        ToolResult result = await tool.RunAsync("inspect", "--queue", "memory:waiting", "--count", "3");
        Assert.Equal(1, result.ExitCode);
        Assert.Equal(3, result.OutputLines.Count(static line => line.StartsWith("// ", StringComparison.Ordinal)));
        Assert.Contains("id id-2, ", result.Output, StringComparison.Ordinal);
        Assert.Contains("byte offset 1", Assert.Single(result.ErrorLines), StringComparison.Ordinal);

        result = await tool.RunAsync("inspect", "--queue", "memory:waiting", "--id", "id-110");
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Contains("id id-110, ", result.Output, StringComparison.Ordinal);
        Assert.Contains("\n  110\n", result.Output, StringComparison.Ordinal);

        Assert.Equal(120, await queue.GetMessageCountAsync());
        Assert.Equal(1, (await queue.ReceiveAsync(TimeSpan.FromSeconds(5)))!.DeliveryCount);
    }

    /// <summary>RabbitMQ shows nothing without a delivery.</summary>
    [BrokerFact]
    public async Task Of_RabbitMQ_they_are_received_and_given_back_where_that_is_said()
    {
        var tool = new Tool(new RabbitMqQueueProvider());
        string address = Broker.NewQueue();
        await using (QueueClient queue = await tool.Connector.OpenAsync(address))
        {
            for (byte i = 0; i < 30; i++)
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 0x91, i }, 0, ContentTypes.MessagePack)) { MessageId = $"id-{i}" });
        }

        try
        {
            ToolResult result = await tool.RunAsync("inspect", "--queue", address);
            Assert.Equal(2, result.ExitCode);
            Assert.Contains("--return", Assert.Single(result.ErrorLines), StringComparison.Ordinal);

            result = await tool.RunAsync("inspect", "--queue", address, "--return", "--count", "3");
            Assert.Equal((0, ""), (result.ExitCode, result.Error));
            Assert.Equal(3, result.OutputLines.Count(static line => line.StartsWith("// ", StringComparison.Ordinal)));

            result = await tool.RunAsync("inspect", "--queue", address, "--return", "--id", "id-20");
            Assert.Equal((0, ""), (result.ExitCode, result.Error));
            Assert.Contains("\n  20\n", result.Output, StringComparison.Ordinal);

            await using QueueClient after = await tool.Connector.OpenAsync(address);
            Assert.Equal(30, await after.GetMessageCountAsync());
            for (int i = 0; i < 30; i++)
            {
                ReceivedMessage message = (await after.ReceiveAsync(TimeSpan.FromSeconds(5)))!;
                Assert.Equal($"id-{i}", message.MessageId);
                await message.AcknowledgeAsync();
            }
        }
        finally
        {
            await tool.Connector.DeleteAsync(address);
        }
    }

    [Theory]
    [InlineData(1, "There is no queue", "--queue", "memory:absent")]
    [InlineData(2, "either a file", "body.bin", "--queue", "memory:q")]
    [InlineData(2, "either a file")]
    [InlineData(2, "go with --queue", "body.bin", "--id", "1")]
    [InlineData(2, "go with --queue", "body.bin", "--return")]
    public async Task What_is_asked_for_must_be_there(int exitCode, string message, params string[] args)
    {
        ToolResult result = await new Tool().RunAsync(["inspect", .. args]);
        Assert.Equal(exitCode, result.ExitCode);
        Assert.Contains(message, Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bad_body_is_printed_up_to_the_error()
    {
        await File.WriteAllBytesAsync(_file, [0x92, 1, 0xC1]);
        ToolResult result = await new Tool().RunAsync("inspect", _file, "--format", "messagepack");
        Assert.Equal(1, result.ExitCode);
        Assert.Equal("[\n  1\n", result.Output);
        Assert.Contains("byte offset 2", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_long_body_is_refused_and_a_long_text_is_cut()
    {
        await File.WriteAllBytesAsync(_file, new byte[1000]);
        ToolResult result = await new Tool().RunAsync("inspect", _file, "--max-bytes", "999");
        Assert.Equal((1, ""), (result.ExitCode, result.Output));
        Assert.Contains("has more than 999 bytes (--max-bytes)", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        result = await new Tool().RunAsync("inspect", _file, "--max-bytes", "1000", "--format", "binary", "--max-chars", "200");
        Assert.Equal(1, result.ExitCode);
        Assert.EndsWith("\n... The text of the body was cut after 200 characters (InspectionOptions.MaxCharCount).\n", result.Output, StringComparison.Ordinal);
        Assert.Contains("cut after 200 characters", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_device_and_a_pipe_end()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no /dev/zero.");
        ToolResult result = await new Tool().RunAsync("inspect", "/dev/zero");
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("'/dev/zero' has more than 16777216 bytes", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        // A pipe each: the reader that was given up still waits for a writer.
        string other = _file + ".pipe";
        using (System.Diagnostics.Process process = System.Diagnostics.Process.Start("mkfifo", [_file, other]))
            await process.WaitForExitAsync();
        result = await new Tool().RunAsync("inspect", _file, "--timeout", "0.2");
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("has delivered no data for 0.2 s", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Task<ToolResult> reading = new Tool().RunAsync("inspect", other, "--format", "json", "--timeout", "60");
        await File.WriteAllTextAsync(other, "[1]");
        Assert.Equal("[\n  1\n]\n", (await reading).Output);
        File.Delete(other);
    }

    [Fact]
    public async Task What_does_not_show_is_printed_as_an_escape()
    {
        string name = _file + "\u202Egnp.exe";
        ToolResult result = await new Tool().RunAsync("inspect", name);
        Assert.Contains("\\u202Egnp.exe", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Assert.DoesNotContain('\u202E', result.Error);
    }

    [Fact]
    public async Task An_envelope_is_opened_with_the_keys_of_files()
    {
        byte[] secret = RandomNumberGenerator.GetBytes(32), aes = RandomNumberGenerator.GetBytes(16);
        using ECDsa pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var inner = new MessagePackFormatter<string>();
        string keyFile = _file + ".key";
        try
        {
            await File.WriteAllBytesAsync(_file, new SignedFormatter<string>(inner, SigningKey.HmacSha256("k", secret)).Write("text"));
            await File.WriteAllBytesAsync(keyFile, secret);
            (int exitCode, _, string output) = await RunAsync("--format", "signed", "--signing-key", "k=" + keyFile);
            Assert.Equal(0, exitCode);
            Assert.Contains("\"$signature\": \"good\"", output, StringComparison.Ordinal);
            Assert.Contains("\"$body\": \"text\"", output, StringComparison.Ordinal);

            await File.WriteAllBytesAsync(_file, new SignedFormatter<string>(inner, SigningKey.EcdsaP256("p", pair.ExportParameters(true))).Write("text"));
            await File.WriteAllTextAsync(keyFile, pair.ExportSubjectPublicKeyInfoPem());
            (_, _, output) = await RunAsync("--body-type", "17937", "--signing-key", "p=" + keyFile);
            Assert.Contains("\"$signature\": \"good\"", output, StringComparison.Ordinal);

            await File.WriteAllBytesAsync(_file, new EncryptedFormatter<string>(inner, EncryptionKey.AesGcm("e", aes)).Write("text"));
            await File.WriteAllBytesAsync(keyFile, aes);
            (_, _, output) = await RunAsync("--content-type", ContentTypes.Encrypted, "--encryption-key", "e=" + keyFile);
            Assert.Contains("\"$body\": \"text\"", output, StringComparison.Ordinal);

            foreach (string[] wrong in new[] { new[] { "--signing-key", "k=" + keyFile }, ["--encryption-key", "e"], ["--encryption-key", "e=" + _file + ".none"], ["--encryption-key", " =" + keyFile] })
                Assert.Equal(2, (await RunAsync(wrong)).ExitCode);
        }
        finally
        {
            File.Delete(keyFile);
        }
    }

    [Fact]
    public async Task An_ActiveX_body_is_printed_by_its_body_type()
    {
        await File.WriteAllBytesAsync(_file, [42, 0, 0, 0]);
        Assert.Equal((0, "", "42\n"), await RunAsync("--body-type", "3"));
        Assert.Equal((0, "", "42\n"), await RunAsync("--format", "activex", "--body-type", "3"));
        (int exitCode, string error, _) = await RunAsync("--format", "activex");
        Assert.Equal(2, exitCode);
        Assert.Contains("--body-type", error, StringComparison.Ordinal);
        (exitCode, error, _) = await RunAsync("--format", "yaml");
        Assert.Equal(2, exitCode);
        Assert.Contains("'yaml' is not one of legacy-binary, xml, json, versioned, messagepack, cbor, compact, protobuf, signed, encrypted, compressed, batch, binary, activex.", error, StringComparison.Ordinal);
    }

    private async Task<(int ExitCode, string Error, string Output)> RunAsync(params string[] options)
    {
        ToolResult result = await new Tool().RunAsync(["inspect", _file, .. options]);
        return (result.ExitCode, result.Error, result.Output);
    }
}
