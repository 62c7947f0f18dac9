using System.Text;
using System.Xml;
using System.Xml.Serialization;

namespace Formatters.Benchmarks.Peers;

/// <summary>XmlSerializer as it is: UTF-8 text without indentation, a new XmlWriter and XmlReader per order, as there is no way to reuse
/// one.</summary>
internal sealed class XmlSerializerRow : OrderStreamRow
{
    private static readonly XmlWriterSettings WriterSettings = new() { Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false) };
    private static readonly XmlReaderSettings ReaderSettings = new() { DtdProcessing = DtdProcessing.Prohibit };

    private readonly XmlSerializer _serializer = new(typeof(OrderWithList));
    private MemoryStream[] _inputs = [];

    protected override void RenewInput(IReadOnlyList<byte[]> bodies)
    {
        _inputs = new MemoryStream[bodies.Count];
        for (int i = 0; i < bodies.Count; i++)
            _inputs[i] = new MemoryStream(bodies[i]);
    }

    protected override void WriteToOutput(OrderWithList payload)
    {
        using var writer = XmlWriter.Create(Output, WriterSettings);
        _serializer.Serialize(writer, payload);
    }

    protected override OrderWithList ReadBody(int index, byte[] body)
    {
        MemoryStream input = _inputs[index];
        input.Position = 0;
        using var reader = XmlReader.Create(input, ReaderSettings);
        return (OrderWithList)_serializer.Deserialize(reader)!;
    }
}
