using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Spectre.Console;

namespace Formatters.Tools.CommandLine;

/// <summary>Progress on the error output: a bar where that is a terminal, else a line now and then.</summary>
internal static class RunProgress
{
    /// <summary>Runs a job with progress.</summary>
    /// <param name="error">Where to show it.</param>
    /// <param name="job">The job.</param>
    internal static Task<T> RunAsync<T>(TextWriter error, Func<IRunProgress, Task<T>> job) => RunAsync(error, isQuiet: false, job);

    /// <summary>Runs a job with progress.</summary>
    /// <param name="error">Where to show it.</param>
    /// <param name="isQuiet">Whether the beginning of a stage is not worth a line.</param>
    /// <param name="job">The job.</param>
    internal static async Task<T> RunAsync<T>(TextWriter error, bool isQuiet, Func<IRunProgress, Task<T>> job)
    {
        // The bar is moved by control characters, which are not shown: by way of the terminal itself.
        TextWriter terminal = error is VisibleWriter visible ? visible.Inner : error;
        if (terminal != Console.Error || Console.IsErrorRedirected)
            return await job(new LineProgress(error, isQuiet));
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(terminal) });
        if (!console.Profile.Capabilities.Interactive || !console.Profile.Capabilities.Ansi)
            return await job(new LineProgress(error, isQuiet));
        // Refreshed by hand, between measurements: a timer would take time from them.
        return await console.Progress()
            .AutoRefresh(false)
            .AutoClear(true)
            .Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn())
            .StartAsync(context => job(new BarProgress(context)));
    }

    private sealed class BarProgress(ProgressContext context) : IRunProgress
    {
        public IProgress<double> Stage(string name)
        {
            ProgressTask task = context.AddTask(Markup.Escape(name), maxValue: 1);
            context.Refresh();
            return new Reporter(fraction =>
            {
                task.Value = fraction;
                context.Refresh();
            });
        }
    }

    private sealed class LineProgress(TextWriter error, bool isQuiet) : IRunProgress
    {
        // The first soon, so that one sees that it goes on; the others less often, since logs keep them.
        private static readonly TimeSpan First = TimeSpan.FromSeconds(1);
        private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

        public IProgress<double> Stage(string name)
        {
            if (!isQuiet)
                error.WriteLine($"{name} ...");
            long last = Stopwatch.GetTimestamp();
            TimeSpan interval = First;
            return new Reporter(fraction =>
            {
                if (Stopwatch.GetElapsedTime(last) < interval)
                    return;
                last = Stopwatch.GetTimestamp();
                interval = Interval;
                error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {fraction:0%}"));
            });
        }
    }

    /// <summary>Reports in the calling thread, unlike <see cref="Progress{T}"/>.</summary>
    private sealed class Reporter(Action<double> report) : IProgress<double>
    {
        public void Report(double value) => report(value);
    }
}
