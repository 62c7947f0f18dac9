namespace Formatters.TradeEngine.Nodes;

/// <summary>A component process's work since its last report: a message to the network's monitor.</summary>
[MessageContract]
public sealed partial class NodeReport
{
    /// <summary>Distinguishes the processes: machine and process id.</summary>
    [MessageMember(1)]
    public string Node { get; set; } = "";

    /// <summary>The processor time of the process since its start, in seconds.</summary>
    [MessageMember(2)]
    public double ProcessorSeconds { get; set; }

    [MessageMember(3)]
    public List<StationReport> Stations { get; set; } = [];
}

/// <summary>The work of a station's instances in a process since the last report.</summary>
[MessageContract]
public sealed partial class StationReport
{
    /// <summary>The name of the station.</summary>
    [MessageMember(1)]
    public string Name { get; set; } = "";

    /// <summary>Messages that were sent to the station by this process.</summary>
    [MessageMember(2)]
    public long Arrivals { get; set; }

    /// <summary>Messages that left it.</summary>
    [MessageMember(3)]
    public long Completions { get; set; }

    /// <summary>How long instances were at work, in seconds.</summary>
    [MessageMember(4)]
    public double BusySeconds { get; set; }
}
