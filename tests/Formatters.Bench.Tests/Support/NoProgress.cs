using System;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Tests.Support;

/// <summary>Progress that nobody sees.</summary>
internal sealed class NoProgress : IRunProgress
{
    public IProgress<double> Stage(string name) => new Progress<double>();
}
