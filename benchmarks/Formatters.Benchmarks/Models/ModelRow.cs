using System.Buffers;

namespace Formatters.Benchmarks.Models;

/// <summary>A formatter over one value.</summary>
internal sealed class ModelRow<T> : MeasuredRow
    where T : class
{
    private readonly MessageFormatter<T> _formatter;
    private readonly T _value;
    private byte[] _body;
    private ReadOnlySequence<byte> _input;
    private ArrayBufferWriter<byte> _output;

    internal ModelRow(MessageFormatter<T> formatter, T value)
    {
        _formatter = formatter;
        _value = value;
        _output = new ArrayBufferWriter<byte>();
        formatter.Write(_output, value);
        _body = _output.WrittenSpan.ToArray();
        Renew();
    }

    internal override int ByteCount => _body.Length;

    internal override void Renew()
    {
        _body = _body.AsSpan().ToArray();
        _input = new ReadOnlySequence<byte>(_body);
        _output = new ArrayBufferWriter<byte>(2 * _body.Length);
    }

    internal override void Repeat(RowOperation operation, int count)
    {
        if (operation == RowOperation.Write)
        {
            for (int i = 0; i < count; i++)
            {
                _output.ResetWrittenCount();
                _formatter.Write(_output, _value);
            }
        }
        else
        {
            for (int i = 0; i < count; i++)
                GC.KeepAlive(Read());
        }
    }

    internal T Read() => _formatter.Read(_input);
}
