using System.Runtime.Serialization.Formatters.Binary;

namespace Formatters.Benchmarks.Peers;

/// <summary>The removed BinaryFormatter, from its compatibility package: the study's ".NET Binary".</summary>
internal sealed class BinaryFormatterRow : OrderStreamRow
{
#pragma warning disable SYSLIB0011, FMT301 // The row exists to say what leaving it gains; the bodies it reads are its own.
    private readonly BinaryFormatter _formatter = new();
    private MemoryStream[] _inputs = [];

    protected override void RenewInput(IReadOnlyList<byte[]> bodies)
    {
        _inputs = new MemoryStream[bodies.Count];
        for (int i = 0; i < bodies.Count; i++)
            _inputs[i] = new MemoryStream(bodies[i]);
    }

    protected override void WriteToOutput(OrderWithList payload) => _formatter.Serialize(Output, payload);

    protected override OrderWithList ReadBody(int index, byte[] body)
    {
        MemoryStream input = _inputs[index];
        input.Position = 0;
        return (OrderWithList)_formatter.Deserialize(input);
    }
#pragma warning restore SYSLIB0011, FMT301
}
