#if NET
namespace Formatters.Bench.Reports;

/// <summary>Estimates the length of a run: printed before it, and corrected by its progress, since a busy machine takes longer.</summary>
internal sealed class RunEstimate(TextWriter error, TimeProvider clock)
{
    /// <summary>So much of a stage tells how long the rest takes.</summary>
    private const double MinPart = 0.1;

    /// <summary>Less time than this is not worth a line.</summary>
    private static readonly TimeSpan MinLeft = TimeSpan.FromSeconds(5);

    private readonly long _start = clock.GetTimestamp();
    private TimeSpan _printed;

    private TimeSpan Elapsed => clock.GetElapsedTime(_start);

    /// <summary>Prints how long the run takes, if that is more than some seconds.</summary>
    internal void Print(TimeSpan cases)
    {
        RunText.PrintEstimate(error, cases);
        _printed = cases;
    }

    /// <summary>Returns the progress of a stage, which also corrects the estimate.</summary>
    /// <param name="stage">Is shown; null if the stage shows separate lines.</param>
    /// <param name="rest">How long all stages after this one take, by how long this one takes; null if there are none.</param>
    internal IProgress<double> Correct(IProgress<double>? stage, Func<TimeSpan, TimeSpan>? rest = null) => new Stage(this, stage, rest);

    private void Correct(TimeSpan left)
    {
        if (left >= MinLeft)
            _printed = RunText.PrintCorrectedEstimate(error, _printed, Elapsed + left);
    }

    private sealed class Stage(RunEstimate estimate, IProgress<double>? shown, Func<TimeSpan, TimeSpan>? rest) : IProgress<double>
    {
        private readonly TimeSpan _start = estimate.Elapsed;
        private (TimeSpan Time, double Part) _from = (estimate.Elapsed, 0);
        private double _last;

        public void Report(double value)
        {
            shown?.Report(value);
            TimeSpan now = estimate.Elapsed;
            // A warm-up that goes on tells nothing of what follows it.
            if (value <= _last)
                _from = (now, value);
            _last = value;
            if (value - _from.Part < MinPart)
                return;
            TimeSpan left = (now - _from.Time) / (value - _from.Part) * (1 - value);
            estimate.Correct(left + (rest?.Invoke(now - _start + left) ?? TimeSpan.Zero));
        }
    }
}
#endif
