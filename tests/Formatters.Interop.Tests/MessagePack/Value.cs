using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Text;
using Formatters.MessagePack;
using Formatters.Tests.Support;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>Bytes with a type number.</summary>
internal sealed record Extension(sbyte Type, byte[] Content);

/// <summary>A map whose entries keep their order.</summary>
internal sealed class Entries : List<(string Key, object? Value)>;

/// <summary>Values of any type: null, bool, long, ulong, double, string, byte[], DateTime, <see cref="Extension"/>, lists and <see cref="Entries"/> of them.</summary>
internal static class Value
{
    /// <summary>What peer.js says of the same value: numbers by their value, whatever their form is.</summary>
    public static string ToText(object? value) => value switch
    {
        null => "n",
        bool b => b ? "t" : "f",
        long number => "i" + number.ToString(CultureInfo.InvariantCulture),
        ulong number => "i" + number.ToString(CultureInfo.InvariantCulture),
        double number when double.IsNaN(number) => "fNaN",
        double number when Math.Truncate(number) == number && !double.IsInfinity(number) => "i" + new BigInteger(number).ToString(CultureInfo.InvariantCulture),
        double number => "f" + BitConverter.DoubleToInt64Bits(number).ToString("X16", CultureInfo.InvariantCulture),
        string text => "s" + Convert.ToHexString(Encoding.UTF8.GetBytes(text)),
        byte[] bytes => "b" + Convert.ToHexString(bytes),
        DateTime time => "d" + ((time - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerMillisecond).ToString(CultureInfo.InvariantCulture),
        Extension extension => string.Create(CultureInfo.InvariantCulture, $"e{extension.Type}:{Convert.ToHexString(extension.Content)}"),
        Entries entries => "{" + string.Join(',', entries.Select(static entry => ToText(entry.Key) + ":" + ToText(entry.Value))) + "}",
        List<object?> list => "[" + string.Join(',', list.Select(ToText)) + "]",
        _ => throw new ArgumentException("No value of MessagePack.", nameof(value)),
    };

    public static void Write(ref MessagePackBodyWriter writer, object? value)
    {
        switch (value)
        {
            case null:
                writer.WriteNil();
                break;
            case bool b:
                writer.Write(b);
                break;
            case long number:
                writer.Write(number);
                break;
            case ulong number:
                writer.Write(number);
                break;
            case double number:
                writer.Write(number);
                break;
            case string text:
                writer.Write(text);
                break;
            case byte[] bytes:
                writer.WriteBytes(bytes);
                break;
            case DateTime time:
                writer.Write(time);
                break;
            case Extension extension:
                writer.WriteExtension(extension.Type, extension.Content);
                break;
            case Entries entries:
                writer.WriteMapHeader(entries.Count);
                foreach ((string key, object? entry) in entries)
                {
                    writer.Write(key);
                    Write(ref writer, entry);
                }

                break;
            case List<object?> list:
                writer.WriteArrayHeader(list.Count);
                foreach (object? element in list)
                    Write(ref writer, element);
                break;
        }
    }

    public static object? Read(ref MessagePackBodyReader reader)
    {
        switch (reader.NextType)
        {
            case MessagePackType.Nil:
                reader.TryReadNil();
                return null;
            case MessagePackType.Boolean:
                return reader.ReadBoolean();
            case MessagePackType.Integer:
                ReadOnlySpan<byte> number = reader.ReadRaw();
                return MessagePackEncoding.TryReadInt64(number, out long signed, out _) ? signed
                    : MessagePackEncoding.TryReadUInt64(number, out ulong unsigned, out _) ? unsigned
                    : throw new InvalidOperationException("An integer is neither.");
            case MessagePackType.Float:
                return reader.ReadDouble();
            case MessagePackType.String:
                return reader.ReadString();
            case MessagePackType.Binary:
                return reader.ReadBytes();
            case MessagePackType.Extension:
                return ReadExtension(ref reader);
            case MessagePackType.Array:
                var list = new List<object?>();
                reader.Enter();
                for (int i = reader.ReadArrayHeader(elementAllocation: 8); i > 0; i--)
                    list.Add(Read(ref reader));
                reader.Leave();
                return list;
            default:
                var entries = new Entries();
                reader.Enter();
                for (int i = reader.ReadMapHeader(entryAllocation: 16); i > 0; i--)
                {
                    string key = reader.ReadString();
                    entries.Add((key, Read(ref reader)));
                }

                reader.Leave();
                return entries;
        }
    }

    /// <summary>A value at random, of which JavaScript loses nothing: no two equal keys, no keys that are numbers, whole milliseconds.</summary>
    public static object? Random(Random random, int depth)
    {
        switch (random.Next(depth > 4 ? 10 : 13))
        {
            case 0:
                return null;
            case 1:
                return random.Next(2) == 0;
            case 2:
                return (long)random.Next(-200, 300);
            case 3:
                return random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
            case 4:
                return (ulong)random.NextInt64() << 1;
            case 5:
                return random.Next(4) == 0 ? random.Next(-1000, 1000) : BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            case 6 or 7:
                return RandomText.Next(random, random.Next(random.Next(20) == 0 ? 400 : 40), validOnly: true);
            case 8:
                byte[] bytes = new byte[random.Next(random.Next(20) == 0 ? 400 : 40)];
                random.NextBytes(bytes);
                return bytes;
            case 9:
                if (random.Next(2) == 0)
                    return DateTime.UnixEpoch.AddMilliseconds(random.NextInt64(random.Next(2) == 0 ? -62_135_596_800_000 : 0, 253_402_300_799_999));
                byte[] content = new byte[random.Next(1, 20)];
                random.NextBytes(content);
                return new Extension(5, content);
            case 10 or 11:
                var list = new List<object?>();
                for (int i = random.Next(random.Next(10) == 0 ? 40 : 6); i > 0; i--)
                    list.Add(Random(random, depth + 1));
                return list;
            default:
                var entries = new Entries();
                for (int i = random.Next(random.Next(10) == 0 ? 40 : 6); i > 0; i--)
                    entries.Add((i.ToString(CultureInfo.InvariantCulture) + "." + RandomText.Next(random, random.Next(30), validOnly: true), Random(random, depth + 1)));
                return entries;
        }
    }

    private static object ReadExtension(ref MessagePackBodyReader reader)
    {
        ReadOnlySpan<byte> raw = reader.ReadRaw();
        if (MessagePackEncoding.TryReadDateTime(raw, out DateTime time, out _))
            return time;
        var extension = new MessagePackBodyReader(raw);
        byte[] content = extension.ReadExtension(out sbyte type).ToArray();
        return new Extension(type, content);
    }
}
