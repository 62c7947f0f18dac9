using System;
using System.Collections.Generic;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>Where the libraries of JavaScript read a body otherwise than we do, and why. What is not in this list is a failure.</summary>
internal static class MessagePackDifferences
{
    /// <returns>Null where both agree; the reason where they do not; an empty string where there is none.</returns>
    public static string? Explain(string library, byte[] body, PeerAnswer answer)
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

        if (error is null && answer.Error is null)
            return Value.ToText(value) == answer.Text ? null : ExplainValue(value);
        if (error is not null && answer.Error is not null)
            return null;
        return error is not null ? ExplainOurError(error) : ExplainTheirError(library, answer.Error!, value);
    }

    private static string ExplainOurError(MessageFormatException error) => error.Code switch
    {
        MessageFormatErrorCode.BadText => "text that is no UTF-8 is refused here, and read with U+FFFD there",
        MessageFormatErrorCode.BadValue or MessageFormatErrorCode.UnexpectedNull => "a key of a map that is no text is refused by this test",
        _ => "",
    };

    private static string ExplainTheirError(string library, string error, object? value) => "";

    private static string ExplainValue(object? value) => "";
}
