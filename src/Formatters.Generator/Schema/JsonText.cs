using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Formatters.Generator;

/// <summary>
/// Reads the JSON of a snapshot: objects, arrays, strings, integers and <c>true</c>. A compiler loads a generator without its dependencies, so no
/// other reader is available.
/// </summary>
internal sealed class JsonText(string text)
{
    private const int MaxDepth = 8;
    private const string True = "true";
    private static readonly string[] MergeMarks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    private int _position;

    /// <summary>Gets the current line, from 0.</summary>
    internal int Line => text.Substring(0, Math.Min(_position, text.Length)).Split('\n').Length - 1;

    /// <exception cref="JsonTextException">The text is not valid.</exception>
    internal object Read()
    {
        object value = ReadValue(0);
        if (Peek() != '\0')
            throw new JsonTextException("there is content after the end");
        return value;
    }

    private object ReadValue(int depth)
    {
        if (depth > MaxDepth)
            throw new JsonTextException("it is nested too deeply");
        switch (Peek())
        {
            case '{':
                var properties = new Dictionary<string, object>();
                ReadItems('}', () =>
                {
                    string name = ReadString();
                    Expect(':');
                    if (properties.ContainsKey(name))
                        throw new JsonTextException($"\"{name}\" appears twice");
                    properties.Add(name, ReadValue(depth + 1));
                });
                return properties;
            case '[':
                var items = new List<object>();
                ReadItems(']', () => items.Add(ReadValue(depth + 1)));
                return items;
            case '"':
                return ReadString();
            case 't' when string.CompareOrdinal(text, _position, True, 0, True.Length) == 0:
                _position += True.Length;
                return true;
            default:
                int start = _position;
                while (_position < text.Length && text[_position] is >= '0' and <= '9')
                    _position++;
                return int.TryParse(text.Substring(start, _position - start), NumberStyles.None, CultureInfo.InvariantCulture, out int number)
                    ? number : throw Unexpected("a value");
        }
    }

    private void ReadItems(char end, Action readItem)
    {
        _position++;
        if (Peek() == end)
        {
            _position++;
            return;
        }

        readItem();
        while (Peek() == ',')
        {
            _position++;
            readItem();
        }

        Expect(end);
    }

    private string ReadString()
    {
        Expect('"');
        var value = new StringBuilder();
        for (; _position < text.Length && text[_position] is not ('"' or '\n'); _position++)
        {
            if (text[_position] == '\\')
            {
                _position++;
                if (_position + 4 < text.Length && text[_position] == 'u' && ushort.TryParse(
                    text.Substring(_position + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code))
                {
                    value.Append((char)code);
                    _position += 4;
                    continue;
                }

                if (_position == text.Length || text[_position] is not ('"' or '\\'))
                    throw new JsonTextException("only \\\", \\\\ and \\uXXXX are escapes");
            }

            value.Append(text[_position]);
        }

        Expect('"');
        return value.ToString();
    }

    private void Expect(char c)
    {
        if (Peek() != c)
            throw Unexpected($"'{c}'");
        _position++;
    }

    private JsonTextException Unexpected(string expected)
    {
        string rest = text.Substring(Math.Min(_position, text.Length));
        string found = rest.Length == 0 ? "the end" : $"'{rest[0]}'";
        return new JsonTextException(MergeMarks.Any(m => rest.StartsWith(m, StringComparison.Ordinal))
            ? "it has merge conflict markers"
            : $"{expected} is expected, but {found} was found");
    }

    /// <summary>Returns the next character that is not white space; '\0' at the end.</summary>
    private char Peek()
    {
        while (_position < text.Length && text[_position] is ' ' or '\t' or '\r' or '\n')
            _position++;
        return _position < text.Length ? text[_position] : '\0';
    }
}

/// <summary>The exception for an invalid snapshot.</summary>
internal sealed class JsonTextException(string message) : Exception(message);
