using System;
using System.Linq;
using Formatters;
using StandardLibrary;

namespace Standard;

/// <summary>Writes and reads a contract of a library for netstandard2.0 in every format, and again over the object that was read.</summary>
internal static class Program
{
    private static void Main()
    {
        Check(new BinaryBodyFormatter<Shop>(Shop.MessageContract), Shop.Create());
        Check(new VersionedFormatter<Shop>(Shop.MessageContract), Shop.Create());
        Check(new MessagePackFormatter<Shop>(Shop.MessageContract), Shop.Create());
        Check(new CborFormatter<Shop>(Shop.MessageContract), Shop.Create());
        Check(new CompactFormatter<Shop>(Shop.MessageContract), Shop.Create());
        Check(new ProtobufFormatter<Shop>(Shop.MessageContract), Shop.Create());
        var rest = new Rest { Objects = { 1, 2 }, Table = { ["a"] = 1 }, Memory = new byte[] { 3 } };
        Check(new BinaryBodyFormatter<Rest>(Rest.MessageContract), rest);
        Check(new VersionedFormatter<Rest>(Rest.MessageContract), rest);
        Check(new MessagePackFormatter<Rest>(Rest.MessageContract), rest);
        Check(new CborFormatter<Rest>(Rest.MessageContract), rest);
        Check(new CompactFormatter<Rest>(Rest.MessageContract), rest);
        Check(new XmlFormatter<Note>(Note.MessageContract), new Note { Texts = { "a" }, Numbers = new[] { 1, 2 }, Time = new DateTime(1), Lines = { new(1, "x") } });
        Console.WriteLine(Environment.Version);
    }

    private static void Check<T>(MessageFormatter<T> formatter, T value)
    {
        byte[] body = formatter.Write(value);
        T read = formatter.Read(body);
        if (body.Length == 0 || !formatter.Write(read).SequenceEqual(body))
            throw new InvalidOperationException(formatter + ": other bytes.");
        formatter.Read(body, ref read);
        if (!formatter.Write(read).SequenceEqual(body))
            throw new InvalidOperationException(formatter + ": other bytes after reading into an existing object.");
    }
}
