using System;
using System.IO;
using System.Threading.Tasks;
using Formatters.Bench.Tests.Support;
using Xunit;

namespace Formatters.Bench.Tests.CommandLine;

public sealed class InspectCommandTests : IDisposable
{
    private readonly string _file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task A_body_is_printed_as_JSON()
    {
        await File.WriteAllBytesAsync(_file, [0x81, 0xA1, (byte)'a', 0x92, 1, 0xC3]);
        ToolResult result = await new Tool().RunAsync("inspect", _file);
        Assert.Equal("formatters-bench: by its bytes taken for messagepack (--format)", Assert.Single(result.ErrorLines));
        result = await new Tool().RunAsync("inspect", _file, "--content-type", "application/msgpack");
        Assert.Equal((0, "", "{\n  \"a\": [\n    1,\n    true\n  ]\n}\n"), (result.ExitCode, result.Error, result.Output));
        result = await new Tool().RunAsync("inspect", _file, "--format", "MessagePack", "--offsets");
        Assert.Equal(0, result.ExitCode);
        Assert.StartsWith("/* 00000000 */ {\n/* 00000001 */   \"a\": [\n/* 00000004 */     1,\n", result.Output, StringComparison.Ordinal);
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
        Assert.Contains("'yaml' is none of legacy-binary, xml, json, versioned, messagepack, protobuf, binary, activex.", error, StringComparison.Ordinal);
    }

    private async Task<(int ExitCode, string Error, string Output)> RunAsync(params string[] options)
    {
        ToolResult result = await new Tool().RunAsync(["inspect", _file, .. options]);
        return (result.ExitCode, result.Error, result.Output);
    }
}
