namespace Formatters.Tools.CommandLine;

/// <summary>The exit codes of the tools.</summary>
internal static class ExitCodes
{
    /// <summary>Done.</summary>
    internal const int Success = 0;

    /// <summary>The run failed: the queue, or what came out of it.</summary>
    internal const int Failure = 1;

    /// <summary>The command line asks for something that does not exist.</summary>
    internal const int Usage = 2;

    /// <summary>Messages can be read and were refused: their new bodies would say something else, be too large, or cannot be written.</summary>
    internal const int Refused = 3;

    /// <summary>A figure is worse than it was, by more than what is allowed, or is no longer there.</summary>
    internal const int Worse = 4;

    /// <summary>Ended by Ctrl-C (128 + SIGINT); a SERVER, which has no other end, with <see cref="Success"/>.</summary>
    internal const int Interrupted = 130;
}
