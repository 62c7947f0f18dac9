using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using System.Xml.Serialization;
using Xunit;

namespace Formatters.Tests.Xml;

/// <summary>Floating-point numbers with the digits of .NET Framework.</summary>
public class XmlNumberTests
{
    /// <summary>What .NET Framework's <c>ToString("R")</c> gives: 15 digits if they read as the number, else 17.</summary>
    public static TheoryData<double, string> Doubles() => new()
    {
        { 0, "0" },
        { -0.0, "-0" },
        { 1, "1" },
        { -1.5, "-1.5" },
        { 0.1, "0.1" },
        { 1.0 / 3, "0.33333333333333331" },
        { 2.0 / 3, "0.66666666666666663" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { Math.PI, "3.1415926535897931" },
        { Math.E, "2.7182818284590451" },
        { 1.1 * 1.1, "1.2100000000000002" },
        { 9.95 * 3, "29.849999999999998" },
        { 100.0 / 3, "33.333333333333336" },
        { 1E14, "100000000000000" },
        { 123456789012345, "123456789012345" },
        { 1E15, "1E+15" },
        { 1234567890123456, "1234567890123456" },
        { 12345678901234567, "12345678901234568" },
        { 123456789012345678, "1.2345678901234568E+17" },
        { 0.0001, "0.0001" },
        { 0.00012345, "0.00012345" },
        { 0.00001, "1E-05" },
        { 1E-7 / 3, "3.3333333333333334E-08" },
        { 1E100, "1E+100" },
        { double.MaxValue, "1.7976931348623157E+308" },
        { double.MinValue, "-1.7976931348623157E+308" },
        { 2.2250738585072014E-308, "2.2250738585072014E-308" },
        { double.Epsilon, "4.94065645841247E-324" },
        { 5E-320, "4.99994433591342E-320" },
        { double.NaN, "NaN" },
        { double.PositiveInfinity, "INF" },
        { double.NegativeInfinity, "-INF" },
    };

    /// <summary>7 digits if they read as the number, else 9.</summary>
    public static TheoryData<float, string> Singles() => new()
    {
        { 0, "0" },
        { -0f, "-0" },
        { 1.5f, "1.5" },
        { 0.1f, "0.1" },
        { 1f / 3, "0.333333343" },
        { 3.1415927f, "3.14159274" },
        { 16777216, "16777216" },
        { 10000000, "1E+07" },
        { 123456789, "123456792" },
        { 1E-5f, "1E-05" },
        { float.MaxValue, "3.40282347E+38" },
        { float.Epsilon, "1.401298E-45" },
        { float.NaN, "NaN" },
        { float.NegativeInfinity, "-INF" },
    };

    [Theory]
    [MemberData(nameof(Doubles))]
    public void Double_HasTheDigitsOfFramework(double value, string expected)
    {
        Assert.Equal(expected, TextOf(value));
        Assert.Equal(value, XmlConvert.ToDouble(expected));
    }

    [Theory]
    [MemberData(nameof(Singles))]
    public void Single_HasTheDigitsOfFramework(float value, string expected)
    {
        Assert.Equal(expected, TextOf(value));
        Assert.Equal(value, XmlConvert.ToSingle(expected));
    }

    /// <summary>The rule itself, by the formats G15 and G17, over numbers of every kind.</summary>
    [Fact]
    public void Double_OfAnyKind_FollowsTheRule()
    {
        var random = new Random(20041120);
        for (int i = 0; i < 10_000; i++)
        {
            double value = (i % 5) switch
            {
                0 => BitConverter.Int64BitsToDouble(random.NextInt64()),
                1 => random.Next(-1_000_000, 1_000_000) / 100.0,
                2 => random.Next() / 10_000.0 * random.Next(1, 10),
                3 => random.NextDouble() * Math.Pow(10, random.Next(-20, 20)),
                _ => random.NextInt64(1L << 60) >> random.Next(60),
            };
            if (!double.IsFinite(value))
                continue;
            string rounded = value.ToString("G15", CultureInfo.InvariantCulture);
            string expected = double.Parse(rounded, CultureInfo.InvariantCulture) == value ? rounded : value.ToString("G17", CultureInfo.InvariantCulture);
            Assert.Equal(expected, TextOf(value));
        }
    }

    [XmlInclude(typeof(Box))]
    public class Shape
    {
        [XmlAttribute] public double Scale { get; set; } = 1.0 / 3;

        [XmlAttribute] public float[] Weights { get; set; } = [1f / 3, 2];

        public object? Tag { get; set; }
    }

    public class Box : Shape
    {
        [XmlElement(Namespace = "urn:box")] public double Width { get; set; } = 0.1 + 0.2;

        public Rate Rate { get; set; } = new();

        public List<double?> Sides { get; set; } = [1.0 / 3, null];

        [XmlElement("Side")] public double[] Flat { get; set; } = [2.0 / 3];

        public Shape? Inner { get; set; }

        public string Text { get; set; } = "0.3333333333333333";

        public decimal Amount { get; set; } = 0.3333333333333333m;
    }

    public class Rate
    {
        [XmlText] public double Value { get; set; } = 100.0 / 3;
    }

    [Fact]
    public void Write_NumbersInEveryPlace_HaveTheDigitsOfFramework()
    {
        var shape = new Shape { Tag = new Box { Inner = new Box { Tag = 2f / 3 }, Tag = 1.0 / 3 } };
        string body = Encoding.UTF8.GetString(new XmlFormatter<Shape>().Write(shape));
        Assert.Equal(
            Normalize(
                """
                <?xml version="1.0"?>
                <Shape xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" Scale="0.33333333333333331" Weights="0.333333343 2">
                  <Tag xsi:type="Box" Scale="0.33333333333333331" Weights="0.333333343 2">
                    <Tag xsi:type="xsd:double">0.33333333333333331</Tag>
                    <Width xmlns="urn:box">0.30000000000000004</Width>
                    <Rate>33.333333333333336</Rate>
                    <Sides>
                      <double>0.33333333333333331</double>
                      <double xsi:nil="true" />
                    </Sides>
                    <Side>0.66666666666666663</Side>
                    <Inner xsi:type="Box" Scale="0.33333333333333331" Weights="0.333333343 2">
                      <Tag xsi:type="xsd:float">0.6666667</Tag>
                      <Width xmlns="urn:box">0.30000000000000004</Width>
                      <Rate>33.333333333333336</Rate>
                      <Sides>
                        <double>0.33333333333333331</double>
                        <double xsi:nil="true" />
                      </Sides>
                      <Side>0.66666666666666663</Side>
                      <Text>0.3333333333333333</Text>
                      <Amount>0.3333333333333333</Amount>
                    </Inner>
                    <Text>0.3333333333333333</Text>
                    <Amount>0.3333333333333333</Amount>
                  </Tag>
                </Shape>
                """),
            body);
        Assert.Contains("0.3333333333333333\"", Encoding.UTF8.GetString(new XmlFormatter<Shape>(new XmlOptions { Style = XmlBodyStyle.Compact }).Write(shape)), StringComparison.Ordinal);
    }

    public class Defaults
    {
        [DefaultValue('m')]
        public char Char { get; set; }

        [DefaultValue(true)]
        public int Bool { get; set; } = 1;

        [DefaultValue(5)]
        public byte Byte { get; set; } = 5;

        [DefaultValue(5), XmlAttribute]
        public decimal Decimal { get; set; } = 5;

        [DefaultValue(5)]
        public string? Text { get; set; } = "5";

        [DefaultValue(1.5)]
        public float Single { get; set; } = 1.5f;

        public double Number { get; set; }

        public Derived? Inner { get; set; }
    }

    public class Base
    {
        [DefaultValue('x')]
        public virtual char Sign { get; set; }
    }

    public class Derived : Base
    {
        public double Ratio { get; set; }
    }

    [Fact]
    public void DefaultValueOfAnotherType_IsThatOfXmlSerializer_AndNumbersHaveTheirDigits()
    {
        foreach (Defaults value in new Defaults[]
        {
            new() { Char = 'm', Number = 1 / 3d, Inner = new Derived { Sign = 'x', Ratio = 1 / 3d } },
            new() { Char = 'n', Bool = 7, Byte = 7, Decimal = 7, Text = "7", Single = 0.3f, Number = 0.5 },
        })
        {
            var formatter = new XmlFormatter<Defaults>();
            byte[] body = formatter.Write(value);
            using var expected = new StringWriter();
            new XmlSerializer(typeof(Defaults)).Serialize(expected, value);
            string text = Encoding.UTF8.GetString(body);
            Assert.Equal(ElementsOf(expected.ToString()).Replace("0.3333333333333333<", "0.33333333333333331<", StringComparison.Ordinal), ElementsOf(text));
            Defaults read = formatter.Read(body);
            Assert.Equal((value.Char, value.Number, value.Inner?.Sign, value.Inner?.Ratio), (read.Char, read.Number, read.Inner?.Sign, read.Inner?.Ratio));
            Assert.Equal((value.Bool, value.Byte, value.Decimal, value.Text, value.Single), (read.Bool, read.Byte, read.Decimal, read.Text, read.Single));
        }

        static string ElementsOf(string xml)
        {
            XElement root = XDocument.Parse(xml).Root!;
            root.Attributes().Where(static a => a.IsNamespaceDeclaration).Remove();
            return root.ToString();
        }
    }

    private static string TextOf<T>(T value)
    {
        var document = new XmlDocument();
        document.LoadXml(Encoding.UTF8.GetString(new XmlFormatter<T>().Write(value)));
        return document.DocumentElement!.InnerText;
    }

    private static string Normalize(string text) => text.Replace("\r\n", "\n", StringComparison.Ordinal).Replace("\n", "\r\n", StringComparison.Ordinal);
}
