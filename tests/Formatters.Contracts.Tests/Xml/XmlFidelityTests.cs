using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.IO;
using System.Linq;
using System.Text;
using System.Xml.Serialization;
using Xunit;

namespace Formatters.Contracts.Tests.Xml;

/// <summary>What XmlSerializer itself writes is read, and read as it does: generated, and by reflection.</summary>
public class XmlFidelityTests
{
    [Fact]
    public void WrappedCollections_AreWrittenAndReadAsByXmlSerializer()
    {
        var value = new XmlCollections { Settable = ["a", "b"], Observable = ["c"], Numbers = [1, 2], Nested = [["d"], []] };
        value.Fixed.Add("e");
        value.FixedObservable.Add("f");
        foreach (XmlBodyStyle style in new[] { XmlBodyStyle.Framework, XmlBodyStyle.Net, XmlBodyStyle.Compact })
        {
            var generated = new XmlFormatter<XmlCollections>(XmlCollections.MessageContract, new XmlOptions { Style = style });
            byte[] body = new XmlFormatter<XmlCollections>(ByReflection.Xml with { Style = style }).Write(value);
            Assert.Equal(Encoding.UTF8.GetString(body), Encoding.UTF8.GetString(generated.Write(value)));
            XmlCollections read = generated.Read(body);
            Assert.Equal((value.Settable, value.Observable, value.Numbers, value.Fixed, value.FixedObservable), (read.Settable, read.Observable, read.Numbers, read.Fixed, read.FixedObservable), Elements);
            Assert.Equal(["d", ""], read.Nested!.Select(inner => string.Join(",", inner)));
        }

        static bool Elements(
            (Collection<string>? A, ObservableCollection<string>? B, Collection<int>? C, Collection<string> D, ObservableCollection<string> E) x,
            (Collection<string>? A, ObservableCollection<string>? B, Collection<int>? C, Collection<string> D, ObservableCollection<string> E) y) =>
            x.A!.SequenceEqual(y.A!) && x.B!.SequenceEqual(y.B!) && x.C!.SequenceEqual(y.C!) && x.D.SequenceEqual(y.D) && x.E.SequenceEqual(y.E);
    }

    [Fact]
    public void RootsWhoseNamesAreEscaped_AreReadAgain()
    {
        Check(new RootDigit { Number = 1.5 }, RootDigit.MessageContract);
        Check(new RootSpace { Number = 1.5 }, RootSpace.MessageContract);
        Check(new RootColon { Number = 1.5 }, RootColon.MessageContract);

        static void Check<T>(T value, MessageContract<T> contract)
        {
            var reflected = new XmlFormatter<T>(ByReflection.Xml);
            var generated = new XmlFormatter<T>(contract);
            byte[] body = reflected.Write(value);
            Assert.Equal(Encoding.UTF8.GetString(body), Encoding.UTF8.GetString(generated.Write(value)));
            foreach (XmlFormatter<T> formatter in new[] { reflected, generated })
            {
                Assert.True(formatter.CanRead(new MessageBody { Bytes = new(body), BodyType = 0 }));
                Assert.Equal(body, formatter.Write(formatter.Read(body)));
            }
        }
    }

    [Theory]
    [InlineData("<XmlRemark></XmlRemark>")]
    [InlineData("<XmlRemark />")]
    [InlineData("<XmlRemark><![CDATA[]]></XmlRemark>")]
    [InlineData("<XmlRemark><![CDATA[ \t]]></XmlRemark>")]
    [InlineData("<XmlRemark>\n<![CDATA[]]> </XmlRemark>")]
    [InlineData("<XmlRemark> <!-- c --> </XmlRemark>")]
    [InlineData("<XmlRemark>a<![CDATA[<b>]]>c</XmlRemark>")]
    [InlineData("<XmlRemark>a<x/><![CDATA[]]></XmlRemark>")]
    [InlineData("<XmlRemark><![CDATA[]]><!-- c -->a</XmlRemark>")]
    [InlineData("<XmlRemark>&#x20;</XmlRemark>")]
    [InlineData("<XmlRemark>a\r\nb\rc\nd</XmlRemark>")]
    public void Text_IsReadAsByXmlSerializer(string xml)
    {
        var expected = (XmlRemark)new XmlSerializer(typeof(XmlRemark)).Deserialize(Reader(xml))!;
        byte[] body = Encoding.UTF8.GetBytes(xml);
        Assert.Equal(expected.Text, new XmlFormatter<XmlRemark>(XmlRemark.MessageContract).Read(body).Text);
        Assert.Equal(expected.Text, new XmlFormatter<XmlRemark>(ByReflection.Xml).Read(body).Text);
    }

    [Theory]
    [InlineData("<Name></Name>")]
    [InlineData("<Name><![CDATA[]]></Name>")]
    [InlineData("<Name>  </Name>")]
    [InlineData("<Name>\r\n</Name>")]
    [InlineData("<Name>a&#xD;b\r\nc</Name>")]
    [InlineData("<Name xsi:nil='true' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' />")]
    [InlineData("")]
    public void AnElement_IsReadAsByXmlSerializer(string xml)
    {
        xml = "<XmlNamed>" + xml + "</XmlNamed>";
        var expected = (XmlNamed)new XmlSerializer(typeof(XmlNamed)).Deserialize(Reader(xml))!;
        byte[] body = Encoding.UTF8.GetBytes(xml);
        Assert.Equal(expected.Name, new XmlFormatter<XmlNamed>(XmlNamed.MessageContract).Read(body).Name);
        Assert.Equal(expected.Name, new XmlFormatter<XmlNamed>(ByReflection.Xml).Read(body).Name);
    }

    /// <summary>The reader of XmlMessageFormatter, which keeps the ends of lines.</summary>
    private static System.Xml.XmlTextReader Reader(string xml) => new(new StringReader(xml)) { DtdProcessing = System.Xml.DtdProcessing.Prohibit };

    /// <summary>A null is not written, and a member that the body lacks has the value of a new object.</summary>
    [Fact]
    public void ANullBesideAnInitializer_IsReadAsTheInitializer()
    {
        foreach (XmlFormatter<XmlNamed> formatter in new[] { new XmlFormatter<XmlNamed>(XmlNamed.MessageContract), new XmlFormatter<XmlNamed>(ByReflection.Xml) })
            Assert.Equal(("new", null), (formatter.Read(formatter.Write(new XmlNamed { Name = null, Kept = null })).Name, formatter.Read(formatter.Write(new XmlNamed { Kept = null })).Kept));
    }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlCollections
{
    public Collection<string>? Settable { get; set; }
    public ObservableCollection<string>? Observable { get; set; }
    public Collection<int>? Numbers { get; set; }
    public Collection<string> Fixed { get; } = [];
    public ObservableCollection<string> FixedObservable { get; } = [];
    public List<Collection<string>>? Nested { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml), XmlRoot("1a")]
public partial class RootDigit
{
    public double Number { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml), XmlRoot("a b")]
public partial class RootSpace
{
    public double Number { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml), XmlRoot("x:y", Namespace = "urn:example")]
public partial class RootColon
{
    public double Number { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlRemark
{
    [XmlText] public string? Text { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlNamed
{
    public string? Name { get; set; } = "new";

    [XmlElement(IsNullable = true)] public string? Kept { get; set; } = "new";
}
