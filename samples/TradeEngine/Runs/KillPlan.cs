using Formatters.TradeEngine.StaticData;

namespace Formatters.TradeEngine.Runs;

/// <summary>Kills components at points of their work that a seed decides.</summary>
internal sealed class KillPlan(int seed, int kills)
{
    private readonly Lock _gate = new();
    private SeededRandom _random = new((ulong)seed ^ 0x5EED0FDEA7);
    private int _left = kills;

    /// <summary>Whether it kills; not before the measurement begins.</summary>
    internal bool IsActive { get; set; }

    /// <summary>For <see cref="EngineOptions.AtPoint"/>: about one point in 20 is the last of its component, until there were enough.</summary>
    internal void AtPoint(string point)
    {
        lock (_gate)
        {
            if (!IsActive || _left == 0 || _random.Below(20) != 0)
                return;
            _left--;
        }

        throw new ComponentKilledException(point);
    }
}
