using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Formatters.Queues.PostgreSql;

/// <summary>
/// Converts headers to and from <c>jsonb</c>: one object for selectors and readability, and a second one with the types that JSON cannot express.
/// </summary>
/// <remarks>
/// Strings, booleans and numbers use JSON's types; bytes are <c>{"bytes": base64}</c>. A number is an Int32 if it fits, otherwise an Int64; for all
/// others the second object names the type: <c>{"ticks": "long", "share": "double"}</c>. A double that is NaN or infinite cannot be used in
/// selectors, and appears only in the second object: <c>{"share": "NaN"}</c>.
/// </remarks>
internal static class HeaderJson
{
    private const string Bytes = "bytes", Double = "double", Long = "long";

    /// <exception cref="ArgumentException">A value has a type that headers do not support, or a string contains a zero character.</exception>
    internal static (string Headers, string? Types) Write(IDictionary<string, object> headers)
    {
        var values = new ArrayBufferWriter<byte>();
        var types = new Dictionary<string, string>();
        using (var json = new Utf8JsonWriter(values))
        {
            json.WriteStartObject();
            foreach ((string name, object value) in headers)
            {
                Outgoing.ThrowIfNoText(name, "header name");
                if (value is double special && !double.IsFinite(special))
                {
                    types.Add(name, special.ToString(CultureInfo.InvariantCulture));
                    continue;
                }

                json.WritePropertyName(name);
                if (WriteValue(json, name, value) is { } type)
                    types.Add(name, type);
            }

            json.WriteEndObject();
        }

        return (Encoding.UTF8.GetString(values.WrittenSpan), types.Count == 0 ? null : WriteTypes(types));
    }

    internal static void Read(string headers, string? types, IDictionary<string, object> into)
    {
        using JsonDocument document = JsonDocument.Parse(headers);
        using JsonDocument? typeDocument = types is null ? null : JsonDocument.Parse(types);
        foreach (JsonProperty header in document.RootElement.EnumerateObject())
        {
            string? type = typeDocument is not null && typeDocument.RootElement.TryGetProperty(header.Name, out JsonElement element)
                ? element.GetString() : null;
            into.Add(header.Name, ReadValue(header.Value, type));
        }

        if (typeDocument is null)
            return;
        foreach (JsonProperty type in typeDocument.RootElement.EnumerateObject())
        {
            if (double.TryParse(type.Value.GetString(), NumberStyles.Float, CultureInfo.InvariantCulture, out double special)
                && !double.IsFinite(special))
                into.Add(type.Name, special);
        }
    }

    /// <summary>Writes a value.</summary>
    /// <returns>The name of its type, if JSON does not determine it.</returns>
    private static string? WriteValue(Utf8JsonWriter json, string name, object value)
    {
        switch (value)
        {
            case string text:
                Outgoing.ThrowIfNoText(text, $"header {name}");
                json.WriteStringValue(text);
                return null;
            case bool flag:
                json.WriteBooleanValue(flag);
                return null;
            case int number:
                json.WriteNumberValue(number);
                return null;
            case long number:
                json.WriteNumberValue(number);
                return number is >= int.MinValue and <= int.MaxValue ? Long : null;
            case double number:
                // The numbers of jsonb have no negative zero.
                string digits = double.IsNegative(number) && number == 0 ? "0.0" : number.ToString("R", CultureInfo.InvariantCulture);
                json.WriteRawValue(digits);
                return double.IsNegative(number) && number == 0 ? "-0" : Double;
            case byte[] bytes:
                json.WriteStartObject();
                json.WriteBase64String(Bytes, bytes);
                json.WriteEndObject();
                return null;
            default:
                throw new ArgumentException(
                    $"The header {name} is a {value?.GetType().ToString() ?? "null"}; headers are string, bool, int, long, double or byte[].",
                        nameof(value));
        }
    }

    private static object ReadValue(JsonElement value, string? type) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Number when type == "-0" => -0.0,
        JsonValueKind.Number when type == Double => value.GetDouble(),
        JsonValueKind.Number when type != Long && value.TryGetInt32(out int number) => number,
        JsonValueKind.Number when value.TryGetInt64(out long number) => number,
        JsonValueKind.Number => value.GetDouble(),
        JsonValueKind.Object when value.TryGetProperty(Bytes, out JsonElement bytes) => bytes.GetBytesFromBase64(),
        // The form that earlier builds wrote.
        JsonValueKind.Object when value.TryGetProperty(Double, out JsonElement number) =>
            double.Parse(number.GetString()!, CultureInfo.InvariantCulture),
        _ => value.GetRawText(),
    };

    private static string WriteTypes(Dictionary<string, string> types)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            foreach ((string name, string type) in types)
                json.WriteString(name, type);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}
