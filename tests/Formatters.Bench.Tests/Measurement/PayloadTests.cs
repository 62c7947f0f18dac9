using System.Linq;
using Formatters.Bench.Measurement;
using Formatters.Bench.Peers;
using Formatters.Bench.Rows;
using Formatters.Buffers;
using Formatters.Orders;
using Xunit;

namespace Formatters.Bench.Tests.Measurement;

public class PayloadTests
{
    [Fact]
    public void Classic_HasEveryPayloadOfTheStudy()
    {
        string[] names = [.. Payloads.Classic(50).Select(payload => payload.Name)];

        Assert.Equal(
            [
                "empty", "string 500", "string 1,000", "string 2,000", "string 10,000", "string 100,000", "string 1,000,000", "string 2,000,000",
                "string 500 legacy", "string 1,000 legacy", "string 2,000 legacy", "string 10,000 legacy", "string 100,000 legacy", "string 1,000,000 legacy", "string 2,000,000 legacy",
                "string 500 ActiveX", "string 1,000 ActiveX", "string 2,000 ActiveX", "string 10,000 ActiveX", "string 100,000 ActiveX", "string 1,000,000 ActiveX", "string 2,000,000 ActiveX",
                "order hand-coded", "order BinaryWriter", "order bridge", "order persist stream", "order reflection", "order generated", "order versioned", "order MessagePack", "order MessagePack map",
                "order CBOR", "order compact", "order protobuf", "order generated XML", "order XML", "order JSON", "order legacy binary", "order BinaryFormatter",
                .. Peer.All.Select(static peer => "order " + peer.Name),
                "Int32 ActiveX", "Int32 binary", "Int32 XML", "Int32 BinaryFormatter",
            ],
            names);
    }

    [Fact]
    public void WriteAndRead_EveryPayload_TakesBackWhatItGave()
    {
        foreach ((string name, System.Func<Payload> create) in Payloads.Classic(3))
        {
            Payload payload = create();
            Assert.Equal(name, payload.Name);
            for (int i = 0; i < 20; i++)
            {
                using var buffer = new PooledBufferWriter();
                var body = new MessageBody();
                payload.Write(i, buffer, body);
                if (i == 0)
                    Assert.Equal(payload.BodyByteCount, body.ByteCount);
                payload.Read(i, body, wholeContent: true);
            }
        }
    }

    [Fact]
    public void Read_AnotherMessageInItsPlace_Throws()
    {
        Payload payload = Payloads.CreateOrder(OrderFormatterRows.Create()[0], 3);
        using var buffer = new PooledBufferWriter();
        var body = new MessageBody();
        payload.Write(1, buffer, body);

        Assert.Throws<VerificationException>(() => payload.Read(0, body, wholeContent: false));
    }

    [Fact]
    public void Read_OneMemberDiffers_IsSeenInTheWholeContent()
    {
        var formatter = new HandCodedFormatter<Order>();
        Payload payload = Payloads.CreateOrder(OrderFormatterRows.Create()[0], 3);
        Order order = SampleOrders.Create(0, 3);
        ((LineItem)order.LineItems[2]!).Quantity++;
        var body = new MessageBody(formatter.Write(order));

        payload.Read(0, body, wholeContent: false);
        Assert.Throws<VerificationException>(() => payload.Read(0, body, wholeContent: true));
    }

    [Fact]
    public void Read_BytesInAnEmptyMessage_Throws() =>
        Assert.Throws<VerificationException>(() => new EmptyPayload().Read(0, new MessageBody(new byte[] { 1 }), wholeContent: false));
}
