using System;
using System.IO;
using System.Threading.Tasks;

namespace Formatters.Tools.CommandLine;

/// <summary>Progress of the tool for .NET Framework: the sections that it prints.</summary>
internal static class RunProgress
{
    /// <summary>Runs a job.</summary>
    internal static Task<T> RunAsync<T>(TextWriter error, bool isQuiet, Func<IRunProgress, Task<T>> job) => job(new Silent());

    private sealed class Silent : IRunProgress, IProgress<double>
    {
        public IProgress<double> Stage(string name) => this;

        public void Show(string line)
        {
        }

        public void Report(double value)
        {
        }
    }
}
