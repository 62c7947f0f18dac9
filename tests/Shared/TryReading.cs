using System;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>Reads bodies that may be bad.</summary>
internal static class TryReading
{
    internal static bool TryRead<T>(this MessageFormatter<T> formatter, ReadOnlySpan<byte> body, [MaybeNullWhen(false)] out T value, [NotNullWhen(false)] out MessageFormatException? error)
    {
        (value, error) = (default, null);
        try
        {
            value = formatter.Read(body);
            return true;
        }
        catch (MessageFormatException e)
        {
            error = e;
            return false;
        }
    }
}
