using System.Buffers;
using Formatters.Orders;
using Xunit;

namespace Formatters.Tests;

public class SizeHintTests
{
    [Fact]
    public void GetSizeHint_AfterWritesToABufferWriter_IsAboutTheirLength()
    {
        OrderWithList order = SampleOrders.CreateWithList(1);
        Check(new HandCodedFormatter<OrderWithList>(), order);
        Check(new BinaryBodyFormatter<OrderWithList>(), order);
        Check(BinaryWriterFormatter.Create<OrderWithList>(), order);
        Check(new XmlFormatter<OrderWithList>(), order);
        Check(DelegateFormatter.FromArrays<OrderWithList>("x/y", 0x8000, _ => new byte[5_000], _ => order), order);
#if !FORMATTERS_NETSTANDARD
        Check(new JsonFormatter<OrderWithList>(), order);
#endif
        Check(new ActiveXFormatter<string>(), new string('x', 1_000));
        Assert.InRange(new ActiveXFormatter<decimal>().GetSizeHint(decimal.MaxValue), 8, 64);
    }

    private static void Check<T>(MessageFormatter<T> formatter, T value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        formatter.Write(buffer, value);
        Assert.InRange(formatter.GetSizeHint(value), buffer.WrittenCount, 2 * buffer.WrittenCount);
    }
}
