using System.Text.Json;

namespace Formatters.Bench.Diff;

/// <summary>The common part of all result files: the verb, its run and its series.</summary>
/// <param name="Series">Everything that was measured.</param>
internal sealed record ResultFile(string? Verb, RunInfo? Run, IReadOnlyList<Series>? Series)
{
    /// <summary>The verb of BenchmarkDotNet's own results.</summary>
    internal const string BenchmarkDotNet = "BenchmarkDotNet";

    /// <summary>Reads a file that <c>--json</c> of any verb has written, or BenchmarkDotNet (<c>*-report-full.json</c>).</summary>
    /// <exception cref="UsageException">It cannot be read, or is no such file.</exception>
    internal static ResultFile Read(string path)
    {
        try
        {
            using FileStream stream = File.OpenRead(path);
            using JsonDocument document = JsonDocument.Parse(stream);
            if (BenchmarkDotNetFile.IsOne(document.RootElement))
                return BenchmarkDotNetFile.Read(path, document.RootElement, File.GetLastWriteTime(path));
            ResultFile? file = document.Deserialize(ReportJson.Default.ResultFile);
            return file switch
            {
                { Verb: not null, Run: not null, Series: not null } => file,
                { Verb: { } verb, Series: null } =>
                    throw new UsageException($"'{path}' is a file of '{verb}', which has no series of measurements: "
                    + $"there is nothing in it to draw or compare."),
                _ =>
                    throw new UsageException($"'{path}' is not a result file of {ToolInfo.Name}: it has no verb, run and series. Result files of "
                    + $"earlier builds do not have them: measure again."),
            };
        }
        catch (JsonException e)
        {
            throw new UsageException($"'{path}' is not a result file of {ToolInfo.Name}: {e.Message}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"'{path}' cannot be read: {e.Message}");
        }
    }
}
