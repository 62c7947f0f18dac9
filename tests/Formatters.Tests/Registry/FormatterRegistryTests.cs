using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;
using Formatters.ActiveX;
using Formatters.LegacyBinary;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Registry;

public class FormatterRegistryTests
{
    private static readonly HandCodedFormatter<Order> Binary = new();
    private static readonly XmlFormatter<Order> Xml = new();
    private static readonly ActiveXFormatter ActiveX = new();

    private static readonly DelegateFormatter<Order> Own = DelegateFormatter.FromBuffers<Order>(
        "application/x-own", 0x8001, static (destination, value) => Binary.Write(destination, value), static body => Binary.Read(body));

    private static readonly FormatterRegistry Migration = new(Binary, Xml, ActiveX, Own);

    [Fact]
    public void Read_AQueueDuringAMigration_EveryBodyFindsItsFormatter()
    {
        // What the queue holds: bodies of old XML senders (body type 0, as MSMQ has it, and with a content type), of a Visual Basic
        // sender, of the new ones with both tags, and of brokers that carry only one of the two.
        Order order = SampleOrders.Create(1, 3);
        byte[] xml = Xml.Write(order);
        byte[] binary = Binary.Write(order);
        var queue = new List<(MessageBody Body, object? Expected)>
        {
            (new MessageBody(xml), order),
            (new MessageBody(xml, 0, "text/xml; charset=utf-8"), order),
            (new MessageBody(xml, 0, "application/xml"), order),
            (new MessageBody(Encoding.Unicode.GetBytes("Hello"), VarTypes.BStr), "Hello"),
            (new MessageBody(BitConverter.GetBytes(5), VarTypes.Int32, ContentTypes.ActiveX), 5),
            (new MessageBody(default(ReadOnlyMemory<byte>), VarTypes.Null), null),
            (new MessageBody(binary, BodyTypes.Binary, ContentTypes.Binary), order),
            (new MessageBody(binary, BodyTypes.Binary), order),
            (new MessageBody(binary, 0, "APPLICATION/VND.formatters.binary"), order),
            (new MessageBody(binary, 0x8001, ContentTypes.OctetStream), order),
            (new MessageBody(binary, 0x8001, "unknown/unknown"), order),
            (new MessageBody(Bytes.Segmented(binary, 3), BodyTypes.Binary), order),
        };
        foreach ((MessageBody body, object? expected) in queue)
        {
            Assert.True(Migration.CanRead(body));
            object? value = Migration.Read(body);
            if (expected is Order)
                Assert.True(order.ContentEquals(Assert.IsType<Order>(value)));
            else
                Assert.Equal(expected, value);
            if (expected is Order)
                Assert.True(order.ContentEquals(Migration.Read<Order>(body)));
        }
    }

    [Fact]
    public void Find_ContentTypeGoesBeforeBodyTypeBeforeContent()
    {
        byte[] xml = Xml.Write(SampleOrders.Create(1, 0));
        Assert.Same(Binary, Migration.Find(new MessageBody(xml, 0x8001, ContentTypes.Binary)));
        Assert.Same(Own, Migration.Find(new MessageBody(xml, 0x8001)));
        Assert.Same(Xml, Migration.Find(new MessageBody(xml)));
        Assert.Same(Xml, Migration.Find(new MessageBody(xml, 768)));
        Assert.Null(Migration.Find(new MessageBody(new byte[] { 1, 2, 3 })));
        Assert.Throws<ArgumentNullException>(() => Migration.Find(null!));
    }

    [Fact]
    public void Find_AllocatesNothing()
    {
        var body = new MessageBody(default(ReadOnlyMemory<byte>), BodyTypes.Binary, ContentTypes.Binary);
        Migration.Find(body);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
            Migration.Find(body);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Find_SeveralOfOneContentType_TheOneThatCanRead()
    {
        var invoices = new XmlFormatter<Invoice>();
        var registry = new FormatterRegistry(Xml, invoices);
        var body = new MessageBody();
        ((IMessageFormatter)invoices).Write(body, new Invoice { Number = 7 });
        Assert.Same(invoices, registry.Find(body));
        Assert.Equal(7, registry.Read<Invoice>(body).Number);

        // None of them can: the first is in charge, because it can say what is wrong.
        var damaged = new MessageBody("<Orde"u8.ToArray(), 0, "text/xml");
        Assert.Same(Xml, registry.Find(damaged));
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => registry.Read(damaged)).Code);
    }

    [Fact]
    public void ReadOfT_AsksOnlyFormattersThatCanGiveIt()
    {
        // Of one body type, and told apart by content types.
        DelegateFormatter<Invoice> other = OfInvoices("application/x-invoice", BodyTypes.Binary);
        var registry = new FormatterRegistry(other, Binary, ActiveX, new ActiveXFormatter<string>());
        Order order = SampleOrders.Create(1, 1);
        var body = new MessageBody(Binary.Write(order), BodyTypes.Binary, ContentTypes.Binary);
        Assert.True(order.ContentEquals(Assert.IsType<Order>(registry.Read(body))));
        Assert.True(order.ContentEquals(registry.Read<Order>(body)));
        Assert.IsType<Invoice>(registry.Read<Invoice>(body));
        var withoutContentType = new MessageBody(Binary.Write(order), BodyTypes.Binary);
        MessageFormatException ambiguous = Assert.Throws<MessageFormatException>(() => registry.Read(withoutContentType));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (ambiguous.Code, ambiguous.IsPoison));
        Assert.EndsWith("Several formatters have this body type, for different types: the content type must say which one to use.", ambiguous.Message, StringComparison.Ordinal);
        Assert.False(registry.CanRead(withoutContentType));
        Assert.True(order.ContentEquals(registry.Read<Order>(withoutContentType)));

        // Typed formatters get the body type too.
        Assert.Equal("Hi", new FormatterRegistry(new ActiveXFormatter<string>()).Read<string>(new MessageBody("Hi"u8.ToArray(), VarTypes.LPStr)));
        var number = new MessageBody(BitConverter.GetBytes(5), VarTypes.Int32);
        Assert.Equal(5, registry.Read<int>(number));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => registry.Read<ArrayList>(number));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, false), (e.Code, e.IsPoison));
        var nothing = new MessageBody(default(ReadOnlyMemory<byte>), VarTypes.Null);
        Assert.Null(registry.Read<ArrayList>(nothing));
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Assert.Throws<MessageFormatException>(() => registry.Read<int>(nothing)).Code);
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => new FormatterRegistry(Binary).Read<int>(number)).Code);
    }

    /// <summary>A formatter of a derived class gives objects of its base classes, too; not the other way around.</summary>
    [Fact]
    public void ReadOfT_TakesFormattersOfDerivedTypes()
    {
        const string contentType = "application/x-sub";
        DelegateFormatter<SubInvoice> derived = DelegateFormatter.FromArrays<SubInvoice>(contentType, 0x8003, static _ => [], static _ => new SubInvoice { Number = 7 });
        var registry = new FormatterRegistry(Binary, derived);
        FormatterRegistry untagged = registry.WithUntaggedReader(derived);
        foreach (MessageBody body in new MessageBody[] { new(new byte[] { 1 }, 0, contentType), new(new byte[] { 1 }, 0x8003), new(new byte[] { 1 }) })
        {
            FormatterRegistry reader = body.ContentType is null && body.BodyType == 0 ? untagged : registry;
            Assert.Equal(7, reader.Read<SubInvoice>(body).Number);
            Assert.Equal(7, Assert.IsType<SubInvoice>(reader.Read<Invoice>(body)).Number);
            Assert.Equal(7, Assert.IsType<SubInvoice>(reader.Read<object>(body)).Number);
            Assert.Equal(7, Assert.IsType<SubInvoice>(reader.Read(body)).Number);
            Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => reader.Read<Order>(body)).Code);
        }

        DelegateFormatter<Invoice> general = OfInvoices(contentType, 0x8003);
        foreach (MessageBody body in new MessageBody[] { new(new byte[] { 1 }, 0, contentType), new(new byte[] { 1 }, 0x8003) })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => new FormatterRegistry(Binary, general).Read<SubInvoice>(body));
            Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (e.Code, e.IsPoison));
        }
    }

    [Fact]
    public void Read_UnknownFormat_NamesTheBodyAndWhatIsRegistered()
    {
        var body = new MessageBody(new byte[] { 1 }, 4242, "application/x-\nnew");
        Assert.False(Migration.CanRead(body));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Migration.Read(body));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (e.Code, e.IsPoison));
        Assert.Equal(
            "No formatter here reads content type 'application/x-?new', body type 4242. Registered: "
                + "HandCodedFormatter<Order> (application/vnd.formatters.binary, body type 17921), XmlFormatter<Order> (text/xml, body type 0), "
                + "ActiveXFormatter (application/vnd.formatters.activex), DelegateFormatter<Order> (application/x-own, body type 32769).",
            e.Message);
    }

    [Fact]
    public void Read_BodiesOfTheLegacyFormatter_AreKnownByTheirTypeOrTheirHeader()
    {
        var legacy = new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default.WithType(typeof(LineItem)));
        FormatterRegistry registry = Migration.WithReader(legacy);
        Order order = SampleOrders.Create(1, 3);
        byte[] bytes = legacy.Write(order);
        MessageBody[] bodies =
        [
            new(bytes, BodyTypes.LegacyBinary),
            new(bytes, 0, ContentTypes.LegacyBinary),
            new(bytes),
            new(bytes, 0, ContentTypes.OctetStream),
            new(Bytes.Segmented(bytes, 3)),
        ];
        foreach (MessageBody body in bodies)
        {
            Assert.Same(legacy, registry.Find(body));
            Assert.True(order.ContentEquals(registry.Read<Order>(body)));
        }

        for (int length = 0; length < 17; length++)
            Assert.Null(registry.Find(new MessageBody(bytes.AsMemory(0, length))));
        Assert.Null(registry.Find(new MessageBody(bytes, 4242)));
        Assert.Null(registry.Find(new MessageBody(bytes, 0, "application/x-other")));
    }

    [Fact]
    public void UntaggedReader_TakesWhatHasNoTagAndNoKnownBytes()
    {
        Order order = SampleOrders.Create(1, 3);
        FormatterRegistry registry = Migration.WithUntaggedReader(Binary);
        byte[] binary = Binary.Write(order);

        Assert.Null(Migration.Find(new MessageBody(binary)));
        Assert.Same(Binary, registry.Find(new MessageBody(binary)));
        Assert.True(order.ContentEquals(registry.Read<Order>(new MessageBody(binary, 0, ContentTypes.OctetStream))));
        Assert.Same(Xml, registry.Find(new MessageBody(Xml.Write(order))));
        Assert.Null(registry.Find(new MessageBody(binary, 4242)));
        Assert.Null(registry.Find(new MessageBody(binary, 0, "application/x-other")));
        // Formatters of other types are not asked, here as elsewhere.
        Assert.Throws<MessageFormatException>(() => registry.Read<Invoice>(new MessageBody(binary)));

        Assert.Same(Binary, registry.WithWriter(Own).WithReader(new XmlFormatter<Invoice>()).UntaggedReader);
        Assert.Null(Migration.UntaggedReader);
        Assert.Throws<ArgumentNullException>(() => Migration.WithUntaggedReader(null!));
    }

    [Fact]
    public void Write_GoesToTheWriter()
    {
        var body = new MessageBody();
        Migration.Write(body, SampleOrders.Create(1, 1));
        Assert.Equal((BodyTypes.Binary, ContentTypes.Binary), (body.BodyType, body.ContentType));
        Assert.Throws<ArgumentException>(() => Migration.Write(body, "text"));
        Assert.Same(Migration, Migration.Clone());
    }

    [Fact]
    public void WithWriter_AndWithReader_MakeNewRegistries()
    {
        FormatterRegistry next = Migration.WithWriter(Own);
        Assert.Same(Own, next.Writer);
        Assert.Equal([Own, Binary, Xml, ActiveX], next.Readers);
        Assert.Equal([Binary, Xml, ActiveX, Own], Migration.Readers);
        Assert.Equal([Binary, Xml, Own], new FormatterRegistry(Binary).WithReader(Xml).WithReader(Own).Readers);
        Assert.Throws<ArgumentNullException>(() => Migration.WithReader(null!));
        Assert.Throws<ArgumentNullException>(() => Migration.WithWriter(null!));
        Assert.Throws<ArgumentNullException>(() => new FormatterRegistry(null!));
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(Binary, Xml, null!));
    }

    [Fact]
    public void Find_AFormatterWithoutTags_IsAskedByCanRead()
    {
        var registry = new FormatterRegistry(Binary, new Untagged());
        Assert.Equal("untagged", registry.Read(new MessageBody(default(ReadOnlyMemory<byte>), 99)));
    }

    [Fact]
    public void TwoTypesOfOneFormat_AreRefused()
    {
        // An invoice would be read as an order, or an order as an invoice.
        DelegateFormatter<Invoice> invoices = OfInvoices(ContentTypes.Binary.ToUpperInvariant(), 0x8002);
        ArgumentException e = Assert.Throws<ArgumentException>(() => new FormatterRegistry(Binary, invoices));
        Assert.Contains("HandCodedFormatter<Order> would read the bodies of DelegateFormatter<Invoice> as its own", e.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(invoices, Binary));
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(Xml, ActiveX, Binary, invoices));
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(Migration, invoices));
        Assert.Throws<ArgumentException>(() => Migration.WithReader(invoices));
        Assert.Throws<ArgumentException>(() => Migration.WithWriter(invoices));
#if !FORMATTERS_NETSTANDARD
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(new JsonFormatter<Order>(new JsonOptions { AllowedLosses = [typeof(object)] }), new JsonFormatter<Invoice>()));
#endif
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(new BinaryBodyFormatter<Invoice>(), new BinaryBodyFormatter<SubInvoice>()));
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(new XmlFormatter<Invoice>(), new XmlFormatter<OtherInvoice>()));
        // One that reads all XML after one that reads only its own root element gets the rest.
        DelegateFormatter<Invoice> xml = OfInvoices(ContentTypes.Xml, 0);
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(xml, Xml));
        var both = new FormatterRegistry(Xml, xml);
        Assert.IsType<Order>(both.Read(new MessageBody(Xml.Write(SampleOrders.Create(1, 1)))));
        Assert.IsType<Invoice>(both.Read(new MessageBody("<a />"u8.ToArray(), 0, ContentTypes.Xml)));
    }

    [Fact]
    public void TypesThatBodiesTellApart_AreNotRefused()
    {
        _ = new FormatterRegistry(Binary, new BinaryBodyFormatter<Order>(), Own);
        _ = new FormatterRegistry(Binary, OfInvoices("application/x-invoice", 0x8002)).WithUntaggedReader(new BinaryBodyFormatter<Invoice>());
        var typed = new FormatterRegistry(new ActiveXFormatter<string>(), new ActiveXFormatter<int>(), new ActiveXFormatter<long>());
        Assert.Equal(5, typed.Read(new MessageBody(BitConverter.GetBytes(5), VarTypes.Int32, ContentTypes.ActiveX)));
        var legacy = new FormatterRegistry(new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default.WithType(typeof(LineItem))), new LegacyBinaryFormatter<Invoice>());
        var body = new MessageBody(new LegacyBinaryFormatter<Invoice>().Write(new Invoice { Number = 7 }));
        Assert.Equal(7, legacy.Read<Invoice>(body).Number);
        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => legacy.Read(body)).Code);
        var shapes = new FormatterRegistry(new XmlFormatter<Order>(), new XmlFormatter<Invoice>());
        Assert.Equal(7, Assert.IsType<Invoice>(shapes.Read(new MessageBody(new XmlFormatter<Invoice>().Write(new Invoice { Number = 7 })))).Number);
    }

    private static DelegateFormatter<Invoice> OfInvoices(string contentType, int bodyType) =>
        DelegateFormatter.FromArrays<Invoice>(contentType, bodyType, static _ => [], static _ => new Invoice());

    [Fact]
    public void UntaggedReader_OfAnotherType_IsNotAskedForThisOne()
    {
        FormatterRegistry registry = new FormatterRegistry(Own).WithUntaggedReader(new HandCodedFormatter<Order>());
        var body = new MessageBody(Binary.Write(SampleOrders.Create(1, 1)));
        Assert.NotNull(registry.Read<Order>(body));
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => registry.Read<Invoice>(body)).Code);
    }

    [Theory]
    [InlineData(100, 100)]
    [InlineData(101, 100)]
    [InlineData(10_000, 100)]
    public void UnknownFormat_NamesThe100FirstCharactersOfAContentType(int charCount, int shownCount)
    {
        string message = Assert.Throws<MessageFormatException>(() => Migration.Read(new MessageBody(new byte[] { 1 }, 0, new string('x', charCount)))).Message;
        Assert.Contains("content type '" + new string('x', shownCount) + "', body type", message, StringComparison.Ordinal);
    }

    [Serializable]
    public class SubInvoice : Invoice
    {
    }

    [System.Xml.Serialization.XmlRoot("Invoice")]
    public class OtherInvoice
    {
        public string? Text { get; set; }
    }

    [Serializable]
    public class Invoice
    {
        public int Number { get; set; }
    }

    private sealed class Untagged : IMessageFormatter
    {
        public bool CanRead(MessageBody body) => body.BodyType == 99;

        public object Read(MessageBody body) => "untagged";

        public void Write(MessageBody body, object? value) => throw new NotSupportedException();

        public object Clone() => this;
    }
}
