using System;
using System.IO;
using System.Linq;
using System.Runtime.Serialization.Formatters.Binary;
using System.Text.Json;
using System.Xml.Serialization;
using Formatters.Bench.Measurement;
using Formatters.Bench.Rows;
using Formatters.Buffers;
using Formatters.Orders;
using Xunit;

namespace Formatters.Bench.Tests.Rows;

public class OrderFormatterRowTests
{
    private static readonly JsonSerializerOptions WithFields = new() { IncludeFields = true };
    private static readonly Order Sample = SampleOrders.Create(7);

    public static TheoryData<string> Names { get; } = [.. OrderFormatterRows.Create().Select(row => row.Name)];

    [Fact]
    public void Create_HasTheRowsOfTheTables() => Assert.Equal(
        [
            "hand-coded", "BinaryWriter", "bridge", "persist stream", "reflection", "generated",
            "versioned", "MessagePack", "MessagePack map", "CBOR", "compact", "protobuf", "generated XML", "XML", "JSON", "legacy binary", "BinaryFormatter",
            "MessagePack-CSharp", "Nerdbank", "MemoryPack", "MemoryPack UTF-16", "protobuf-net", "Google.Protobuf", "Orleans", "System.Text.Json",
        ],
        OrderFormatterRows.Create().Select(row => row.Name));

    [Fact]
    public void Names_FitTheTables() => Assert.All(OrderFormatterRows.Create(), row => Assert.InRange(row.Name.Length, 1, 18));

    /// <summary>What is measured is the named formatter itself, over the form of the order that it takes: nothing is converted while a clock runs.</summary>
    [Theory]
    [InlineData("generated", typeof(BinaryBodyFormatter<GeneratedOrder>))]
    [InlineData("versioned", typeof(VersionedFormatter<GeneratedOrder>))]
    [InlineData("MessagePack", typeof(MessagePackFormatter<GeneratedOrder>))]
    [InlineData("CBOR", typeof(CborFormatter<GeneratedOrder>))]
    [InlineData("compact", typeof(CompactFormatter<GeneratedOrder>))]
    [InlineData("protobuf", typeof(ProtobufFormatter<GeneratedOrder>))]
    public void GeneratedRow_CallsTheFormatterItIsNamedAfter(string name, Type type)
    {
        OrderFormatterRow row = Find(name);

        Assert.Equal(type, Assert.IsType<ConvertedOrderRow<GeneratedOrder>>(row).Measured.GetType());
        CheckPayload(row);
    }

    [Theory]
    [InlineData("MessagePack map", typeof(MessagePackFormatter<OrderWithList>))]
    [InlineData("generated XML", typeof(XmlFormatter<OrderWithList>))]
    [InlineData("JSON", typeof(JsonFormatter<OrderWithList>))]
    [InlineData("legacy binary", typeof(LegacyBinaryFormatter<OrderWithList>))]
    public void ListRow_CallsTheFormatterItIsNamedAfter(string name, Type type)
    {
        OrderFormatterRow row = Find(name);

        Assert.Equal(type, Assert.IsType<ConvertedOrderRow<OrderWithList>>(row).Measured.GetType());
        CheckPayload(row);
    }

    [Fact]
    public void GeneratedXmlRow_WritesTheBytesOfXmlSerializer()
    {
        var peer = new XmlFormatter<OrderWithList>();

        Assert.Equal(
            System.Text.Encoding.UTF8.GetString(peer.Write(OrderWithList.From(Sample))).Replace("OrderWithList", "Order", StringComparison.Ordinal),
            System.Text.Encoding.UTF8.GetString(Find("generated XML").Formatter.Write(Sample)).Replace("OrderWithList", "Order", StringComparison.Ordinal));
    }

    [Fact]
    public void LegacyBinaryRow_WritesWhatBinaryFormatterReads()
    {
#pragma warning disable SYSLIB0011, CA2300, CA2301 // The peer under test.
        var read = (OrderWithList)new BinaryFormatter().Deserialize(new MemoryStream(Find("legacy binary").Formatter.Write(Sample)));
#pragma warning restore SYSLIB0011, CA2300, CA2301
        Assert.True(Sample.ContentEquals(read.ToOrder()));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryRow_ReadsBackWhatItWrote(string name)
    {
        MessageFormatter<Order> formatter = Find(name).Formatter;

        Assert.True(Sample.ContentEquals(formatter.Read(formatter.Write(Sample))));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryRow_ATruncatedBody_GivesTheTypedError(string name)
    {
        MessageFormatter<Order> formatter = Find(name).Formatter;
        byte[] body = formatter.Write(Sample);

        Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, body.Length / 2)));
        // A protobuf body of no bytes is a message without fields.
        if (name is not ("protobuf-net" or "Google.Protobuf"))
            Assert.Throws<MessageFormatException>(() => formatter.Read([]));
    }

    [Theory]
    [InlineData("hand-coded", typeof(HandCodedFormatter<Order>))]
    [InlineData("bridge", typeof(BinaryWriterFormatter<Order>))]
    [InlineData("persist stream", typeof(PersistStreamFormatter<Order>))]
    [InlineData("reflection", typeof(BinaryBodyFormatter<Order>))]
    [InlineData("XML", typeof(XmlFormatter<Order>))]
    public void Row_CallsTheFormatterItIsNamedAfter(string name, Type type) => Assert.Equal(type, Find(name).Formatter.GetType());

    [Fact]
    public void ReflectionRow_DoesNotCallSave()
    {
        Order order = SampleOrders.Create(1, 1);
        order.ShippingAddress.City = null!;

        // Only a contract knows the member's name; Save hands the null to the writer.
        var exception = Assert.Throws<MessageFormatException>(() => Find("reflection").Formatter.Write(order));

        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, exception.Code);
        Assert.Equal("Order.ShippingAddress.City", exception.MemberPath);
    }

    [Theory]
    [InlineData("hand-coded")]
    [InlineData("BinaryWriter")]
    [InlineData("bridge")]
    [InlineData("reflection")]
    [InlineData("generated")]
    public void BinaryRows_WriteWhatBinaryWriterWrites(string name)
    {
        using var stream = new MemoryStream();
        using (var writer = new BinaryWriter(stream))
            Sample.Save(writer);

        Assert.Equal(stream.ToArray(), Find(name).Formatter.Write(Sample));
    }

    [Fact]
    public void BinaryWriterRow_HandsTheStudysCodeTheBaseLibrarysOwnTypes()
    {
        Type? writerType = null;
        Type? readerType = null;
        var formatter = new ClassicBinaryFormatter<int>(
            (value, writer) =>
            {
                writerType = writer.GetType();
                writer.Write(value);
            },
            reader =>
            {
                readerType = reader.GetType();
                return reader.ReadInt32();
            });

        Assert.Equal(5, formatter.Read(formatter.Write(5)));
        Assert.Equal((typeof(BinaryWriter), typeof(BinaryReader)), (writerType, readerType));
        Assert.IsType<ClassicBinaryFormatter<Order>>(Find("BinaryWriter").Formatter);
    }

    [Fact]
    public void XmlRow_WritesWhatXmlSerializerReads()
    {
        using var stream = new MemoryStream(Find("XML").Formatter.Write(Sample));

        Assert.True(Sample.ContentEquals((Order?)new XmlSerializer(typeof(Order)).Deserialize(System.Xml.XmlReader.Create(stream))));
    }

    [Fact]
    public void JsonRow_WritesWhatSystemTextJsonWrites()
        => Assert.Equal(JsonSerializer.SerializeToUtf8Bytes(OrderWithList.From(Sample), WithFields), Find("JSON").Formatter.Write(Sample));

    [Fact]
    public void BinaryFormatterRow_WritesWhatBinaryFormatterReads()
    {
        byte[] body = Find("BinaryFormatter").Formatter.Write(Sample);

        // MS-NRBF: SerializationHeaderRecord, root 1, header -1, version 1.0.
        Assert.Equal([0, 1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0], body.Take(17));
#pragma warning disable SYSLIB0011, CA2300, CA2301 // The peer under test.
        Assert.True(Sample.ContentEquals((Order)new BinaryFormatter().Deserialize(new MemoryStream(body))));
#pragma warning restore SYSLIB0011, CA2300, CA2301
    }

    [Fact]
    public void BinaryFormatterRow_ABodyThatNamesAnotherType_IsRefused()
    {
        byte[] body = new SystemBinaryFormatter<Version>([typeof(Version)]).Write(new Version(1, 2));

        MessageFormatException error = Assert.Throws<MessageFormatException>(() => Find("BinaryFormatter").Formatter.Read(body));

        Assert.True(error.IsPoison);
    }

    [Fact]
    public void Select_NamesInAnyCase_GivesTheRowsInTheOrderOfTheTables() =>
        Assert.Equal(["hand-coded", "XML"], OrderFormatterRows.Select(["xml", "HAND-CODED"]).Select(row => row.Name));

    [Fact]
    public void Select_AnUnknownName_NamesTheKnownOnes()
    {
        UsageException error = Assert.Throws<UsageException>(() => OrderFormatterRows.Select(["binary"]));

        Assert.Contains("hand-coded", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Int32Rows_GiveTheRightBytes()
    {
        byte[] littleEndian = [0x40, 0xE2, 0x01, 0x00];
        Assert.Equal(["ActiveX", "binary", "XML", "BinaryFormatter"], Int32FormatterRow.CreateAll().Select(row => row.Name));
        Assert.Equal(littleEndian, Write("ActiveX"));
        Assert.Equal(littleEndian, Write("binary"));
        Assert.Contains("<int>123456</int>", System.Text.Encoding.UTF8.GetString(Write("XML")), StringComparison.Ordinal);
        Assert.Equal([0, 1, 0, 0, 0, 255, 255, 255, 255], Write("BinaryFormatter").Take(9));
        Assert.IsType<ActiveXFormatter<int>>(Int32FormatterRow.CreateAll().Single(row => row.Name == "ActiveX").Formatter);
        Assert.Equal(3, Int32FormatterRow.CreateAll().Single(row => row.Name == "ActiveX").Formatter.BodyType);

        static byte[] Write(string name) => Int32FormatterRow.CreateAll().Single(row => row.Name == name).Formatter.Write(123_456);
    }

    /// <summary>The payload has the bytes of the row's formatter over the study's order, and refuses another order in its place.</summary>
    private static void CheckPayload(OrderFormatterRow row)
    {
        Payload payload = row.CreatePayload("it", [Sample, SampleOrders.Create(8)]);
        using var buffer = new PooledBufferWriter(1024);
        var body = new MessageBody();

        payload.Write(0, buffer, body);

        Assert.Equal(row.Formatter.Write(Sample), body.ToArray());
        payload.Read(2, body, wholeContent: true);
        Assert.Throws<VerificationException>(() => payload.Read(1, body, wholeContent: false));
    }

    private static OrderFormatterRow Find(string name) => OrderFormatterRows.Create().Single(row => row.Name == name);
}
