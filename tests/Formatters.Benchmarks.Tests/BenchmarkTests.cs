using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Running;
using Formatters.Bench.Rows;
using Formatters.Benchmarks.Columns;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Benchmarks.Tests;

/// <summary>Runs every benchmark method once, with every set of parameters that BenchmarkDotNet would give it.</summary>
public class BenchmarkTests
{
    public static TheoryData<Type> OrderClasses =>
        [.. typeof(OrderBenchmark).Assembly.GetTypes().Where(static type => type.IsSubclassOf(typeof(OrderBenchmark)))];

    public static TheoryData<string, string> FormattersAndQueues
    {
        get
        {
            // Every formatter in memory; over a broker one is enough, as the batches are the same.
            var data = new TheoryData<string, string>();
            foreach (string queue in QueueBenchmarks.QueueNames)
            {
                foreach (string formatter in QueueBenchmarks.FormatterNames.Take(queue.StartsWith("memory", StringComparison.Ordinal) ? int.MaxValue : 1))
                    data.Add(formatter, queue);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(OrderClasses))]
    public void OrderBenchmarks_EachCase_GivesTheOrder(Type type)
    {
        BenchmarkCase[] cases = BenchmarkConverter.TypeToBenchmarks(type).BenchmarksCases;

        Assert.NotEmpty(cases);
        foreach (BenchmarkCase benchmarkCase in cases)
        {
            OrderBenchmark benchmark = OrderBenchmarkConfig.CreateBenchmark(benchmarkCase);
            benchmark.Setup();
            OrderWithList[] orders = benchmark.CreateOrders().ToArray();
            foreach (OrderWithList order in orders)
            {
                object result = benchmarkCase.Descriptor.WorkloadMethod.Invoke(benchmark, null)!;
                if (benchmarkCase.Descriptor.WorkloadMethod.Name == nameof(OrderBenchmark.Write))
                    Assert.Equal(ExpectedByteCount(benchmark, order), result);
                else
                    Assert.True(order.ContentEquals(benchmark.ToOrder(result)), benchmarkCase.DisplayInfo);
            }
        }
    }

    [Fact]
    public void OrderBenchmarks_TheMainClass_HasEveryRow()
    {
        BenchmarkCase[] cases = BenchmarkConverter.TypeToBenchmarks(typeof(OrderBenchmarks)).BenchmarksCases;

        foreach (RowEntry entry in RowCatalog.All)
        {
            string[] methods = cases
                .Where(benchmarkCase => entry.Name.Equals(benchmarkCase.Parameters[nameof(OrderBenchmark.Row)]))
                .Select(static benchmarkCase => benchmarkCase.Descriptor.WorkloadMethod.Name)
                .ToArray();
            Assert.Equal(entry.Create().CanOverwrite ? ["Write", "Read", "Overwrite"] : ["Write", "Read"], methods);
        }
    }

    [Theory]
    [InlineData(typeof(OrderVarietyBenchmarks), nameof(OrderBenchmark.Row), RowCatalog.Baseline)]
    [InlineData(typeof(QueueBenchmarks), nameof(QueueBenchmarks.Formatter), "BinaryFormatter")]
    public void RatioColumn_EachCase_IsDividedByTheBaselineWithItsOtherParameters(Type type, string parameter, string baseline)
    {
        BenchmarkCase[] cases = BenchmarkConverter.TypeToBenchmarks(type).BenchmarksCases;
        var column = new RatioToRowColumn(parameter, baseline);

        Assert.All(cases, benchmarkCase =>
        {
            BenchmarkCase? found = column.FindBaseline(cases, benchmarkCase);
            Assert.NotNull(found);
            Assert.Equal(benchmarkCase.Descriptor.WorkloadMethod, found.Descriptor.WorkloadMethod);
            foreach (var item in found.Parameters.Items)
                Assert.Equal(item.Name == parameter ? baseline : benchmarkCase.Parameters[item.Name], item.Value);
        });
    }

    [Theory]
    [MemberData(nameof(FormattersAndQueues))]
    public async Task QueueBenchmarks_EachCase_SendsAndReceivesTheBatch(string formatter, string queue)
    {
        var benchmark = new QueueBenchmarks { Formatter = formatter, Queue = queue };
        benchmark.Setup();
        try
        {
            benchmark.PrepareSend();
            Assert.Equal(QueueBenchmarks.MessageCount, await benchmark.SendAsync());
            benchmark.PrepareReceive();
            await benchmark.ReceiveAsync();
            benchmark.CloseReceiver();
        }
        finally
        {
            benchmark.Cleanup();
        }
    }

    [Fact]
    public void QueueCases_WithABroker_AreOfItsVirtualHost()
    {
        Assert.Equal(
            [DeliveryMode.Express, DeliveryMode.Transactional, DeliveryMode.Express, DeliveryMode.Recoverable, DeliveryMode.Transactional],
            QueueCase.Create(null, null).Select(static queueCase => queueCase.DeliveryMode));
        Assert.Equal(
            "amqp://guest:guest@127.0.0.1:5672/formatters-benchmarks-recoverable",
            QueueCase.Create("amqp://guest:guest@127.0.0.1:5672/", null).Single(static queueCase => queueCase.DeliveryMode == DeliveryMode.Recoverable && !queueCase.Address.StartsWith("file:", StringComparison.Ordinal)).Address);
        Assert.Equal(
            "postgres://postgres:formatters@127.0.0.1:5432/postgres/formatters-benchmarks-recoverable",
            QueueCase.Create(null, "postgres://postgres:formatters@127.0.0.1:5432/postgres").Single(static queueCase => queueCase.DeliveryMode == DeliveryMode.Recoverable && !queueCase.Address.StartsWith("file:", StringComparison.Ordinal)).Address);
    }

    [Fact]
    public void QueueCases_OnAContinuousIntegrationServer_IncludeABroker()
    {
        bool needsBroker = TestScale.IsComplete;

        Assert.True(
            !needsBroker || QueueCase.All.Count(static queueCase => queueCase.DeliveryMode == DeliveryMode.Recoverable) == 3,
            $"{QueueCase.BrokerVariable} or {QueueCase.PostgresVariable} names no server: the benchmarks over it were not run. eng/rabbitmq and eng/postgres start one.");
    }

    [Fact]
    public void BenchmarkMethods_AreAllCovered()
    {
        IEnumerable<Type> types = typeof(OrderBenchmark).Assembly.GetTypes()
            .Where(static type => !type.IsAbstract && type.GetMethods().Any(static method => method.IsDefined(typeof(BenchmarkAttribute))));

        Assert.All(types, static type => Assert.True(type == typeof(QueueBenchmarks) || type.IsSubclassOf(typeof(OrderBenchmark))));
    }

    private static int ExpectedByteCount(OrderBenchmark benchmark, OrderWithList order)
    {
        RowEntry entry = RowCatalog.Find(benchmark.Row)!;
        return entry.RowFormat == RowFormat.Binary ? BinaryWriterByteCount(order) : entry.Prepare([order]).Bodies[0].Length;
    }

    private static int BinaryWriterByteCount(OrderWithList order)
    {
        var stream = new MemoryStream();
        order.Save(new BinaryWriter(stream));
        return (int)stream.Length;
    }
}
