using System;

namespace Formatters.Tools.CommandLine;

/// <summary>Shows the progress of a run. It is called between measurements only, and does nothing while one runs.</summary>
internal interface IRunProgress
{
    /// <summary>Begins a stage.</summary>
    /// <param name="name">What is being done.</param>
    /// <returns>Is told how far the stage is: 0 to 1.</returns>
    IProgress<double> Stage(string name);

    /// <summary>Shows a line that stays, such as the first figures.</summary>
    void Show(string line);
}
