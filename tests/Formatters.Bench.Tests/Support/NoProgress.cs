using System;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Tests.Support;

/// <summary>Progress that nobody sees.</summary>
internal sealed class NoProgress : IRunProgress
{
    /// <summary>The lines that were shown.</summary>
    internal System.Collections.Generic.List<string> Lines { get; } = [];

    public void Show(string line) => Lines.Add(line);

    public IProgress<double> Stage(string name) => new Progress<double>();
}
