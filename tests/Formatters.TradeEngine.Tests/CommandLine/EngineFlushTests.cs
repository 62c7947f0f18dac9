using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Formatters.TradeEngine.CommandLine;
using Xunit;

namespace Formatters.TradeEngine.Tests.CommandLine;

/// <summary>Errors at the n-th flush of the engine's store, injected by strace: a message counts only if it is on the disk.</summary>
public sealed class EngineFlushTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-engine-").FullName;

    [StraceTheory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task AFlushThatFails_EndsTheRun(int when)
    {
        string trace = Path.Combine(_folder, "trace");
        string[] tool = [typeof(EngineApplication).Assembly.Location, "run", "--trades", "200", "--queues", "memory:", "--store", Path.Combine(_folder, "store")];
        var start = new ProcessStartInfo(
            "strace",
            ["-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", $"inject=fsync,fdatasync:error=EIO:when={when}", "-P", Path.Combine(_folder, "store/trades-00.db-wal"), "-o", trace, "dotnet", .. tool])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        string error = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();

        Assert.Contains("(INJECTED)", await File.ReadAllTextAsync(trace), StringComparison.Ordinal);
        Assert.True(process.ExitCode == 1, await output + error);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
