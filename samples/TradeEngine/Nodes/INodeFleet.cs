namespace Formatters.TradeEngine.Nodes;

/// <summary>The processes that run the components of a run, on this machine or others.</summary>
internal interface INodeFleet
{
    /// <summary>How many processes run all components each; at least 1.</summary>
    int NodeCount { get; }

    /// <summary>How many processes were killed and started again.</summary>
    int KillCount { get; }

    /// <summary>Completes with an error when a process has ended that should not have; else never.</summary>
    Task Failure { get; }

    Task StartAsync(CancellationToken cancellationToken);

    /// <summary>Is told how far the run is, 0 to 1: kills what it is to kill by then.</summary>
    void Advance(double share);

    /// <summary>Ends the processes, and waits until they have given back what was under way.</summary>
    Task StopAsync();
}
