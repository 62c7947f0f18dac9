using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Formatters.ActiveX;
using Formatters.Inspection;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.ActiveX;

public class PersistStreamFormatterTests
{
    private const string ClassText = "00112233-4455-6677-8899-aabbccddeeff";
    private static readonly Guid ClassId = new(ClassText);
    private static readonly HandCodedFormatter<Order> Content = new();
    private static readonly PersistStreamFormatter<Order> Formatter = new(ClassId, Content);

    [Fact]
    public void Write_gives_the_id_of_the_class_and_the_content()
    {
        Order order = SampleOrders.Create(3);
        byte[] expected = [.. Bytes.Hex("33221100554477668899AABBCCDDEEFF"), .. Content.Write(order)];

        Assert.Equal(expected, Formatter.Write(order));
        var body = new MessageBody();
        ((IMessageFormatter)Formatter).Write(body, order);
        Assert.Equal((expected.Length, VarTypes.StreamedObject, ContentTypes.ActiveX), (body.ToArray().Length, body.BodyType, body.ContentType));
        Assert.InRange(Formatter.GetSizeHint(order), expected.Length, 2 * expected.Length);
        var stream = new MemoryStream();
        Formatter.Write(stream, order);
        Assert.Equal(expected, stream.ToArray());
        Assert.Equal(68, VarTypes.StreamedObject);
    }

    [Fact]
    public void Read_gives_the_object_back_by_every_way()
    {
        Order order = SampleOrders.Create(3);
        byte[] bytes = Formatter.Write(order);
        var body = new MessageBody(bytes, VarTypes.StreamedObject);
        Order filled = new() { CustomerID = -1 };
        Order same = filled;
        Formatter.Read(bytes, ref filled);

        Assert.Same(same, filled);
        foreach (Order read in new[] { Formatter.Read(bytes), Formatter.Read(body), filled, Formatter.Read(new ReadOnlySequence<byte>(bytes)), (Order)((IMessageFormatter)Formatter).Read(body)! })
            Assert.Equal(Content.Write(order), Content.Write(read));
    }

    [Fact]
    public void A_registry_chooses_by_the_id_of_the_class()
    {
        var lines = new PersistStreamFormatter<LineItem>(new Guid("11112233-4455-6677-8899-aabbccddeeff"), new HandCodedFormatter<LineItem>());
        var registry = new FormatterRegistry(new ActiveXFormatter(), Formatter, lines);
        byte[] order = Formatter.Write(SampleOrders.Create(2)), line = lines.Write(new LineItem { Name = "Tea" });

        foreach (string? contentType in new[] { null, ContentTypes.ActiveX, ContentTypes.OctetStream })
        {
            Assert.IsType<Order>(registry.Read(new MessageBody(order, VarTypes.StreamedObject, contentType)));
            Assert.Equal("Tea", Assert.IsType<LineItem>(registry.Read(new MessageBody(line, VarTypes.StreamedObject, contentType))).Name);
            Assert.Equal(7, registry.Read(new MessageBody(new byte[] { 7, 0, 0, 0 }, VarTypes.Int32, contentType)));
        }

        Assert.Throws<ArgumentException>(() => new FormatterRegistry(Formatter, new PersistStreamFormatter<LineItem>(ClassId, new HandCodedFormatter<LineItem>())));
    }

    [Fact]
    public void CanRead_looks_at_body_type_and_class()
    {
        byte[] bytes = Formatter.Write(SampleOrders.Create(1));
        byte[] foreign = [.. bytes];
        foreign[15]++;

        Assert.True(Formatter.CanRead(new MessageBody(bytes, VarTypes.StreamedObject)));
        Assert.True(Formatter.CanRead(new MessageBody(bytes, VarTypes.StreamedObject, ContentTypes.ActiveX)));
        Assert.False(Formatter.CanRead(new MessageBody(bytes, VarTypes.StreamedObject, ContentTypes.Xml)));
        Assert.False(Formatter.CanRead(new MessageBody(bytes, VarTypes.Clsid)));
        Assert.False(Formatter.CanRead(new MessageBody(bytes)));
        Assert.False(Formatter.CanRead(new MessageBody(bytes.AsMemory(0, 15), VarTypes.StreamedObject)));
        Assert.False(Formatter.CanRead(new MessageBody(foreign, VarTypes.StreamedObject)));
        Assert.False(new ActiveXFormatter().CanRead(new MessageBody(bytes, VarTypes.StreamedObject)));
    }

    [Fact]
    public void A_body_of_another_class_is_refused_and_no_poison()
    {
        byte[] bytes = Formatter.Write(SampleOrders.Create(1));
        bytes[0]++;
        Order order = SampleOrders.Create(1);

        foreach (Action read in new Action[] { () => Formatter.Read(bytes), () => Formatter.Read(bytes, ref order), () => Formatter.Read(new MessageBody(bytes, VarTypes.StreamedObject)) })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(read);
            Assert.Equal((MessageFormatErrorCode.UnknownFormat, false, 0L), (e.Code, e.IsPoison, e.ByteOffset));
            Assert.Contains(ClassText, e.Message, StringComparison.Ordinal);
        }

        Assert.Equal(
            MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => Formatter.Read(new MessageBody(Formatter.Write(order), VarTypes.ByteArray))).Code);
    }

    /// <summary>Errors of the content are those of its formatter, further on by the id of the class.</summary>
    [Fact]
    public void Every_prefix_and_every_tail_is_refused_where_it_ends()
    {
        Order order = SampleOrders.Create(2);
        byte[] bytes = Formatter.Write(order);
        for (int i = 0; i < bytes.Length; i++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(bytes.AsSpan(0, i)));
            MessageFormatException again = Assert.Throws<MessageFormatException>(() => Formatter.Read(bytes.AsSpan(0, i), ref order));
            Assert.Equal((e.Code, e.ByteOffset, e.MemberPath), (again.Code, again.ByteOffset, again.MemberPath));
            Assert.True(e.IsPoison);
            if (i < 16)
            {
                Assert.Equal((MessageFormatErrorCode.Truncated, (long)i), (e.Code, e.ByteOffset));
                continue;
            }

            MessageFormatException inner = Assert.Throws<MessageFormatException>(() => Content.Read(bytes.AsSpan(16, i - 16)));
            Assert.Equal((inner.Code, inner.ByteOffset + 16, inner.MemberPath, inner.IsPoison), (e.Code, e.ByteOffset, e.MemberPath, e.IsPoison));
        }

        MessageFormatException tail = Assert.Throws<MessageFormatException>(() => Formatter.Read([.. bytes, 0]));
        Assert.Equal((MessageFormatErrorCode.TrailingBytes, (long)bytes.Length), (tail.Code, tail.ByteOffset));
    }

    [Fact]
    public void The_limit_on_the_body_counts_the_id_of_the_class()
    {
        Order order = SampleOrders.Create(2);
        byte[] bytes = Formatter.Write(order);
        PersistStreamFormatter<Order> exact = Of(bytes.Length), less = Of(bytes.Length - 1);

        Assert.Equal(bytes, exact.Write(order));
        exact.Read(bytes);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => less.Write(order)).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => less.Read(bytes)).Code);
        Assert.Equal(bytes, Formatter.Write(order));

        static PersistStreamFormatter<Order> Of(int maxByteCount) =>
            new(ClassId, new HandCodedFormatter<Order>(FormatterLimits.Default with { MaxBodyByteCount = maxByteCount }));
    }

    [Fact]
    public void Arguments_are_checked()
    {
        Assert.Throws<ArgumentNullException>(() => new PersistStreamFormatter<Order>(ClassId, null!));
        Assert.Throws<ArgumentException>(() => new PersistStreamFormatter<Order>(Guid.Empty, Content));
        Assert.Throws<ArgumentNullException>(() => Formatter.Write(null!));
        Assert.Throws<ArgumentNullException>(() => Formatter.Write((IBufferWriter<byte>)null!, new Order()));
        Assert.Throws<ArgumentNullException>(() => Formatter.Read((MessageBody)null!));
        Assert.Equal(ClassId, Formatter.ClassId);
        Assert.Same(Content, Formatter.Content);
    }

    /// <summary>A class of ATL: its text by CComBSTR::WriteToStream, its numbers by IStream::Write.</summary>
    [Fact]
    public void A_class_of_ATL_is_read_by_two_delegates()
    {
        var formatter = new PersistStreamFormatter<LineItem>(ClassId, DelegateFormatter.FromBuffers<LineItem>("application/x-line-item", 0x8000, WriteLine, ReadLine));
        byte[] body = Bytes.Hex("33221100554477668899AABBCCDDEEFF" + "08000000" + "540065006100" + "0000" + "2A000000" + "000000000000F83F" + "0000000000000040" + "0000000000000840");

        LineItem line = formatter.Read(body);

        Assert.Equal(("Tea", 42, 1.5, 2.0, 3.0), (line.Name, line.ArticleID, line.Price, line.Quantity, line.LineTotal));
        Assert.Equal(body, formatter.Write(line));
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, 30))).Code);
    }

    [Fact]
    public void The_inspector_prints_the_class_and_the_content()
    {
        byte[] bytes = Formatter.Write(SampleOrders.Create(1));
        MessageInspector inspector = MessageInspector.Detect(new MessageBody(bytes, VarTypes.StreamedObject));

        Assert.Equal("activex", inspector.Name);
        string text = inspector.Inspect(bytes, new InspectionOptions { ShowOffsets = true });
        Assert.Contains("\"$class\": \"" + ClassText + "\"", text, StringComparison.Ordinal);
        Assert.Contains("\"$content\": [", text, StringComparison.Ordinal);
        Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => inspector.Inspect(bytes.AsSpan(0, 15))).Code);
    }

    private static void WriteLine(IBufferWriter<byte> destination, LineItem line)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        string name = line.Name!;
        writer.Write((2 * name.Length) + 2);
        writer.Write(Encoding.Unicode.GetBytes(name + "\0"));
        writer.Write(line.ArticleID);
        writer.Write(line.Price);
        writer.Write(line.Quantity);
        writer.Write(line.LineTotal);
        destination.Write(stream.ToArray());
    }

    private static LineItem ReadLine(ReadOnlySpan<byte> body)
    {
        using var reader = new BinaryReader(new MemoryStream(body.ToArray()));
        int byteCount = reader.ReadInt32();
        string name = Encoding.Unicode.GetString(reader.ReadBytes(byteCount)).TrimEnd('\0');
        return new LineItem { Name = name, ArticleID = reader.ReadInt32(), Price = reader.ReadDouble(), Quantity = reader.ReadDouble(), LineTotal = reader.ReadDouble() };
    }
}
