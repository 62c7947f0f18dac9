using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Xml;
using System.Xml.Linq;
using Formatters.Bench.Rows;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;
using Xunit;

namespace Formatters.Benchmarks.Tests;

/// <summary>Each row measures what its name says: its bodies are read here by something that is not the row.</summary>
public class RowTests
{
    public static TheoryData<string> Names => [.. RowCatalog.All.Select(static entry => entry.Name)];

    public static TheoryData<string, int, SampleText> NamesAndOrders
    {
        get
        {
            var data = new TheoryData<string, int, SampleText>();
            foreach (RowEntry entry in RowCatalog.All)
            {
                data.Add(entry.Name, 0, SampleText.Ascii);
                data.Add(entry.Name, 1, SampleText.Accented);
                data.Add(entry.Name, 50, SampleText.Cjk);
                data.Add(entry.Name, 50, SampleText.Mixed);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(NamesAndOrders))]
    public void EveryRow_RoundTripsAndPassesItsCheck(string name, int lineItemCount, SampleText text)
    {
        IReadOnlyList<OrderWithList> orders = CreateOrders(4, lineItemCount, text);
        RowEntry entry = RowCatalog.Find(name)!;
        Row row = entry.Prepare(orders);

        RowCheck.Check(entry, row, orders, RowCatalog.Find(RowCatalog.Baseline)!.Prepare(orders));

        Assert.All(orders, order => Assert.True(order.ContentEquals(row.ToOrder(row.Read()))));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryRow_TextsOfEveryLength_RoundTripsAndPassesItsCheck(string name)
    {
        RowEntry entry = RowCatalog.Find(name)!;
        foreach (int length in new[] { 1, 7, 16, 33, 200 })
        {
            IReadOnlyList<OrderWithList> orders = new OrderPayload(5, length).CreateOrders(2, SampleText.Mixed);
            Row row = entry.Prepare(orders);

            RowCheck.Check(entry, row, orders, RowCatalog.Find(RowCatalog.Baseline)!.Prepare(orders));

            Assert.All(orders, order => Assert.Equal(length, order.BillingAddress.ZIPCode.Length));
            Assert.All(orders, order => Assert.All(order.LineItems, item => Assert.Equal(length, item.Name.Length)));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void MeasureFirstUse_ReadsTheOrder(string name)
    {
        OrderWithList order = SampleOrders.CreateWithList(5, 3, SampleText.Mixed);
        Row row = RowCatalog.Find(name)!.Create();

        object result = row.MeasureFirstUse(order, out TimeSpan write, out TimeSpan read);

        Assert.True(order.ContentEquals(row.ToOrder(result)));
        Assert.True(write > TimeSpan.Zero);
        Assert.True(read > TimeSpan.Zero);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryRow_WritesItsWireFormat(string name)
    {
        OrderWithList order = SampleOrders.CreateWithList(7, 3, SampleText.Mixed);
        RowEntry entry = RowCatalog.Find(name)!;

        byte[] body = entry.Prepare([order]).Bodies[0];

        AssertReadByAnother(entry.RowFormat, body, order);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Repeat_TakesTheOrdersInTurn(string name)
    {
        IReadOnlyList<OrderWithList> orders = CreateOrders(4, 2, SampleText.Ascii);
        RowEntry entry = RowCatalog.Find(name)!;
        Row row = entry.Prepare(orders);

        row.Repeat(RowOperation.Write, 3);
        if (entry.RowFormat == RowFormat.RandomEnvelope)
            Assert.Equal(row.Bodies[2].Length, row.GetWritten().Length);
        else
            Assert.Equal(row.Bodies[2], row.GetWritten());
        Assert.True(orders[3].ContentEquals(row.ToOrder(row.Read())));
        row.Repeat(RowOperation.Read, 6);
        Assert.True(orders[2].ContentEquals(row.ToOrder(row.Read())));
    }

    [Fact]
    public void EveryRow_OfTheWireFormatBinary_HasTheBytesOfBinaryWriter()
    {
        OrderWithList order = SampleOrders.CreateWithList(3, 50, SampleText.Mixed);
        var stream = new MemoryStream();
        order.Save(new BinaryWriter(stream));
        byte[] expected = stream.ToArray();

        RowEntry[] entries = RowCatalog.All.Where(static entry => entry.RowFormat == RowFormat.Binary).ToArray();

        Assert.Contains(entries, static entry => entry.Name == "hand-coded");
        Assert.All(entries, entry => Assert.Equal(expected, entry.Prepare([order]).Bodies[0]));
    }

    [Fact]
    public void LegacyBinary_HasTheBytesOfBinaryFormatter_AndEachReadsTheOther()
    {
        IReadOnlyList<OrderWithList> orders = CreateOrders(2, 50, SampleText.Mixed);

        Row ours = RowCatalog.Find("legacy binary")!.Prepare(orders);
        Row theirs = RowCatalog.Find("BinaryFormatter")!.Prepare(orders);

        Assert.IsType<LegacyBinaryFormatter<OrderWithList>>(Assert.IsType<FormatterRow>(ours).Formatter);
        Assert.Equal(theirs.Bodies, ours.Bodies);
    }

    [Fact]
    public void LegacyBinaryGenerated_HasBodiesThatTheReflectedOneReads()
    {
        IReadOnlyList<OrderWithList> orders = CreateOrders(2, 50, SampleText.Mixed);

        Row generated = RowCatalog.Find("legacy binary generated")!.Prepare(orders);
        Row reflected = RowCatalog.Find("legacy binary")!.Prepare(orders);

        Assert.IsType<LegacyBinaryFormatter<GeneratedOrder>>(Assert.IsType<GeneratedRow>(generated).Formatter);
        for (int i = 0; i < orders.Count; i++)
        {
            Assert.Equal(reflected.Bodies[i].Length, generated.Bodies[i].Length);
            Assert.True(orders[i].ContentEquals(new LegacyBinaryFormatter<OrderWithList>().Read(generated.Bodies[i])));
        }
    }

    [Fact]
    public void EveryPeerOfTheTool_IsARow() => Assert.All(Bench.Peers.Peer.All, static peer => Assert.Equal(peer.Format, RowCatalog.Find(peer.Name)!.RowFormat));

    [Fact]
    public void Names_AreUnique() => Assert.Equal(RowCatalog.All.Count, RowCatalog.All.Select(static entry => entry.Name.ToUpperInvariant()).Distinct().Count());

    [Theory]
    [InlineData("reflection")]
    [InlineData("generated binary")]
    public void ContractRows_DoNotCallSave(string name)
    {
        OrderWithList order = SampleOrders.CreateWithList(1, 1);
        order.ShippingAddress.City = null!;

        // Only a contract knows the member's name; Save hands the null to the writer.
        var exception = Assert.Throws<MessageFormatException>(() => RowCatalog.Find(name)!.Prepare([order]));

        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, exception.Code);
        Assert.EndsWith(".ShippingAddress.City", exception.MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void Prepare_NoPowerOfTwo_Throws() =>
        Assert.Throws<ArgumentException>(() => RowCatalog.All[0].Prepare(CreateOrders(3, 0, SampleText.Ascii)));

    [Fact]
    public void Check_ARowThatWritesOtherBytes_NamesIt()
    {
        IReadOnlyList<OrderWithList> orders = CreateOrders(1, 1, SampleText.Ascii);
        Row baseline = RowCatalog.Find(RowCatalog.Baseline)!.Prepare(orders);
        RowEntry wrong = RowCatalog.Find("Google.Protobuf")! with { Name = "pretender", RowFormat = RowFormat.Binary };

        var exception = Assert.Throws<RowCheckException>(() => RowCheck.Check(wrong, wrong.Prepare(orders), orders, baseline));

        Assert.Contains("'pretender' does not write the bytes of System.IO.BinaryWriter", exception.Message, StringComparison.Ordinal);
    }

    private static OrderWithList[] CreateOrders(int count, int lineItemCount, SampleText text) =>
        Enumerable.Range(1, count).Select(seed => SampleOrders.CreateWithList(seed, lineItemCount, text)).ToArray();

    private static void AssertVersioned(byte[] body, OrderWithList order)
    {
        using var reader = new BinaryReader(new MemoryStream(body));
        Assert.Equal(body.Length - 4, reader.ReadInt32());
        // 6 members: 8 bytes, 4 bytes, two records, 8 bytes, a list.
        Assert.Equal([6, 0x34, 0x77, 0x74], reader.ReadBytes(4));
        Assert.Equal((order.Date, order.CustomerID), (DateTime.FromBinary(reader.ReadInt64()), reader.ReadInt32()));
        foreach (Address address in new[] { order.ShippingAddress, order.BillingAddress })
        {
            reader.ReadInt32();
            Assert.Equal([8, 0x66, 0x66, 0x66, 0x66], reader.ReadBytes(5));
            string[] texts = [.. Enumerable.Range(0, 8).Select(_ => reader.ReadString())];
            Assert.Equal((address.Firstname, address.Street, address.State), (texts[0], texts[4], texts[7]));
        }

        Assert.Equal(order.Total, reader.ReadDouble());
        Assert.Equal(body.Length, reader.ReadInt32() + reader.BaseStream.Position);
        Assert.Equal(order.LineItems.Count, reader.ReadInt32());
        foreach (LineItem item in order.LineItems)
        {
            reader.ReadInt32();
            Assert.Equal([5, 0x63, 0x44, 0x04], reader.ReadBytes(4));
            Assert.Equal((item.ArticleID, item.Name), (reader.ReadInt32(), reader.ReadString()));
            Assert.Equal((item.Price, item.Quantity, item.LineTotal), (reader.ReadDouble(), reader.ReadDouble(), reader.ReadDouble()));
        }

        Assert.Equal(body.Length, reader.BaseStream.Position);
    }

    private static void AssertReadByAnother(RowFormat wireFormat, byte[] body, OrderWithList order)
    {
        switch (wireFormat)
        {
            case RowFormat.Binary:
                var read = new OrderWithList();
                var stream = new MemoryStream(body);
                read.Load(new BinaryReader(stream));
                Assert.True(order.ContentEquals(read));
                Assert.Equal(body.Length, stream.Position);
                break;
            case RowFormat.VersionedBinary:
                AssertVersioned(body, order);
                break;
            case RowFormat.Json:
                using (JsonDocument document = JsonDocument.Parse(body))
                {
                    Assert.Equal(order.CustomerID, document.RootElement.GetProperty("CustomerID").GetInt32());
                    Assert.Equal(order.Date, document.RootElement.GetProperty("Date").GetDateTime());
                    Assert.Equal(
                        order.LineItems.Select(static item => item.Name),
                        document.RootElement.GetProperty("LineItems").EnumerateArray().Select(static item => item.GetProperty("Name").GetString()));
                }

                break;
            case RowFormat.Xml:
                AssertXml(XElement.Load(new MemoryStream(body)), order);
                break;
            case RowFormat.BinaryXml:
                Assert.NotEqual((byte)'<', body[0]);
                using (XmlDictionaryReader reader = XmlDictionaryReader.CreateBinaryReader(body, XmlDictionaryReaderQuotas.Max))
                    AssertXml(XElement.Load(reader), order);
                break;
            case RowFormat.Protobuf:
                Bench.Peers.Protobuf.Order message = Bench.Peers.Protobuf.Order.Parser.ParseFrom(body);
                Assert.Equal(order.CustomerID, message.CustomerId);
                Assert.Equal(order.Date, message.Date.ToDateTime());
                Assert.Equal(order.LineItems.Select(static item => item.Name), message.LineItems.Select(static item => item.Name));
                break;
            case RowFormat.LegacyBinary:
                // MS-NRBF 2.6.1 and 2.6.3: a header record of version 1.0 first, the end record last.
                Assert.Equal(0, body[0]);
                Assert.Equal([1, 0, 0, 0, 0, 0, 0, 0], body[9..17]);
                Assert.Equal(11, body[^1]);
                break;
            case RowFormat.MessagePack:
                Assert.Equal(0x96, body[0]); // An array of six.
                break;
            case RowFormat.MessagePackMap:
                Assert.Equal([0x86, 0xA4, (byte)'D', (byte)'a', (byte)'t', (byte)'e'], body[..6]); // A map of six, and the first name.
                break;
            case RowFormat.Cbor:
                Assert.Equal([0x86, 0xC0], body[..2]); // An array of six, and the tag of a date.
                break;
            case RowFormat.Compact:
                Assert.Equal(0xB6, body[0]); // An array of six.
                break;
            case RowFormat.MemoryPack:
                Assert.Equal(6, body[0]); // An object of six members.
                break;
            case RowFormat.Contract or RowFormat.Orleans:
                Assert.All(order.LineItems, item => Assert.True(body.AsSpan().IndexOf(System.Text.Encoding.UTF8.GetBytes(item.Name)) > 0));
                break;
            case RowFormat.Envelope or RowFormat.RandomEnvelope:
                Assert.Equal(1, body[0]);
                Assert.Equal([0x81, 0x8C, 0x01], body[2..5]); // Body type 0x4601: the binary format inside.
                break;
            default:
                throw new NotSupportedException($"Nothing here reads {wireFormat}.");
        }
    }

    private static void AssertXml(XElement root, OrderWithList order)
    {
        Assert.Equal("OrderWithList", root.Name.LocalName);
        Assert.Equal(order.CustomerID, (int)root.Elements().Single(static element => element.Name.LocalName == "CustomerID"));
        Assert.Equal(
            order.LineItems.Select(static item => item.Name),
            root.Elements().Single(static element => element.Name.LocalName == "LineItems").Elements()
                .Select(static item => item.Elements().Single(static element => element.Name.LocalName == "Name").Value));
    }
}
