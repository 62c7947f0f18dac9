using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.IO;
using System.Linq;
using System.Text;
using System.Xml;
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

    /// <summary>Numbers and dates in every form: those of the usual form have code of their own.</summary>
    [Theory]
    [InlineData("Double", "0|-0|-0.0|-0.00|0.0|5|-5|.5|5.|-.5|-|+5|1e5|1E-5| 5 |5 5|1.5.5|12345678901234|123456789012345|1234567890123456|9007199254740993|0.12345678901234|-123456.789012345|NaN|INF|-INF|0x5|")]
    [InlineData("Time", "2026-01-02T03:04:05|2026-01-02T03:04:05.|2026-01-02T03:04:05.1|2026-01-02T03:04:05.1234567|2026-01-02T03:04:05.12345678|2026-01-02T03:04:05Z|2026-01-02T03:04:05.Z|2026-01-02T03:04:05.5Z|2026-01-02T23:59:60|2026-02-29T00:00:00|2024-02-29T00:00:00|2026-1-02T00:00:00|0000-01-01T00:00:00|2026-01-02")]
    public void FormsOfAScalar_AreReadAsByXmlSerializer(string member, string texts)
    {
        var serializer = new XmlSerializer(typeof(XmlNullables));
        foreach (string text in texts.Split('|'))
        {
            byte[] body = Encoding.UTF8.GetBytes($"<XmlNullables><{member}>{text}</{member}></XmlNullables>");
            string expected = Read(() => (XmlNullables)serializer.Deserialize(XmlReader.Create(new MemoryStream(body)))!);
            Assert.Equal((text, expected), (text, Read(() => new XmlFormatter<XmlNullables>(XmlNullables.MessageContract).Read(body))));
        }

        static string Read(System.Func<XmlNullables> read)
        {
            try
            {
                XmlNullables value = read();
                return $"{(value.Double is double number ? System.BitConverter.DoubleToInt64Bits(number) : null):X} {value.Time?.Ticks} {value.Time?.Kind}";
            }
            catch (System.Exception e) when (e is System.InvalidOperationException or MessageFormatException)
            {
                return "refused";
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
