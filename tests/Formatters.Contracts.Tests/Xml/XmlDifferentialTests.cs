using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Xml.Serialization;
using Formatters.Generated;
using Formatters.Orders;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests.Xml;

/// <summary>Generated XML contracts against XmlSerializer: the bytes in all styles, the values read, and which bodies are refused.</summary>
public class XmlDifferentialTests(ITestOutputHelper output)
{
    private static readonly int Seed = TestScale.Seed(20261121);

    /// <summary>The number of values of every payload; more by the environment variable.</summary>
    internal static readonly int ValueCount = TestScale.Values(200);

    private static readonly Dictionary<string, IXmlCase> All = new()
    {
        [nameof(XmlScalars)] = new XmlCase<XmlScalars>(XmlScalars.MessageContract),
        [nameof(XmlNullables)] = new XmlCase<XmlNullables>(XmlNullables.MessageContract),
        [nameof(XmlLists)] = new XmlCase<XmlLists>(XmlLists.MessageContract),
        [nameof(XmlShape)] = new XmlCase<XmlShape>(XmlShape.MessageContract),
        [nameof(XmlDrawing)] = new XmlCase<XmlDrawing>(XmlDrawing.MessageContract),
        [nameof(XmlInvoice)] = new XmlCase<XmlInvoice>(XmlInvoice.MessageContract),
        [nameof(XmlConditions)] = new XmlCase<XmlConditions>(XmlConditions.MessageContract),
        [nameof(XmlNode)] = new XmlCase<XmlNode>(XmlNode.MessageContract),
        [nameof(XmlPair)] = new XmlCase<XmlPair>(XmlPair.MessageContract),
        [nameof(XmlEmpty)] = new XmlCase<XmlEmpty>(XmlEmpty.MessageContract),
        [nameof(Order)] = new XmlCase<Order>(XmlContracts.Order, i => SampleOrders.Create(i, i % 5, (SampleText)(i % 4))),
        [nameof(OrderWithList)] = new XmlCase<OrderWithList>(XmlContracts.OrderWithList),
        ["List<XmlPlace>"] = new XmlCase<List<XmlPlace>>(XmlContracts.Places),
        ["string[][]"] = new XmlCase<string[][]>(XmlContracts.Jagged),
    };

    /// <summary>A payload, for every test.</summary>
    private interface IXmlCase
    {
        int Compare(int count);

        int CompareWithRuntime(int count);

        int Exchange(int count);
    }

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithXmlSerializer(string payload)
    {
        int failed = All[payload].Compare(ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, mutants of them, {failed} refused.");
    }

    /// <summary>Against XmlSerializer as an application calls it, with nothing of ours between; on other systems than Windows it ends lines otherwise.</summary>
    [Theory]
    [MemberData(nameof(Payloads))]
    public void StyleNet_HasTheBytesOfTheRuntimesXmlSerializer(string payload) =>
        output.WriteLine($"Seed {Seed}: {2 * ValueCount} values, half of them with control characters, {All[payload].CompareWithRuntime(ValueCount)} refused.");

    /// <summary>Also for an XmlSerializer whose bytes differ: that of Mono.</summary>
    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValues_AreReadByXmlSerializerAndByGeneratedCode(string payload) => output.WriteLine($"Seed {Seed}: {All[payload].Exchange(ValueCount)} values.");

    private sealed class XmlCase<T>(MessageContract<T> contract, Func<int, T>? make = null) : IXmlCase
    {
        public int Compare(int count)
        {
            Assert.Equal(ContractFormats.Xml, contract.Formats & ContractFormats.Xml);
            var random = new Random(Seed);
            int failed = 0;
            foreach (XmlBodyStyle style in new[] { XmlBodyStyle.Framework, XmlBodyStyle.Net, XmlBodyStyle.Compact })
            {
                var pair = new XmlFormatters<T>(contract, style);
                int left = 3;
                foreach (T value in Values(count, withControls: style != XmlBodyStyle.Net))
                {
                    if (pair.CheckValue(value) is not byte[] body)
                        continue;
                    if (left-- > 0)
                        pair.CheckPrefixes(body);
                    for (int k = 0; k < 4; k++)
                        failed += pair.CheckBody(XmlMutant.Of(body, random)) ? 0 : 1;
                }
            }

            return failed;
        }

        public int CompareWithRuntime(int count)
        {
            var serializer = new XmlSerializer(typeof(T));
            XmlFormatter<T>[] formatters = [new(contract, new XmlOptions { Style = XmlBodyStyle.Net }), new(ByReflection.Xml with { Style = XmlBodyStyle.Net })];
            int refused = 0;
            for (int i = 0; i < 2; i++)
            {
                foreach (T value in Values(count, withControls: i == 1))
                {
                    byte[]? expected = SerializeByRuntime(serializer, value);
                    refused += expected is null ? 1 : 0;
                    foreach (XmlFormatter<T> formatter in formatters)
                        Assert.Equal(XmlFormatters<T>.Text(expected), XmlFormatters<T>.Text(XmlFormatters<T>.Outcome(() => formatter.Write(value)).Body));
                }
            }

            return refused;
        }

        private static byte[]? SerializeByRuntime(XmlSerializer serializer, T value)
        {
            var stream = new MemoryStream();
            try
            {
                serializer.Serialize(stream, value);
            }
            catch (InvalidOperationException)
            {
                return null;
            }

            // Line ends within text have become those of the system, too.
            string text = Encoding.UTF8.GetString(stream.ToArray());
            return Encoding.UTF8.GetBytes(Environment.NewLine == "\r\n" ? text : text.Replace("\n", "\r\n", StringComparison.Ordinal));
        }

        public int Exchange(int count) =>
            Values(count).Count(new XmlFormatters<T>(contract, XmlBodyStyle.Framework).Exchange)
            + Values(count / 4, withControls: false).Count(new XmlFormatters<T>(contract, XmlBodyStyle.Net).Exchange)
            + Values(count / 4).Count(new XmlFormatters<T>(contract, XmlBodyStyle.Compact).Exchange);

        private IEnumerable<T> Values(int count, bool withControls = true)
        {
            var values = new XmlRandomValues(Seed, withControls);
            return Enumerable.Range(0, count).Select(i => make is null ? values.Next<T>() : make(i));
        }
    }

    /// <summary>The formatter by a contract and that by XmlSerializer.</summary>
    private sealed class XmlFormatters<T>(MessageContract<T> contract, XmlBodyStyle style)
    {
        private readonly XmlFormatter<T> _generated = new(contract, new XmlOptions { Style = style });
        private readonly XmlFormatter<T> _reference = new(ByReflection.Xml with { Style = style });

        /// <returns>The body; null if both refuse the value.</returns>
        internal byte[]? CheckValue(T value)
        {
            (byte[]? expected, MessageFormatException? expectedError) = Outcome(() => _reference.Write(value));
            (byte[]? actual, MessageFormatException? error) = Outcome(() => _generated.Write(value));
            Assert.Equal(expectedError?.Code, error?.Code);
            Assert.Equal(Text(expected), Text(actual));
            if (expected is null)
                return null;
            Assert.True(CheckBody(expected), Text(expected));
            return expected;
        }

        /// <summary>Each reads what the other has written: the value is the same.</summary>
        /// <returns><see langword="false"/> if the value cannot be written.</returns>
        internal bool Exchange(T value)
        {
            (byte[]? body, _) = Outcome(() => _generated.Write(value));
            if (body is null)
                return false;
            // Lists are empty where they were null, once the body has been read.
            string read = Text(_generated.Write(_generated.Read(body)));
            Assert.Equal(read, Text(_generated.Write(_reference.Read(body))));
            Assert.Equal(read, Text(_generated.Write(_generated.Read(_reference.Write(value)))));
            return true;
        }

        internal void CheckPrefixes(byte[] body)
        {
            for (int byteCount = 0; byteCount < body.Length; byteCount++)
            {
                byte[] prefix = body.AsSpan(0, byteCount).ToArray();
                (_, MessageFormatException? expected) = Outcome(() => _reference.Write(_reference.Read(prefix)));
                (_, MessageFormatException? actual) = Outcome(() => _generated.Write(_generated.Read(prefix)));
                Assert.Equal((expected!.Code, expected.ByteOffset), (actual?.Code, actual?.ByteOffset));
            }
        }

        /// <summary>Whether both read a body, and the same from it, or both refuse it.</summary>
        /// <returns><see langword="false"/> if it is refused.</returns>
        internal bool CheckBody(byte[] body)
        {
            (byte[]? expected, MessageFormatException? expectedError) = Outcome(() => _reference.Write(_reference.Read(body)));
            (byte[]? actual, MessageFormatException? error) = Outcome(() => _reference.Write(_generated.Read(body)));
            Assert.True((expectedError is null) == (error is null) && Text(expected) == Text(actual), $"expected: {expectedError?.Message ?? Text(expected)}\nactual: {error?.Message ?? Text(actual)}\nof: {Text(body)}");
            return error is null;
        }

        internal static (byte[]? Body, MessageFormatException? Error) Outcome(Func<byte[]> run)
        {
            try
            {
                return (run(), null);
            }
            catch (MessageFormatException e)
            {
                return (null, e);
            }
        }

        internal static string Text(byte[]? body) => body is null ? "" : Encoding.UTF8.GetString(body);
    }
}
