using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;

namespace Formatters.Benchmarks;

/// <summary>Write, read and overwrite of every row; a derived class says over which orders.</summary>
/// <remarks>
/// Memory randomization runs the set-up anew before each iteration, with another heap: where a buffer lies is worth up to a factor of two, and
/// would else be decided once for a whole run.
/// </remarks>
[Config(typeof(OrderBenchmarkConfig))]
[MemoryRandomization]
[Gen0Budget]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByMethod, BenchmarkLogicalGroupRule.ByParams)]
public abstract class OrderBenchmark
{
    private Row? _row;

    public static IEnumerable<string> RowNames => RowCatalog.All.Select(static entry => entry.Name);

    /// <summary>The formatter or the peer.</summary>
    [ParamsSource(nameof(RowNames))]
    public string Row { get; set; } = RowCatalog.Baseline;

    public virtual int Items { get; set; } = SampleOrders.DefaultLineItemCount;

    /// <summary>The characters of the strings.</summary>
    public virtual SampleText Text { get; set; } = SampleText.Ascii;

    /// <summary>The number of characters of every string; 0 leaves them as they are.</summary>
    public virtual int Length { get; set; }

    /// <summary>How many different orders are taken in turn.</summary>
    public virtual int Orders { get; set; } = 1;

    private Row Subject => _row ??= PrepareRow();

    /// <summary>Makes orders, bodies and buffers, and checks the row.</summary>
    [GlobalSetup]
    public void Setup() => _row = PrepareRow();

    /// <summary>Writes an order into a reused buffer.</summary>
    [Benchmark]
    public int Write() => Subject.Write();

    /// <summary>Reads a new order.</summary>
    [Benchmark]
    public object Read() => Subject.Read();

    /// <summary>Reads into the order of the call before.</summary>
    [Benchmark]
    public object Overwrite() => Subject.Overwrite();

    internal int GetMeanByteCount() => Subject.ByteCount;

    internal OrderWithList ToOrder(object payload) => Subject.ToOrder(payload);

    internal IReadOnlyList<OrderWithList> CreateOrders() => new OrderPayload(Items, Length).CreateOrders(Orders, Text);

    private Row PrepareRow()
    {
        IReadOnlyList<OrderWithList> orders = CreateOrders();
        RowEntry entry = RowCatalog.Find(Row)!;
        Row row = entry.Prepare(orders);
        RowCheck.Check(entry, row, orders, RowCatalog.Find(RowCatalog.Baseline)!.Prepare(orders));
        return row;
    }
}
