using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Messaging;
using System.Runtime.Serialization;
using System.Text;
using Formatters.LegacyBinary;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

public class FormatterTests
{
    [Serializable]
    public sealed class Undeclared
    {
        public int Number;
    }

    [Serializable]
    public sealed class Order
    {
        public int Number;
        public string Customer = "";
        public object? Extra;
    }

    public sealed class XmlOrder
    {
        public int Number { get; set; }

        public string Customer { get; set; } = "";
    }

    [Fact]
    public void Xml_bodies_are_those_of_dotnet_framework()
    {
        var message = new Message();
        new XmlMessageFormatter().Write(message, "text");
        Assert.Equal(0, message.BodyType);
        Assert.Equal("<?xml version=\"1.0\"?>\r\n<string>text</string>", new StreamReader(message.BodyStream).ReadToEnd().Replace("\uFEFF", "").ReplaceLineEndings("\r\n"));
        Assert.Equal("text", new XmlMessageFormatter(["System.String,mscorlib"]).Read(message));
        Assert.Throws<InvalidOperationException>(() => new XmlMessageFormatter().Read(message));
        Assert.Throws<InvalidOperationException>(() => new XmlMessageFormatter([typeof(XmlOrder)]).Read(message));
        Assert.False(new XmlMessageFormatter([typeof(XmlOrder)]).CanRead(message));
        var error = Assert.Throws<InvalidOperationException>(() => new XmlMessageFormatter(["No.Such, Assembly"]).Read(message));
        Assert.Contains("No.Such", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ActiveX_bodies_have_their_vartype()
    {
        foreach ((object value, int type) in new (object, int)[] { ("text", 31), (17, 3), (true, 11), (new byte[] { 1, 2 }, 0x1011) })
        {
            var message = new Message();
            new ActiveXMessageFormatter().Write(message, value);
            Assert.Equal(type, message.BodyType);
            Assert.Equal(value, new ActiveXMessageFormatter().Read(message));
        }

        Assert.Throws<InvalidOperationException>(() => new ActiveXMessageFormatter().Write(new Message(), new XmlOrder()));
        Assert.Throws<PlatformNotSupportedException>(() => ActiveXMessageFormatter.InitStreamedObject(new object()));
    }

    [Fact]
    public void Binary_bodies_are_read_if_their_types_are_declared()
    {
        var message = new Message();
        var formatter = new BinaryMessageFormatter();
        formatter.Write(message, new Order { Number = 7, Customer = "Smith", Extra = new Hashtable { ["a"] = 1 } });
        Assert.Equal(768, message.BodyType);
        var read = (Order)formatter.Read(message);
        Assert.Equal((7, "Smith"), (read.Number, read.Customer));
        Assert.Equal(1, ((Hashtable)read.Extra!)["a"]);
        foreach (object value in new object[] { "text", 12, 1.5m, new DateTime(2004, 5, 6), new[] { 1, 2 }, new ArrayList { "a", 1 } })
        {
            formatter.Write(message, value);
            Assert.Equal(value, formatter.Read(message));
        }

        Assert.Throws<InvalidOperationException>(() => formatter.Read(new Message { BodyStream = new MemoryStream(Encoding.UTF8.GetBytes("<a/>")) }));
        Assert.Throws<SerializationException>(() => formatter.Read(new Message { BodyStream = new MemoryStream([1, 2, 3]), BodyType = 768 }));
    }

    [Fact]
    public void An_undeclared_type_is_named_with_the_line_that_declares_it()
    {
        var order = new Order { Extra = new Undeclared { Number = 3 } };
        string line = "BinaryMessageFormatter.Allow(typeof(Formatters.SystemMessaging.Tests.FormatterTests.Undeclared))";
        // As another program writes it, which has declared it.
        byte[] body = new LegacyBinaryFormatter<object>(LegacyBinaryOptions.Default.WithType(typeof(Order)).WithType(typeof(Undeclared))).Write(order);
        BinaryMessageFormatter.Allow(typeof(Order));
        var message = new Message { BodyStream = new MemoryStream(body), BodyType = 768 };
        var error = Assert.Throws<SerializationException>(() => new BinaryMessageFormatter().Read(message));
        Assert.Contains(line, error.Message, StringComparison.Ordinal);
        BinaryMessageFormatter.Allow(typeof(Undeclared));
        Assert.Equal(3, ((Undeclared)((Order)new BinaryMessageFormatter().Read(message)).Extra!).Number);
    }

    /// <summary>The objects that a written object refers to are the program's own too: their types need no declaration.</summary>
    [Fact]
    public void Objects_of_undeclared_types_are_written_and_read_again()
    {
        var message = new Message();
        var formatter = new BinaryMessageFormatter();
        formatter.Write(message, new Order { Extra = new Written { Number = 3 } });
        Assert.Equal(3, ((Written)((Order)formatter.Read(message)).Extra!).Number);
        formatter.Write(message, new ArrayList { new List<WrittenInList> { new() { Number = 4 } }, new WrittenInList { Number = 5 } });
        var list = (ArrayList)formatter.Read(message);
        Assert.Equal((4, 5), (((List<WrittenInList>)list[0]!)[0].Number, ((WrittenInList)list[1]!).Number));

        foreach (object extra in new object[] { new NotSerializable(), new System.Data.DataSet("d"), new InvalidOperationException() })
        {
            SerializationException error = Assert.Throws<SerializationException>(() => formatter.Write(message, new Order { Extra = extra }));
            Assert.Contains(extra.GetType().ToString(), error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("Allow(", error.Message, StringComparison.Ordinal);
        }
    }

    [Serializable]
    internal sealed class Written
    {
        public int Number;
    }

    [Serializable]
    internal sealed class WrittenInList
    {
        public int Number;
    }

    internal sealed class NotSerializable;
}
