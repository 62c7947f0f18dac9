using System;
using System.Collections.Generic;
using Formatters.MessagePack;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>Where the libraries of JavaScript read a body otherwise than we do, and why. What is not in this list is a failure.</summary>
internal static class MessagePackDifferences
{
    internal const string RoundedTime = "less than a millisecond of a time is rounded there";

    /// <returns>Null where both agree; the reason where they do not; an empty string where there is none.</returns>
    public static string? Explain(byte[] body, PeerAnswer answer)
    {
        MessageFormatException? error = null;
        object? value = null;
        try
        {
            var reader = new MessagePackBodyReader(body);
            value = Value.Read(ref reader);
            reader.EnsureEnd();
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        if (error is not null && answer.Error is not null)
            return null;
        if (error is not null)
            return ExplainError(error);
        if (answer.Error is null && Value.ToText(value) == answer.Text)
            return null;
        return Holds(value, static item => item is Extension { Type: -1 })
                ? "a timestamp outside the years 1 to 9999, or with more than 999,999,999 ns, is an extension here, and an invalid or another date there"
            : HoldsPartOfMillisecond(value)
                ? RoundedTime
            : "";
    }

    internal static bool HoldsPartOfMillisecond(object? value) => Holds(value, static item => item is DateTime time && time.Ticks % TimeSpan.TicksPerMillisecond != 0);

    private static string ExplainError(MessageFormatException error) => error.Code switch
    {
        MessageFormatErrorCode.BadText => "text that is no UTF-8 is refused here, and read with U+FFFD there",
        MessageFormatErrorCode.BadValue => "a key of a map that is a number is refused by this test, and made a text there",
        _ => "",
    };

    private static bool Holds(object? value, Predicate<object?> isSuch) => value switch
    {
        List<object?> list => list.Exists(item => Holds(item, isSuch)),
        Entries entries => entries.Exists(entry => Holds(entry.Value, isSuch)),
        _ => isSuch(value),
    };
}
