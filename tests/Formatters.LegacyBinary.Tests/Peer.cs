using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization.Formatters;
using System.Runtime.Serialization.Formatters.Binary;

namespace Formatters.LegacyBinary.Tests;

/// <summary>BinaryFormatter from its compatibility package. It is given only what it wrote itself, and what we wrote of objects made here.</summary>
internal static class Peer
{
    [ModuleInitializer]
    internal static void TurnOn() => AppContext.SetSwitch("System.Runtime.Serialization.EnableUnsafeBinaryFormatterSerialization", true);

    public static byte[] Write(object value, LegacyBinaryTypeFormat format = LegacyBinaryTypeFormat.TypesAlways)
    {
        var stream = new MemoryStream();
        var formatter = new BinaryFormatter
        {
            TypeFormat = format switch
            {
                LegacyBinaryTypeFormat.TypesAlways => FormatterTypeStyle.TypesAlways,
                LegacyBinaryTypeFormat.TypesWhenNeeded => FormatterTypeStyle.TypesWhenNeeded,
                _ => FormatterTypeStyle.XsdString,
            },
        };
        formatter.Serialize(stream, value);
        return stream.ToArray();
    }

    public static object Read(byte[] body) => new BinaryFormatter().Deserialize(new MemoryStream(body));
}
