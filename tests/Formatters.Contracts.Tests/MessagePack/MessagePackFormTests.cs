using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Every form that the specification has for a value (msgpack-test-suite), as a member of a generated contract, which expects the shortest.</summary>
public class MessagePackFormTests
{
    private static readonly MessagePackFormatter<Expected> Plain = new(Expected.MessageContract);
    private static readonly MessagePackFormatter<Optional> Sparse = new(Optional.MessageContract);

    public static TheoryData<string> Groups => new(Suite().Keys);

    [Theory]
    [MemberData(nameof(Groups))]
    public void EveryForm_OfAMember_IsRead(string group)
    {
        foreach (JsonElement item in Suite()[group])
        {
            foreach (JsonElement form in item.GetProperty("msgpack").EnumerateArray())
                Check(item.EnumerateObject().First(static p => p.Name != "msgpack"), Bytes.Hex(form.GetString()!.Replace("-", "", StringComparison.Ordinal)));
        }
    }

    private static void Check(JsonProperty expected, byte[] form)
    {
        switch (expected.Name)
        {
            case "nil":
                Assert.Null(Read(1, form).Flag);
                break;
            case "bool":
                Assert.Equal(expected.Value.GetBoolean(), Read(1, form).Flag);
                break;
            case "number" or "bignum":
                CheckNumber(expected.Name == "number" ? expected.Value.GetRawText() : expected.Value.GetString()!, form);
                break;
            case "string":
                Assert.Equal(expected.Value.GetString(), ReadPlain([0], [0], form).Text);
                Assert.Equal(expected.Value.GetString(), Read(5, form).Text);
                break;
            case "binary":
                Assert.Equal(Bytes.Hex(expected.Value.GetString()!.Replace("-", "", StringComparison.Ordinal)), Read(6, form).Content);
                break;
            case "timestamp":
                long seconds = expected.Value[0].GetInt64();
                if (seconds is >= -62_135_596_800 and <= 253_402_300_799)
                    Assert.Equal(DateTime.UnixEpoch.AddSeconds(seconds).AddTicks(expected.Value[1].GetInt64() / 100), Read(7, form).Time);
                else
                    Assert.Throws<MessageFormatException>(() => Read(7, form));
                break;
            case "array" or "map" or "ext":
                // No member stands for it.
                Assert.Equal(3, Plain.Read([0x94, 3, 0, 0xA0, .. form]).Int);
                break;
            default:
                Assert.Fail(expected.Name);
                break;
        }
    }

    private static void CheckNumber(string digits, byte[] form)
    {
        if (int.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int int32))
            Assert.Equal(int32, ReadPlain(form, [0], [0xA0]).Int);
        if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long int64))
            Assert.Equal(int64, Read(2, form).Long);
        if (ulong.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ulong uint64))
            Assert.Equal(uint64, Read(3, form).Unsigned);
        double number = double.Parse(digits, CultureInfo.InvariantCulture);
        if (Math.Abs(number) > 1L << 53)
            return; // not every integer beyond is a double
        Assert.Equal(number, ReadPlain([0], form, [0xA0]).Double);
        Assert.Equal(number, Read(4, form).Double);
    }

    /// <summary>Reads at first into a new object, then over it.</summary>
    private static Expected ReadPlain(byte[] number, byte[] real, byte[] text)
    {
        byte[] body = [0x93, .. number, .. real, .. text];
        Expected value = Plain.Read(body);
        byte[] shortest = Plain.Write(value);
        Expected target = Plain.Read(shortest);
        Plain.Read(body, ref target);
        Assert.Equal(shortest, Plain.Write(target));
        return value;
    }

    private static Optional Read(int place, byte[] form) =>
        Sparse.Read([(byte)(0x90 | place), .. Enumerable.Repeat((byte)0xC0, place - 1), .. form]);

    private static Dictionary<string, JsonElement[]> Suite()
    {
        using JsonDocument suite = JsonDocument.Parse(File.ReadAllText(Path.Combine(Golden.Directory("messagepack"), "msgpack-test-suite.json")));
        return suite.RootElement.Clone().EnumerateObject().ToDictionary(static group => group.Name, static group => group.Value.EnumerateArray().ToArray());
    }
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class Expected
{
    [MessageMember(1)] public int Int { get; set; }
    [MessageMember(2)] public double Double { get; set; }
    [MessageMember(3)] public string Text { get; set; } = "";
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class Optional
{
    [MessageMember(1)] public bool? Flag { get; set; }
    [MessageMember(2)] public long? Long { get; set; }
    [MessageMember(3)] public ulong? Unsigned { get; set; }
    [MessageMember(4)] public double? Double { get; set; }
    [MessageMember(5)] public string? Text { get; set; }
    [MessageMember(6)] public byte[]? Content { get; set; }
    [MessageMember(7)] public DateTime? Time { get; set; }
}
