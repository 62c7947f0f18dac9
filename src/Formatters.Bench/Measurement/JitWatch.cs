using System.Runtime;

namespace Formatters.Bench.Measurement;

/// <summary>
/// Tells when the JIT has nothing left to do: a method is compiled again, with what its callers taught, after 30 calls and 100 ms in which nothing
/// else was compiled for the first time.
/// </summary>
internal sealed class JitWatch
{
    private const int QuietCycleCount = 2;

    private long _compiledCount = JitInfo.GetCompiledMethodCount();
    private int _quietCount;

    /// <summary>Notes that everything that is to be measured has had a turn.</summary>
    /// <returns>Whether nothing was compiled in this cycle and the one before it.</returns>
    internal bool EndCycle()
    {
        long compiledCount = JitInfo.GetCompiledMethodCount();
        _quietCount = compiledCount == _compiledCount ? _quietCount + 1 : 0;
        _compiledCount = compiledCount;
        return _quietCount >= QuietCycleCount;
    }
}
