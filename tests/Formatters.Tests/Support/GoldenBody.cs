using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using Formatters.LegacyBinary;
using Xunit;

namespace Formatters.Tests.Support;

/// <summary>A body of tests/golden/system-messaging, with what its index says of it.</summary>
internal sealed class GoldenBody
{
    private const string Folder = "system-messaging";

    private static readonly Dictionary<string, GoldenBody> All = JsonDocument.Parse(Golden.Read(Folder, "index.json")).RootElement
        .EnumerateArray().Select(row => new GoldenBody(row)).ToDictionary(body => body.File, StringComparer.Ordinal);

    private GoldenBody(JsonElement row)
    {
        File = row.GetProperty("file").GetString()!;
        BodyType = row.GetProperty("bodyType").GetInt32();
        Type = row.GetProperty("type").GetString();
        Expected = row.GetProperty("expected");
        TypeFormat = row.TryGetProperty("options", out JsonElement options)
            ? Enum.Parse<LegacyBinaryTypeFormat>(options.GetString()!.Split("TypeFormat=")[1])
            : LegacyBinaryTypeFormat.TypesAlways;
        Bytes = Golden.Read(Folder, File);
        Assert.Equal(row.GetProperty("length").GetInt32(), Bytes.Length);
    }

    public string File { get; }

    public int BodyType { get; }

    public string? Type { get; }

    public JsonElement Expected { get; }

    /// <summary>Of legacy binary bodies: the option under which they were written.</summary>
    public LegacyBinaryTypeFormat TypeFormat { get; }

    public byte[] Bytes { get; }

    public static GoldenBody Get(string file) => All[file];

    public static TheoryData<string> Files(string prefix)
    {
        string[] files = [.. All.Keys.Where(file => file.StartsWith(prefix, StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        Assert.NotEmpty(files);
        return new TheoryData<string>(files);
    }

    /// <summary>The expected value, for the types that are not records.</summary>
    public object? ExpectedValue() => Type switch
    {
        null => null,
        "System.Int16" => Expected.GetInt16(),
        "System.Int32" => Expected.GetInt32(),
        "System.Int64" => Expected.GetInt64(),
        "System.UInt16" => Expected.GetUInt16(),
        "System.UInt32" => Expected.GetUInt32(),
        "System.UInt64" => Expected.GetUInt64(),
        "System.Byte" => Expected.GetByte(),
        "System.Char" => Expected.ValueKind == JsonValueKind.Number ? (char)Expected.GetUInt16() : Expected.GetString()![0],
        "System.Single" => Expected.GetSingle(),
        "System.Double" => Expected.ValueKind == JsonValueKind.Number ? Expected.GetDouble() : double.NaN,
        "System.Boolean" => Expected.GetBoolean(),
        "System.Decimal" => decimal.Parse(Expected.GetString()!, CultureInfo.InvariantCulture),
        "System.String" => Expected.GetString(),
        "System.Guid" => Expected.GetGuid(),
        "System.Byte[]" => Convert.FromHexString(Expected.GetString()!),
        "System.DateTime" => new DateTime(
            Expected.GetProperty("ticks").GetInt64(), Enum.Parse<DateTimeKind>(Expected.GetProperty("kind").GetString()!)),
        "System.Int32[]" => Expected.EnumerateArray().Select(e => e.GetInt32()).ToArray(),
        "System.String[]" => Expected.EnumerateArray().Select(e => e.GetString()).ToArray(),
        _ => throw new ArgumentException($"{File} holds a record."),
    };
}
