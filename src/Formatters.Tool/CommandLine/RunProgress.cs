using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;

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
        // The bar is written over, and control characters are not shown: by way of the terminal itself.
        TextWriter terminal = error is VisibleWriter visible ? visible.Inner : error;
        if (terminal != Console.Error || Console.IsErrorRedirected)
            return await job(new LineProgress(error, isQuiet));
        var bar = new BarProgress(terminal);
        try
        {
            return await job(bar);
        }
        finally
        {
            bar.Clear();
        }
    }

    /// <summary>One line that is written over, without control characters other than a carriage return.</summary>
    private sealed class BarProgress(TextWriter terminal) : IRunProgress
    {
        private const int BarLength = 30;
        private const int MaxWidth = TextWrap.Width - 1;

        private static readonly TimeSpan Interval = TimeSpan.FromSeconds(0.1);

        private bool _isShown;

        public IProgress<double> Stage(string name)
        {
            // The terminal obeys control characters, and a stage may have the name of a queue.
            string label = string.Concat(name.Take(MaxWidth - BarLength - 6).Select(
                (c, i) => !char.IsSurrogate(c) && VisibleText.IsVisible(name, i) ? c : '?'));
            long last = 0;
            var reporter = new Reporter(fraction =>
            {
                // A stage that is done leaves the line to what is printed after it.
                if (fraction >= 1)
                {
                    Clear();
                    return;
                }

                if (last != 0 && Stopwatch.GetElapsedTime(last) < Interval)
                    return;
                last = Stopwatch.GetTimestamp();
                string bar = new string('#', (int)(fraction * BarLength)).PadRight(BarLength, '.');
                terminal.Write("\r" + string.Create(CultureInfo.InvariantCulture, $"{label} {bar} {fraction:0%}").PadRight(MaxWidth));
                _isShown = true;
            });
            reporter.Report(0);
            return reporter;
        }

        public void Show(string line)
        {
            Clear();
            terminal.WriteLine(string.Concat(line.Select((c, i) => !char.IsSurrogate(c) && VisibleText.IsVisible(line, i) ? c : '?')));
        }

        internal void Clear()
        {
            if (_isShown)
                terminal.Write("\r" + new string(' ', MaxWidth) + "\r");
            _isShown = false;
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

        public void Show(string line) => error.WriteLine(line);
    }

    /// <summary>Reports in the calling thread, unlike <see cref="Progress{T}"/>.</summary>
    private sealed class Reporter(Action<double> report) : IProgress<double>
    {
        public void Report(double value) => report(value);
    }
}
