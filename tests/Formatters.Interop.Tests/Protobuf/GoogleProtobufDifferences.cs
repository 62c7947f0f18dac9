using System;
using System.Collections.Generic;
using Formatters.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Peer = Formatters.Interop;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>
/// The reviewed list of where we and Google.Protobuf 3.25.1 for C# do not agree on a damaged body. What is not here is a fault of one of the two, and fails the test.
/// </summary>
internal static class GoogleProtobufDifferences
{
    /// <summary>Why we refuse what Google.Protobuf reads; null if there is no known reason.</summary>
    public static string? ExplainRefusal(MessageFormatException error, Peer.Everything peer) => error.Code switch
    {
        // proto3 asks parsers to refuse strings that are not UTF-8; Google.Protobuf for C# puts U+FFFD in their place.
        MessageFormatErrorCode.BadText => "text that is not UTF-8",
        // Google.Protobuf leaves out the bits above the 32nd of a tag, and of a length; we, as protobuf for C++, take no tag of more than five bytes.
        MessageFormatErrorCode.Malformed when error.Message.Contains("not a valid tag", StringComparison.Ordinal) => "a tag of more than 32 bits",
        MessageFormatErrorCode.BadLength when error.Message.Contains("31 bits", StringComparison.Ordinal) => "a length of more than 31 bits",
        // A Timestamp or Duration there is two numbers; here it is a DateTime or TimeSpan, which have less range.
        MessageFormatErrorCode.BadValue when HasBadTime(peer) => "a time out of the range of .NET",
        // A Shape without a case is an empty message there; here there is no object that it could be.
        MessageFormatErrorCode.MissingMember or MessageFormatErrorCode.UnknownTag when peer.Shape is { CaseCase: Peer.Shape.CaseOneofCase.None } => "a union without a case",
        // The same in the first of two fields of it, which are merged there before anybody asks for the case.
        MessageFormatErrorCode.MissingMember when error.Message.Contains("none of the cases of the union", StringComparison.Ordinal) => "a union without a case in one of its fields",
        _ => null,
    };

    /// <summary>Takes the last of several fields of a time, as we do, to whom it is one value; there it is a message of two, and they are merged.</summary>
    /// <returns>Whether there were several.</returns>
    public static bool TakeLastTime(Peer.Everything peer, byte[] body)
    {
        int times = 0, durations = 0;
        var reader = new ProtobufBodyReader(body);
        while (reader.TryReadTag(out int number, out ProtobufWireType wireType))
        {
            switch (number)
            {
                case Peer.Everything.TimeFieldNumber when wireType == ProtobufWireType.LengthDelimited:
                    peer.Time = Timestamp.Parser.ParseFrom(reader.ReadSpan());
                    times++;
                    break;
                case Peer.Everything.DurationFieldNumber when wireType == ProtobufWireType.LengthDelimited:
                    peer.Duration = Duration.Parser.ParseFrom(reader.ReadSpan());
                    durations++;
                    break;
                default:
                    reader.Skip(number, wireType);
                    break;
            }
        }

        return times > 1 || durations > 1;
    }

    /// <summary>Takes out of a message what we do not keep: less than 100 ns, and fields that Timestamp, Duration and a union do not have.</summary>
    public static void Normalize(Peer.Everything peer)
    {
        if (peer.Time is not null)
            peer.Time = new Timestamp { Seconds = peer.Time.Seconds, Nanos = peer.Time.Nanos / 100 * 100 };
        if (peer.Duration is not null)
            peer.Duration = new Duration { Seconds = peer.Duration.Seconds, Nanos = peer.Duration.Nanos / 100 * 100 };
        for (int i = 0; i < peer.Times.Count; i++)
            peer.Times[i] = new Timestamp { Seconds = peer.Times[i].Seconds, Nanos = peer.Times[i].Nanos / 100 * 100 };
        peer.Shape = peer.Shape?.CaseCase switch
        {
            Peer.Shape.CaseOneofCase.Circle => new Peer.Shape { Circle = peer.Shape.Circle },
            Peer.Shape.CaseOneofCase.Square => new Peer.Shape { Square = peer.Shape.Square },
            _ => peer.Shape,
        };
    }

    private static bool HasBadTime(Peer.Everything peer)
    {
        var times = new List<Timestamp>(peer.Times);
        if (peer.Time is not null)
            times.Add(peer.Time);
        return times.Exists(static time => !IsTime(time)) || peer.Duration is not null && !IsDuration(peer.Duration);
    }

    private static bool IsTime(Timestamp time) =>
        time.Nanos is >= 0 and < 1_000_000_000 && time.Seconds is >= -62_135_596_800 and <= 253_402_300_799;

    private static bool IsDuration(Duration duration)
    {
        Int128 nanos = ((Int128)duration.Seconds * 1_000_000_000) + duration.Nanos;
        bool hasOneSign = duration.Seconds == 0 || duration.Nanos == 0 || duration.Seconds < 0 == duration.Nanos < 0;
        return duration.Nanos is > -1_000_000_000 and < 1_000_000_000 && hasOneSign && nanos / 100 >= long.MinValue && nanos / 100 <= long.MaxValue;
    }
}
