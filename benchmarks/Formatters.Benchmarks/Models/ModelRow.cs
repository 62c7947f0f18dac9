using System.Buffers;

namespace Formatters.Benchmarks.Models;

/// <summary>A way to write and read one value.</summary>
internal abstract class ModelRow<T> : MeasuredRow
{
    /// <summary>Reads the value.</summary>
    internal abstract T Read();
}

/// <summary>A formatter over one value.</summary>
internal sealed class FormatterModelRow<T> : ModelRow<T>
    where T : class
{
    private readonly MessageFormatter<T> _formatter;
    private readonly T _value;
    private byte[] _body;
    private ReadOnlySequence<byte> _input;
    private ArrayBufferWriter<byte> _output;

    internal FormatterModelRow(MessageFormatter<T> formatter, T value)
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

    internal override T Read() => _formatter.Read(_input);
}

/// <summary>The baseline: hand-written code over System.IO, with the writer, the reader and their streams reused.</summary>
internal sealed class BinaryWriterModelRow<T> : ModelRow<T>
    where T : class, IModel<T>
{
    private readonly T _value;
    private MemoryStream _output = new();
    private BinaryWriter _writer;
    private BinaryReader _reader;

    internal BinaryWriterModelRow(T value)
    {
        _value = value;
        _writer = new BinaryWriter(_output);
        T.Save(_writer, value);
        _reader = new BinaryReader(Stream.Null);
        Renew();
    }

    internal override int ByteCount => (int)_reader.BaseStream.Length;

    internal override void Renew()
    {
        byte[] body = _reader.BaseStream is MemoryStream input ? input.ToArray() : _output.ToArray();
        _output = new MemoryStream(2 * body.Length);
        _writer = new BinaryWriter(_output);
        _reader = new BinaryReader(new MemoryStream(body));
    }

    internal override void Repeat(RowOperation operation, int count)
    {
        if (operation == RowOperation.Write)
        {
            for (int i = 0; i < count; i++)
            {
                _output.Position = 0;
                T.Save(_writer, _value);
            }
        }
        else
        {
            for (int i = 0; i < count; i++)
                GC.KeepAlive(Read());
        }
    }

    internal override T Read()
    {
        _reader.BaseStream.Position = 0;
        return T.Load(_reader);
    }
}

/// <summary>The least that a formatter has to do: a write copies the bytes of a body, a read creates the objects and strings.</summary>
internal sealed class LimitModelRow<T>(T value, byte[] body) : ModelRow<T>
    where T : class, IModel<T>
{
    private byte[] _body = body;
    private byte[] _output = [];

    internal override int ByteCount => _body.Length;

    internal override void Renew()
    {
        _body = _body.AsSpan().ToArray();
        _output = new byte[2 * _body.Length];
    }

    internal override void Repeat(RowOperation operation, int count)
    {
        if (operation == RowOperation.Write)
        {
            for (int i = 0; i < count; i++)
                _body.CopyTo(_output, 0);
        }
        else
        {
            for (int i = 0; i < count; i++)
                GC.KeepAlive(Read());
        }
    }

    internal override T Read() => T.Copy(value);
}
