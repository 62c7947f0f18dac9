using System;
using System.IO;
using System.Text;

namespace Formatters.Queues.CrashProgram;

/// <summary>
/// Lines on the standard output, each written by one call before the program goes on: what a pipe has taken outlives the program.
/// </summary>
/// <remarks>
/// <c>started</c>, <c>opened</c>; <c>sending ID QUEUE PRIORITY</c>, <c>sent ID</c>; <c>received ID</c>;
/// <c>removing ID</c>, <c>removed ID</c> or, after the end of a lease, <c>late ID</c>; <c>late</c> of a return;
/// <c>committing TRANSACTION +ID@QUEUE@PRIORITY ... -ID ...</c>, <c>committed TRANSACTION</c>; <c>failed MESSAGE</c>.
/// </remarks>
internal sealed class Ledger
{
    private readonly Stream _output = Console.OpenStandardOutput();
    private readonly object _gate = new();

    internal void Write(string line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line.ReplaceLineEndings(" ") + "\n");
        lock (_gate)
            _output.Write(bytes);
    }
}
