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
        Assert.Equal((0, "", "{\n  \"a\": [\n    1,\n    true\n  ]\n}\n"), (result.ExitCode, result.Error, result.Output));
        result = await new Tool().RunAsync("inspect", _file, "--format", "MessagePack", "--offsets");
        Assert.Equal(0, result.ExitCode);
        Assert.StartsWith("/* 00000000 */ {\n/* 00000001 */   \"a\": [\n/* 00000004 */     1,\n", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_bad_body_is_printed_up_to_the_error()
    {
        await File.WriteAllBytesAsync(_file, [0x92, 1, 0xC1]);
        ToolResult result = await new Tool().RunAsync("inspect", _file);
        Assert.Equal(1, result.ExitCode);
        Assert.Equal("[\n  1\n", result.Output);
        Assert.Contains("byte offset 2", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
    }
}
