using System.Runtime.Serialization;
using System.Xml;

namespace Formatters.Benchmarks.Peers;

/// <summary>DataContractSerializer over .NET's binary XML, with writer and reader reused through their initializer interfaces.</summary>
internal sealed class DataContractBinaryXmlRow : OrderStreamRow
{
    private readonly DataContractSerializer _serializer = new(typeof(OrderWithList));
    private readonly XmlDictionaryWriter _writer = XmlDictionaryWriter.CreateBinaryWriter(Stream.Null);
    private readonly XmlDictionaryReader _reader = XmlDictionaryReader.CreateBinaryReader([], XmlDictionaryReaderQuotas.Max);

    protected override void WriteToOutput(OrderWithList payload)
    {
        ((IXmlBinaryWriterInitializer)_writer).SetOutput(Output, dictionary: null, session: null, ownsStream: false);
        _serializer.WriteObject(_writer, payload);
        _writer.Flush();
    }

    protected override OrderWithList ReadBody(int index, byte[] body)
    {
        ((IXmlBinaryReaderInitializer)_reader).SetInput(
            body, 0, body.Length, dictionary: null, XmlDictionaryReaderQuotas.Max, session: null, onClose: null);
        return (OrderWithList)_serializer.ReadObject(_reader)!;
    }
}
