using System.Text;
using Newtonsoft.Json;

namespace Formatters.Benchmarks.Peers;

/// <summary>Newtonsoft.Json: one JsonSerializer, text as UTF-8 through a reused <see cref="StreamWriter"/>.</summary>
internal sealed class NewtonsoftJsonRow : OrderStreamRow
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private readonly JsonSerializer _serializer = new();
    private StreamWriter _writer = StreamWriter.Null;
    private MemoryStream[] _inputs = [];

    protected override void RenewOutput(int byteCount)
    {
        base.RenewOutput(byteCount);
        _writer = new StreamWriter(Output, Utf8);
    }

    protected override void RenewInput(IReadOnlyList<byte[]> bodies)
    {
        _inputs = new MemoryStream[bodies.Count];
        for (int i = 0; i < bodies.Count; i++)
            _inputs[i] = new MemoryStream(bodies[i]);
    }

    protected override void WriteToOutput(OrderWithList payload)
    {
        _serializer.Serialize(_writer, payload);
        _writer.Flush();
    }

    protected override OrderWithList ReadBody(int index, byte[] body)
    {
        MemoryStream input = _inputs[index];
        input.Position = 0;
        using var text = new StreamReader(input, Utf8, detectEncodingFromByteOrderMarks: false, leaveOpen: true);
        using var reader = new JsonTextReader(text);
        return _serializer.Deserialize<OrderWithList>(reader)!;
    }
}
