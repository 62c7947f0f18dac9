using System.CommandLine;
using System.Text;
using Formatters.Bench.Diff;
using Formatters.Bench.Report;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>report</c>: results as a page.</summary>
internal static class ReportCommand
{
    internal const string Name = "report";

    internal static Command Create(TextWriter output)
    {
        var files = new Argument<string[]>("result.json") { Description = "Result files, written by --json of any verb that measures, or "
            + "by BenchmarkDotNet (*-report-full.json).", Arity = ArgumentArity.OneOrMore };
        var page = new Option<FileInfo?>("--output", "-o") { Description = "The page. [default: report.html]", HelpName = "file" };
        var title =
            new Option<string?>("--title") { Description = "The title of the page. [default: Message formatters over queues]", HelpName = "text" };
        var png = new Option<DirectoryInfo?>("--png") { Description = "Also make an image of each chart, in this folder. Needs Chromium or Chrome.",
            HelpName = "folder" };
        var written = new ResultFiles();
        written.Json.Description = "Also write all figures to one file: a result that diff compares with a later one.";
        var browser = new Option<string?>("--browser") { Description = "The path of Chromium or Chrome for --png, if it is not on the PATH.",
            HelpName = "path" };
        var command = new Command(Name,
            "Draws result files as one HTML page that needs nothing else: charts, their figures, a study's points beside them.") { files, page, title,
            png, browser, written.Json };
        command.SetAction(async (result, cancellationToken) =>
        {
            FileInfo target = result.GetValue(page) ?? new FileInfo("report.html");
            CommonOptions.CheckFile("--output", target);
            written.Check(result);
            DirectoryInfo? images = result.GetValue(png);
            string? found = images is null ? null : ChartImages.FindBrowser(result.GetValue(browser));
            List<ReportSection> sections = [.. result.GetValue(files)!.Select(ReportSection.Read)];
            ResultFile? combined = result.GetValue(written.Json) is null ? null : ReportSection.Combine(sections);
            WholeFile.Write(target, stream =>
            {
                using var writer =
                    new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), bufferSize: 4096, leaveOpen: true);
                ReportPage.Write(writer, result.GetValue(title) ?? "Message formatters over queues", sections);
            });
            written.Write(result, combined!, ReportJson.Default.ResultFile);
            Chart[] charts =
                [.. ArticleFigures.Build(sections).SelectMany(static group => group.Charts), .. sections.SelectMany(section => section.Charts)];
            await output.WriteLineAsync($"{target.FullName}: {Numbers.Count(charts.Length)} charts");
            if (found is not null)
            {
                try
                {
                    await ChartImages.WriteAsync(found, images!, charts, cancellationToken);
                }
                catch (IOException e)
                {
                    throw new UsageException($"--png: {e.Message}");
                }

                await output.WriteLineAsync($"{images!.FullName}: {Numbers.Count(charts.Length)} images");
            }

            return ExitCodes.Success;
        });
        return command;
    }
}
