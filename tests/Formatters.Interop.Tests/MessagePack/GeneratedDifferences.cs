using System;
using Formatters.MessagePack;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>Where @msgpack/msgpack, which knows no contract, reads a damaged body otherwise than a generated contract, and why. What is not in this list is a failure.</summary>
internal static class GeneratedDifferences
{
    /// <returns>Null where both agree; the reason where they do not; an empty string where there is none.</returns>
    public static string? Explain<T>(MessagePackFormatter<T> formatter, byte[] body, PeerAnswer answer)
    {
        byte[]? again = TryWrite(formatter, body, out MessageFormatException? error);
        if (error is not null)
            return answer.Error is not null ? null : ExplainError(error);
        if (answer.Error is not null)
            return answer.Error.Contains("key", StringComparison.OrdinalIgnoreCase) ? "a key that is no text, in what is passed over, is refused there" : "";
        byte[]? returned = TryWrite(formatter, Convert.FromHexString(answer.Hex!), out error);
        if (error is null && returned.AsSpan().SequenceEqual(again))
            return null;
        // What JavaScript read is not what we read: the test without contracts knows why.
        return MessagePackDifferences.Explain(body, answer) is string known and not "" ? known : ExplainLoss(body, answer);
    }

    private static string ExplainError(MessageFormatException error) => error.Code switch
    {
        MessageFormatErrorCode.BadText => "text that is no UTF-8 is refused here, and read with U+FFFD there",
        MessageFormatErrorCode.BadValue => "a value that is not of its member's type",
        MessageFormatErrorCode.BadLength => "a value that is not of its member's type",
        MessageFormatErrorCode.UnexpectedNull => "nil in a member that is not declared nullable",
        MessageFormatErrorCode.DuplicateKey => "a name or key for the second time: the last counts there",
        MessageFormatErrorCode.TypeNotAllowed => "a tag of no case of the union",
        _ => "",
    };

    /// <summary>What is lost in JavaScript's values although it read the same.</summary>
    private static string ExplainLoss(byte[] body, PeerAnswer answer)
    {
        string text = answer.Text!;
        return text.Contains("fNaN", StringComparison.Ordinal) ? "a NaN keeps its bits here, and not there"
            : HoldsPartOfMillisecond(body) ? MessagePackDifferences.RoundedTime
            : HasNegativeZero(body) ? "-0 is written as the integer 0 there"
            : "";
    }

    private static bool HoldsPartOfMillisecond(byte[] body)
    {
        var reader = new MessagePackBodyReader(body);
        return MessagePackDifferences.HoldsPartOfMillisecond(Value.Read(ref reader));
    }

    private static bool HasNegativeZero(byte[] body) =>
        body.AsSpan().IndexOf((ReadOnlySpan<byte>)[0xCB, 0x80, 0, 0, 0, 0, 0, 0, 0]) >= 0 || body.AsSpan().IndexOf((ReadOnlySpan<byte>)[0xCA, 0x80, 0, 0, 0]) >= 0;

    private static byte[]? TryWrite<T>(MessagePackFormatter<T> formatter, byte[] body, out MessageFormatException? error)
    {
        error = null;
        try
        {
            return formatter.Write(formatter.Read(body));
        }
        catch (MessageFormatException e)
        {
            error = e;
            return null;
        }
    }
}
