using Formatters.TradeEngine.StaticData;

namespace Formatters.TradeEngine.Simulation;

/// <summary>The parameters of a simulated engine. Times are of one message, in seconds of one processor.</summary>
internal sealed record SimulationOptions
{
    /// <summary>How many machines run components, each with all of them.</summary>
    internal int Nodes { get; init; } = 1;

    /// <summary>How many database servers.</summary>
    internal int Databases { get; init; } = 1;

    /// <summary>How many machines send messages and take the CLS.</summary>
    internal int Drivers { get; init; } = 1;

    /// <summary>How many machines have queues; each node uses one of them.</summary>
    internal int Brokers { get; init; } = 1;

    internal int ProcessorsPerMachine { get; init; } = 2;

    /// <summary>Null: each node, each database, the broker and the driver have a machine of their own. Else all share so many processors.</summary>
    internal int? SharedProcessors { get; init; }

    /// <summary>How many instances of each of ALC, NPR and SET a node has; of the router and NOE half as many.</summary>
    internal int Instances { get; init; } = 2;

    /// <summary>How many messages a component takes at once.</summary>
    internal int BatchSize { get; init; } = 256;

    /// <summary>How many messages wait in the in-bound queues, which the driver refills, and in those of all components, for which the router
    /// waits.</summary>
    internal int Backlog { get; init; } = 20_000;

    /// <summary>On the node, by router, NOE, ALC, NPR and SET, for each message of the type.</summary>
    internal required IReadOnlyList<double> StationSeconds { get; init; }

    /// <summary>On the database server.</summary>
    internal required double DatabaseSeconds { get; init; }

    /// <summary>On the broker, for each in-bound message.</summary>
    internal double BrokerSeconds { get; init; }

    /// <summary>Of the driver and the sink, for each in-bound message.</summary>
    internal double DriverSeconds { get; init; }

    /// <summary>How long a flush of the database's disk takes; all batches that wait share the next.</summary>
    internal double FlushSeconds { get; init; }

    /// <summary>Of the database's disk, to write what a message adds; beside its flush.</summary>
    internal double DiskSeconds { get; init; }

    internal int Messages { get; init; } = 400_000;
    internal int Seed { get; init; } = 1;
}

/// <param name="MessagesPerSecond">In-bound messages a second, by the type of which the fewest were completed for its share.</param>
/// <param name="NodeUtilization">Of the processors of the nodes, or of all where they are shared.</param>
/// <param name="DatabaseUtilization">Of the processors of the busiest database server.</param>
/// <param name="BrokerUtilization">Of the processors of the busiest broker.</param>
/// <param name="DiskQueue">How many batches wait for the disk of the busiest database or are being flushed, on average.</param>
/// <param name="ResponseSeconds">How long a message is in the network behind the in-bound queue.</param>
internal sealed record SimulationResult(
    double MessagesPerSecond, double NodeUtilization, double DatabaseUtilization, double BrokerUtilization, double DiskQueue, double ResponseSeconds);

/// <summary>Simulates an engine event by event: component instances that take batches, processors and disks that they wait for.</summary>
/// <remarks>
/// An instance takes what is in its queue, up to a batch; works on a processor of its node; has the batch applied on a processor of each database it
/// belongs to and written and flushed there, all at once; and hands it on. The router takes nothing while the queue of a component is full. The
/// broker works for each batch twice, in and out. Times vary by half around their means.
/// </remarks>
internal sealed class EngineSimulation
{
    private static readonly int[] Shares = [1, 2, 2, 2];

    private readonly SimulationOptions _options;
    private readonly PriorityQueue<Action, (double, long)> _events = new();
    private readonly List<Instance>[] _idle = [[], [], [], [], []];
    private readonly double[] _lengths = new double[5];
    private readonly double[] _completedByType = new double[Shares.Length];
    private readonly Processors[] _nodes;
    private readonly Processors[] _databases;
    private readonly Processors[] _brokers;
    private readonly Processors[] _drivers;
    private readonly bool[] _isDriving;
    private readonly Disk[] _disks;
    private SeededRandom _random;
    private double _now;
    private long _sequence;
    private double _maxLength;
    private double _inFlightArea;
    private double _inFlightSince;
    private double _inFlight;

    private EngineSimulation(SimulationOptions options)
    {
        _options = options;
        _random = new SeededRandom((ulong)options.Seed);
        Processors? shared = options.SharedProcessors is { } count ? new Processors(this, count) : null;
        _nodes = [.. Enumerable.Range(0, options.Nodes).Select(_ => Own())];
        _databases = [.. Enumerable.Range(0, options.Databases).Select(_ => Own())];
        _brokers = [.. Enumerable.Range(0, options.Brokers).Select(_ => Own())];
        _drivers = [.. Enumerable.Range(0, options.Drivers).Select(_ => Own())];
        _isDriving = new bool[options.Drivers];
        _disks = [.. Enumerable.Range(0, options.Databases).Select(_ => new Disk(this))];

        Processors Own() => shared ?? new Processors(this, options.ProcessorsPerMachine);
    }

    internal static SimulationResult Run(SimulationOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Nodes, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Databases, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Drivers, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Brokers, 1);
        if (options.StationSeconds.Count != 5)
            throw new ArgumentException("Router, NOE, ALC, NPR and SET.", nameof(options));
        return new EngineSimulation(options).Run();
    }

    private SimulationResult Run()
    {
        for (int node = 0; node < _options.Nodes; node++)
        {
            for (int station = 0; station < 5; station++)
            {
                for (int i = 0; i < (station < 2 ? (_options.Instances + 1) / 2 : _options.Instances); i++)
                    _idle[station].Add(new Instance(this, station, _nodes[node], _brokers[node % _brokers.Length]));
            }
        }

        // What the instances of a type take in two batches is there always.
        _maxLength = Math.Max(_options.Backlog / Shares.Length, 2.0 * _options.BatchSize * _options.Instances * _options.Nodes);
        // What happens before the network is full is not counted.
        int warm = _options.Messages / 10;
        (double Time, double[] Completed) start = (0, [0, 0, 0, 0]);
        Drive();
        while (CountCompleted([0, 0, 0, 0]) < _options.Messages + warm && _events.TryDequeue(out Action? next, out (double Time, long) at))
        {
            _now = at.Time;
            next();
            if (start.Time == 0 && CountCompleted([0, 0, 0, 0]) >= warm)
            {
                start = (_now, [.. _completedByType]);
                _inFlightArea = 0;
                _inFlightSince = _now;
                foreach (Processors processors in _nodes.Concat(_databases).Concat(_brokers).Concat(_drivers))
                    processors.BusySeconds = 0;
                foreach (Disk disk in _disks)
                    disk.Reset();
            }
        }

        double seconds = _now - start.Time;
        double throughput = CountCompleted(start.Completed) / seconds;
        CountInFlight(0);
        return new SimulationResult(
            throughput,
            _nodes.Average(node => node.BusySeconds / (seconds * node.Count)),
            _databases.Max(database => database.BusySeconds / (seconds * database.Count)),
            _brokers.Max(broker => broker.BusySeconds / (seconds * broker.Count)),
            _disks.Max(disk => disk.Area / seconds),
            _inFlightArea / seconds / throughput);
    }

    /// <summary>How many in-bound messages have been completed since a moment, by the type that is the last: a trade is done when all of its
    /// messages are.</summary>
    private double CountCompleted(double[] before)
    {
        double least = double.PositiveInfinity;
        for (int type = 0; type < Shares.Length; type++)
            least = Math.Min(least, (_completedByType[type] - before[type]) / Shares[type]);
        return least * Shares.Sum();
    }

    private double Vary(double seconds) => seconds * (0.5 + ((_random.Next() >> 11) / (double)(1UL << 53)));

    private void At(double time, Action action) => _events.Enqueue(action, (time, _sequence++));

    /// <summary>Each driver sends a batch after the other while the backlog has not its length.</summary>
    private void Drive()
    {
        for (int i = 0; i < _drivers.Length; i++)
        {
            if (_isDriving[i] || _lengths[0] >= _options.Backlog)
                continue;
            _isDriving[i] = true;
            int driver = i;
            int count = _options.BatchSize;
            _drivers[i].Work(count * _options.DriverSeconds, () =>
            {
                _isDriving[driver] = false;
                Arrive(0, count);
                Drive();
            });
        }
    }

    private void Arrive(int station, double count)
    {
        _lengths[station] += count;
        while (_lengths[station] > 1e-6 && _idle[station].Count > 0 && (station > 0 || _lengths.Skip(1).Max() < _maxLength))
        {
            Instance instance = _idle[station][^1];
            _idle[station].RemoveAt(_idle[station].Count - 1);
            instance.Take();
        }
    }

    private void CountInFlight(double change)
    {
        _inFlightArea += (_now - _inFlightSince) * _inFlight;
        _inFlightSince = _now;
        _inFlight += change;
    }

    /// <summary>One instance of a component.</summary>
    private sealed class Instance(EngineSimulation network, int station, Processors node, Processors broker)
    {
        internal void Take()
        {
            double count = Math.Min(network._options.BatchSize, network._lengths[station]);
            network._lengths[station] -= count;
            if (station == 0)
            {
                network.CountInFlight(count);
                network.Drive();
            }
            else
            {
                // The router may have waited for that.
                network.Arrive(0, 0);
            }

            broker.Work(count * network._options.BrokerSeconds / 2, () =>
                node.Work(count * network._options.StationSeconds[station], () => Store(count)));
        }

        private void Store(double count)
        {
            if (station == 0)
            {
                for (int type = 0; type < Shares.Length; type++)
                    network.Arrive(type + 1, count * Shares[type] / 7);
                Next();
                return;
            }

            int left = network._options.Databases;
            for (int i = 0; i < network._options.Databases; i++)
            {
                int database = i;
                double share = count / network._options.Databases;
                network._databases[i].Work(share * network._options.DatabaseSeconds, () => network._disks[database].Flush(share, () =>
                {
                    if (--left > 0)
                        return;
                    network._completedByType[station - 1] += count;
                    network.CountInFlight(-count);
                    Next();
                }));
            }
        }

        private void Next()
        {
            network._idle[station].Add(this);
            network.Arrive(station, 0);
        }
    }

    /// <summary>The processors of a machine: who comes first is served first.</summary>
    private sealed class Processors(EngineSimulation network, int count)
    {
        private readonly Queue<(double Seconds, Action Then)> _waiting = new();
        private int _busy;

        internal int Count => count;
        internal double BusySeconds { get; set; }

        internal void Work(double seconds, Action then)
        {
            if (seconds <= 0)
            {
                then();
                return;
            }

            if (_busy == count)
            {
                _waiting.Enqueue((seconds, then));
                return;
            }

            _busy++;
            double varied = network.Vary(seconds);
            BusySeconds += varied;
            network.At(network._now + varied, () =>
            {
                _busy--;
                if (_waiting.TryDequeue(out (double Seconds, Action Then) next))
                    Work(next.Seconds, next.Then);
                then();
            });
        }
    }

    /// <summary>A disk: those that wait are written one after the other, and share the next flush.</summary>
    private sealed class Disk(EngineSimulation network)
    {
        private List<Action> _waiting = [];
        private double _waitingCount;
        private int _length;
        private double _since;
        private bool _isFlushing;

        /// <summary>The length of its queue over time.</summary>
        internal double Area { get; private set; }

        internal void Reset() => (Area, _since) = (0, network._now);

        internal void Flush(double messageCount, Action then)
        {
            Count(1);
            _waiting.Add(then);
            _waitingCount += messageCount;
            if (!_isFlushing)
                Begin();
        }

        private void Begin()
        {
            List<Action> flushed = _waiting;
            double seconds = network._options.FlushSeconds + (_waitingCount * network._options.DiskSeconds);
            _waiting = [];
            _waitingCount = 0;
            _isFlushing = true;
            network.At(network._now + network.Vary(seconds), () =>
            {
                Count(-flushed.Count);
                _isFlushing = false;
                if (_waiting.Count > 0)
                    Begin();
                foreach (Action then in flushed)
                    then();
            });
        }

        private void Count(int change)
        {
            Area += (network._now - _since) * _length;
            _since = network._now;
            _length += change;
        }
    }
}
