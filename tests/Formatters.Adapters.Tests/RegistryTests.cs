using Xunit;

namespace Formatters.Adapters.Tests;

public sealed class RegistryTests
{
    [Fact]
    public void Registry_FindsItByContentTypeAndBodyType()
    {
        var orders = new MessagePackCSharpFormatter<Order>();
        var registry = new FormatterRegistry(new JsonFormatter<Order>(), orders, new ProtobufNetFormatter<Order>(), new MemoryPackBodyFormatter<Order>());
        byte[] body = orders.Write(Order.Sample(1));
        Assert.Same(orders, registry.Find(new MessageBody(body, 0, "application/x-msgpack")));
        Assert.Same(orders, registry.Find(new MessageBody(body, 0, "application/vnd.msgpack")));
        Assert.Same(orders, registry.Find(new MessageBody(body, BodyTypes.MessagePack)));
        Assert.Equal(300, registry.Read<Order>(new MessageBody(body, 0, "application/msgpack")).Id);
        Assert.Same(orders, orders.Clone());
    }
}
