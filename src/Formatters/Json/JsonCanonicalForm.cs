// RFC 8785, JSON Canonicalization Scheme: https://www.rfc-editor.org/rfc/rfc8785
#if NET
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Formatters;

/// <summary>Writes JSON in its canonical form: docs/wire/json.md.</summary>
internal sealed class JsonCanonicalForm(IBufferWriter<byte> destination)
{
    /// <summary>Writes a value: sorted names, no white space, one form of each number and each string.</summary>
    /// <exception cref="MessageFormatException">An object has a duplicate name, or the value is nested deeper than the stack allows.</exception>
    internal void Write(JsonElement value)
    {
        StackGuard.Check(-1);
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                WriteObject(value);
                break;
            case JsonValueKind.Array:
                WriteArray(value);
                break;
            case JsonValueKind.String:
                WriteText(value.GetString()!);
                break;
            case JsonValueKind.Number:
                destination.Write(Encoding.ASCII.GetBytes(NormalizeNumber(value.GetRawText())));
                break;
            default:
                destination.Write(value.ValueKind switch
                {
                    JsonValueKind.True => "true"u8,
                    JsonValueKind.False => "false"u8,
                    _ => "null"u8,
                });
                break;
        }
    }

    /// <summary>Formats a number as ECMAScript does (RFC 8785, 3.2.2.3), from its digits: digits beyond the precision of a double are kept.</summary>
    internal static string NormalizeNumber(string number)
    {
        bool isNegative = number[0] == '-';
        int exponentAt = number.AsSpan().IndexOfAny('e', 'E');
        string mantissa = exponentAt < 0 ? number : number[..exponentAt];
        int exponent = 0;
        if (exponentAt >= 0 && !int.TryParse(number.AsSpan(exponentAt + 1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture,
            out exponent))
            throw new MessageFormatException(MessageFormatErrorCode.BadValue,
                "The exponent of a number does not fit into 32 bits, so it has no canonical form.");
        mantissa = mantissa.TrimStart('-');
        int point = mantissa.IndexOf('.', StringComparison.Ordinal);
        string digits = mantissa.Replace(".", "", StringComparison.Ordinal);
        string significant = digits.TrimStart('0');
        if (significant.Length == 0)
            return "0";
        // The value is 0.significant times 10 to the power of n.
        long n = (long)exponent + (point < 0 ? digits.Length : point) - (digits.Length - significant.Length);
        significant = significant.TrimEnd('0');
        return (isNegative ? "-" : "") + Place(significant, n);
    }

    private static string Place(string digits, long n)
    {
        int k = digits.Length;
        // Integers beyond 21 digits get an exponent, unless all their digits are significant, which no double represents.
        if (n == k || (k < n && n <= 21))
            return digits + new string('0', (int)n - k);
        if (n > 0 && n <= Math.Max(21, k))
            return digits[..(int)n] + "." + digits[(int)n..];
        if (n is > -6 and <= 0)
            return "0." + new string('0', (int)-n) + digits;
        string exponent = (n > 0 ? "e+" : "e-") + Math.Abs(n - 1).ToString(CultureInfo.InvariantCulture);
        return k == 1 ? digits + exponent : digits[..1] + "." + digits[1..] + exponent;
    }

    private void WriteObject(JsonElement value)
    {
        // The names are decoded once, not in each comparison.
        var members = new KeyValuePair<string, JsonElement>[value.GetPropertyCount()];
        int count = 0;
        foreach (JsonProperty member in value.EnumerateObject())
            members[count++] = new(member.Name, member.Value);
        // By UTF-16 code units, as RFC 8785, 3.2.3, requires.
        Array.Sort(members, static (a, b) => string.CompareOrdinal(a.Key, b.Key));
        destination.Write("{"u8);
        for (int i = 0; i < members.Length; i++)
        {
            string name = members[i].Key;
            if (i > 0)
            {
                if (name == members[i - 1].Key)
                    throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey,
                        "An object has the same name twice, so it has no canonical form.");
                destination.Write(","u8);
            }

            WriteText(name);
            destination.Write(":"u8);
            Write(members[i].Value);
        }

        destination.Write("}"u8);
    }

    private void WriteArray(JsonElement value)
    {
        destination.Write("["u8);
        bool isFirst = true;
        foreach (JsonElement element in value.EnumerateArray())
        {
            if (!isFirst)
                destination.Write(","u8);
            isFirst = false;
            Write(element);
        }

        destination.Write("]"u8);
    }

    private void WriteText(string text)
    {
        var escaped = new StringBuilder(text.Length + 2).Append('"');
        foreach (char c in text)
        {
            _ = c switch
            {
                '"' or '\\' => escaped.Append('\\').Append(c),
                '\b' => escaped.Append("\\b"),
                '\t' => escaped.Append("\\t"),
                '\n' => escaped.Append("\\n"),
                '\f' => escaped.Append("\\f"),
                '\r' => escaped.Append("\\r"),
                < ' ' => escaped.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture)),
                _ => escaped.Append(c),
            };
        }

        destination.Write(Encoding.UTF8.GetBytes(escaped.Append('"').ToString()));
    }
}
#endif
