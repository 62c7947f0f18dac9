using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using Formatters.MessagePack;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.MessagePack;

/// <summary>The test suite of the MessagePack project's users, msgpack-test-suite by Yusuke Kawasaki: every form is read, and the shortest written.</summary>
public sealed class MessagePackSuiteTests
{
    public static TheoryData<string, string> Cases()
    {
        var cases = new TheoryData<string, string>();
        using JsonDocument suite = JsonDocument.Parse(File.ReadAllText(Path.Combine(Golden.Directory("messagepack"), "msgpack-test-suite.json")));
        foreach (JsonProperty group in suite.RootElement.EnumerateObject())
        {
            foreach (JsonElement item in group.Value.EnumerateArray())
                cases.Add(group.Name, item.GetRawText());
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Every_form_is_read_and_the_shortest_written(string group, string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement item = document.RootElement;
        byte[][] forms = item.GetProperty("msgpack").EnumerateArray().Select(static form => FromHex(form.GetString()!)).ToArray();
        Assert.NotEmpty(forms);
        foreach (byte[] form in forms)
        {
            var reader = new MessagePackBodyReader(form);
            CheckRead(ref reader, item);
            reader.EnsureEnd();
            var skipper = new MessagePackBodyReader(form);
            skipper.Skip();
            skipper.EnsureEnd();
        }

        // Some integers are listed as floats, too, which may be shorter.
        int shortest = forms.Where(form => group == "22.number-float.yaml" || form[0] is not (0xCA or 0xCB)).Min(static form => form.Length);
        byte[] destination = new byte[shortest];
        var writer = new MessagePackBodyWriter(destination);
        Write(ref writer, item);
        Assert.Equal(shortest, writer.BytesWritten);
        Assert.Contains(Convert.ToHexString(destination), forms.Select(Convert.ToHexString));
    }

    private static void CheckRead(ref MessagePackBodyReader reader, JsonElement item)
    {
        JsonProperty expected = item.EnumerateObject().First(static property => property.Name != "msgpack");
        JsonElement value = expected.Value;
        switch (expected.Name)
        {
            case "nil":
                Assert.True(reader.TryReadNil());
                break;
            case "bool":
                Assert.Equal(value.GetBoolean(), reader.ReadBoolean());
                break;
            case "binary":
                Assert.Equal(FromHex(value.GetString()!), reader.ReadBytes());
                break;
            case "number" or "bignum":
                CheckNumber(ref reader, expected);
                break;
            case "string":
                Assert.Equal(value.GetString(), reader.ReadString());
                break;
            case "array" or "map":
                CheckAny(ref reader, value);
                break;
            case "timestamp":
                if (ToDateTime(value).Time is DateTime time)
                    Assert.Equal(time, reader.ReadDateTime());
                else
                    CheckOtherTime(ref reader);
                break;
            case "ext":
                Assert.Equal(FromHex(value[1].GetString()!), reader.ReadExtension(out sbyte type).ToArray());
                Assert.Equal(value[0].GetInt32(), type);
                break;
            default:
                Assert.Fail("The suite has a kind that this test does not know: " + expected.Name);
                break;
        }
    }

    /// <summary>A time that is no DateTime: refused as one, and read as an extension.</summary>
    private static void CheckOtherTime(ref MessagePackBodyReader reader)
    {
        MessageFormatException? error = null;
        try
        {
            reader.ReadDateTime();
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        Assert.Equal(MessageFormatErrorCode.BadValue, error?.Code);
        Assert.Equal(12, reader.ReadExtension(out sbyte type).Length);
        Assert.Equal(-1, type);
    }

    private static void CheckNumber(ref MessagePackBodyReader reader, JsonProperty number)
    {
        string text = number.Value.ValueKind == JsonValueKind.String ? number.Value.GetString()! : number.Value.GetRawText();
        if (ulong.TryParse(text, CultureInfo.InvariantCulture, out ulong unsigned))
            Assert.Equal(unsigned, reader.ReadUInt64());
        else if (long.TryParse(text, CultureInfo.InvariantCulture, out long signed))
            Assert.Equal(signed, reader.ReadInt64());
        else
            Assert.Equal(double.Parse(text, CultureInfo.InvariantCulture), reader.ReadDouble());
    }

    private static void CheckAny(ref MessagePackBodyReader reader, JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Array:
                Assert.Equal(value.GetArrayLength(), reader.ReadArrayHeader());
                foreach (JsonElement element in value.EnumerateArray())
                    CheckAny(ref reader, element);
                break;
            case JsonValueKind.Object:
                Assert.Equal(value.EnumerateObject().Count(), reader.ReadMapHeader());
                foreach (JsonProperty property in value.EnumerateObject())
                {
                    Assert.Equal(property.Name, reader.ReadString());
                    CheckAny(ref reader, property.Value);
                }

                break;
            case JsonValueKind.String:
                Assert.Equal(value.GetString(), reader.ReadString());
                break;
            default:
                Assert.Equal(value.GetInt64(), reader.ReadInt64());
                break;
        }
    }

    private static void Write(ref MessagePackBodyWriter writer, JsonElement item)
    {
        JsonProperty expected = item.EnumerateObject().First(static property => property.Name != "msgpack");
        JsonElement value = expected.Value;
        switch (expected.Name)
        {
            case "binary":
                writer.WriteBytes(FromHex(value.GetString()!));
                break;
            case "bignum":
                WriteNumber(ref writer, value.GetString()!);
                break;
            case "timestamp":
                WriteTimestamp(ref writer, value);
                break;
            case "ext":
                writer.WriteExtension((sbyte)value[0].GetInt32(), FromHex(value[1].GetString()!));
                break;
            default:
                WriteAny(ref writer, value);
                break;
        }
    }

    private static void WriteAny(ref MessagePackBodyWriter writer, JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Null:
                writer.WriteNil();
                break;
            case JsonValueKind.True or JsonValueKind.False:
                writer.Write(value.GetBoolean());
                break;
            case JsonValueKind.Number:
                WriteNumber(ref writer, value.GetRawText());
                break;
            case JsonValueKind.String:
                writer.Write(value.GetString()!);
                break;
            case JsonValueKind.Array:
                writer.WriteArrayHeader(value.GetArrayLength());
                foreach (JsonElement element in value.EnumerateArray())
                    WriteAny(ref writer, element);
                break;
            default:
                writer.WriteMapHeader(value.EnumerateObject().Count());
                foreach (JsonProperty property in value.EnumerateObject())
                {
                    writer.Write(property.Name);
                    WriteAny(ref writer, property.Value);
                }

                break;
        }
    }

    private static void WriteNumber(ref MessagePackBodyWriter writer, string text)
    {
        if (ulong.TryParse(text, CultureInfo.InvariantCulture, out ulong unsigned))
            writer.Write(unsigned);
        else if (long.TryParse(text, CultureInfo.InvariantCulture, out long signed))
            writer.Write(signed);
        else
            writer.Write(float.Parse(text, CultureInfo.InvariantCulture)); // the floats of the suite are exact in 32 bits
    }

    /// <summary>A time with less than 100 ns is no DateTime: its bytes are written as they stand in the specification.</summary>
    private static void WriteTimestamp(ref MessagePackBodyWriter writer, JsonElement value)
    {
        if (ToDateTime(value) is (DateTime time, true))
        {
            writer.Write(time);
            return;
        }

        long seconds = value[0].GetInt64();
        uint nanoseconds = value[1].GetUInt32();
        Span<byte> content = stackalloc byte[12];
        if (seconds >> 34 == 0)
        {
            System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(content, ((ulong)nanoseconds << 34) | (ulong)seconds);
            writer.WriteExtension(-1, content[..8]);
        }
        else
        {
            System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(content, nanoseconds);
            System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(content[4..], seconds);
            writer.WriteExtension(-1, content);
        }
    }

    private static (DateTime? Time, bool IsExact) ToDateTime(JsonElement value)
    {
        long seconds = value[0].GetInt64();
        long nanoseconds = value[1].GetInt64();
        return seconds < -62_135_596_800 || seconds > 253_402_300_799
            ? (null, false)
            : (DateTime.UnixEpoch.AddTicks((seconds * TimeSpan.TicksPerSecond) + (nanoseconds / 100)), nanoseconds % 100 == 0);
    }

    private static byte[] FromHex(string hex) => Convert.FromHexString(hex.Replace("-", "", StringComparison.Ordinal));
}
