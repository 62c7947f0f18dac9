using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using Formatters.Custom;
using Formatters.MessagePack;
using OwnFormat;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>A format with a defect: an error of the library's type with the path, never another exception, an endless loop, or bytes out of bounds.</summary>
public class CustomWireFormatTests
{
    private static readonly DefectRecord Value = new() { Number = 5, Text = "text", Items = [1, 2] };

    private static readonly byte[] Body = new CustomFormatter<DefectRecord, Resp3>().Write(Value);

    [Fact]
    public void WithoutADefect_TheBytesAreThoseOfResp3()
    {
        foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>())
        {
            Assert.Equal(Body, formatter.Write(Value));
            Assert.Equal(Body, formatter.Write(formatter.Read(Body)));
        }
    }

    [Fact]
    public void Write_AFormatThatThrows_IsATypedErrorWithThePath()
    {
        CheckWriting<Throws<Writing>>(MessageFormatErrorCode.BadValue, "DefectRecord.Number", typeof(InvalidTimeZoneException));
        CheckWriting<Throws<WritingStrings>>(MessageFormatErrorCode.BadValue, "DefectRecord.Text", typeof(InvalidTimeZoneException));
    }

    [Fact]
    public void Write_AFormatThatWritesNothing_IsATypedErrorWithThePath()
    {
        CheckWriting<DoesNothing<Writing>>(MessageFormatErrorCode.BadValue, "DefectRecord.Number", null);
        CheckWriting<DoesNothing<WritingStrings>>(MessageFormatErrorCode.BadValue, "DefectRecord.Text", null);
    }

    [Fact]
    public void Read_AFormatThatThrows_IsATypedErrorWithThePath()
    {
        // "*3|" and then the number; for a list "*2|" after a number and a string.
        CheckReading<Throws<Reading>>(MessageFormatErrorCode.BadValue, 4, "DefectRecord.Number", typeof(InvalidTimeZoneException));
        CheckReading<Throws<Peeking>>(MessageFormatErrorCode.BadValue, 0, "DefectRecord", typeof(InvalidTimeZoneException));
        CheckReading<Throws<ReadingCounts>>(MessageFormatErrorCode.BadValue, 0, "DefectRecord", typeof(InvalidTimeZoneException));
    }

    [Fact]
    public void Read_AFormatThatReadsNothing_IsATypedErrorWithThePath()
    {
        CheckReading<DoesNothing<Reading>>(MessageFormatErrorCode.BadValue, 4, "DefectRecord.Number", null);
        CheckReading<DoesNothing<ReadingCounts>>(MessageFormatErrorCode.BadValue, 0, "DefectRecord", null);
    }

    [Fact]
    public void Skip_AFormatWithADefect_IsATypedError()
    {
        byte[] longer = new CustomFormatter<LongerDefectRecord, Resp3>().Write(new LongerDefectRecord());
        foreach (MessageFormatter<DefectRecord> formatter in (MessageFormatter<DefectRecord>[])[.. Both<Throws<Skipping>>(), .. Both<DoesNothing<Skipping>>()])
        {
            var error = Assert.Throws<MessageFormatException>(() => formatter.Read(longer));
            Assert.Equal((MessageFormatErrorCode.BadValue, "DefectRecord"), (error.Code, error.MemberPath));
        }
    }

    [Fact]
    public void Skip_PassesOverKeysAndValues()
    {
        byte[] longer = [.. "*4\r\n:5\r\n$1\r\na\r\n*0\r\n%1\r\n:1\r\n*1\r\n:2\r\n"u8];
        foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>())
            Assert.Equal((5, "a"), (formatter.Read(longer).Number, formatter.Read(longer).Text));
    }

    [Fact]
    public void Read_AFormatWithWrongKindsOrCounts_IsATypedError()
    {
        foreach (MessageFormatter<DefectRecord> formatter in (MessageFormatter<DefectRecord>[])[.. Both<OnlyArrays>(), .. Both<WrongCounts>()])
            Assert.StartsWith("DefectRecord", Assert.Throws<MessageFormatException>(() => formatter.Read(Body)).MemberPath, StringComparison.Ordinal);
        // Every value is an array of 1,000 elements: the depth and the bytes end it.
        Assert.Throws<MessageFormatException>(() => WireFormat.Custom<Defective<OnlyArrays>>().Inspector.Inspect(Enumerable.Repeat((byte)':', 5000).ToArray()));
    }

    [Fact]
    public void Inspect_AFormatWithADefect_IsATypedError()
    {
        foreach (MessageInspector inspector in new[] { WireFormat.Custom<Defective<Throws<Reading>>>().Inspector, WireFormat.Custom<Defective<DoesNothing<ReadingCounts>>>().Inspector, WireFormat.Custom<Defective<Throws<Peeking>>>().Inspector })
            Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => inspector.Inspect(Body)).Code);
    }

    [Fact]
    public void Inspect_AnIntegerAboveTheLargestLong_IsPrintedWhateverTheFormatThrowsForIt()
    {
        MessageInspector inspector = WireFormat.Custom<Defective<RejectsIntegers>>().Inspector;
        Assert.Contains("18446744073709551615", inspector.Inspect("(18446744073709551615\r\n"u8.ToArray()), StringComparison.Ordinal);
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => inspector.Inspect(":5\r\n"u8.ToArray())).Code);
    }

    [Fact]
    public void Depth_IsLimited()
    {
        byte[] deep = [.. Enumerable.Repeat("*1\r\n"u8.ToArray(), 100).SelectMany(static line => line), .. ":1\r\n"u8];
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => WireFormat.Custom<Resp3>().Inspector.Inspect(deep)).Code);
        byte[] skipped = [.. "*4\r\n:1\r\n$1\r\na\r\n*0\r\n"u8, .. deep];
        foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>())
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(skipped)).Code);
    }

    [Fact]
    public void ElementCount_IsLimited()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxElementCount = 3 };
        foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>(limits))
        {
            Assert.Equal(3, formatter.Read(Both<NoDefect>()[0].Write(new DefectRecord { Items = [1, 2, 3] })).Items.Count);
            byte[] body = Both<NoDefect>()[0].Write(new DefectRecord { Items = [1, 2, 3, 4] });
            foreach (Action action in new Action[] { () => formatter.Read(body), () => formatter.Write(new DefectRecord { Items = [1, 2, 3, 4] }) })
            {
                var error = Assert.Throws<MessageFormatException>(action);
                Assert.Equal((MessageFormatErrorCode.LimitExceeded, "DefectRecord.Items"), (error.Code, error.MemberPath));
            }
        }
    }

    /// <summary>Strings that do not fit on the stack, into the span of the destination, or into a body.</summary>
    [Fact]
    public void LongStrings_AreWrittenUpToTheLimit()
    {
        foreach (int charCount in new[] { 255, 256, 257, 70_000, 500_000 })
        {
            var value = new DefectRecord { Text = new string('\u00e9', charCount) };
            foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>())
                Assert.Equal(value.Text, formatter.Read(formatter.Write(value)).Text);
            foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>(FormatterLimits.Default with { MaxBodyByteCount = charCount }))
                Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(value)).Code);
        }
    }

    [Fact]
    public void InvalidText_IsReplacedOrRefused()
    {
        var value = new DefectRecord { Text = "a\uD800" };
        Assert.Equal("a\uFFFD", Both<NoDefect>()[0].Read(Both<NoDefect>()[0].Write(value)).Text);
        foreach (MessageFormatter<DefectRecord> formatter in Both<NoDefect>(FormatterLimits.Default with { RefuseInvalidText = true }))
        {
            var error = Assert.Throws<MessageFormatException>(() => formatter.Write(value));
            Assert.Equal((MessageFormatErrorCode.BadText, "DefectRecord.Text"), (error.Code, error.MemberPath));
        }
    }

    [Fact]
    public void Tags_ThatAreNotValid_AreRefused()
    {
        Assert.Throws<ArgumentException>(() => new CustomFormatter<int, BadTags<NoName>>());
        Assert.Throws<ArgumentException>(WireFormat.Custom<BadTags<NoContentType>>);
        Assert.Throws<ArgumentException>(WireFormat.Custom<BadTags<NoBodyType>>);
    }

    [Fact]
    public void ReaderAndWriter_CheckTheirArguments()
    {
        Assert.Equal(typeof(ArgumentOutOfRangeException), InnerOf<BadTags<Valid>>(static f => f.Write(1)));
        Assert.Equal(typeof(ArgumentOutOfRangeException), InnerOf<BadTags<Valid>>(static f => f.Write(2)));
        Assert.Equal(typeof(ArgumentOutOfRangeException), InnerOf<BadTags<Valid>>(static f => f.Write(3)));

        static Type? InnerOf<TFormat>(Action<MessageFormatter<int>> action)
            where TFormat : struct, ICustomWireFormat =>
            Assert.Throws<MessageFormatException>(() => action(new CustomFormatter<int, TFormat>())).InnerException?.GetType();
    }

    [Fact]
    public void ACodecOfMessagePack_IsRefused()
    {
        Assert.Throws<ArgumentException>(() => new CustomFormatter<HasPackedOnly, Resp3>(ByReflection.Custom));
        MessageFormatter<HasPackedOnly> formatter = CustomFormatter.Create<HasPackedOnly, Resp3>();
        foreach (Action action in new Action[] { () => formatter.Write(new HasPackedOnly()), () => formatter.Read("*1\r\n:1\r\n"u8) })
        {
            var error = Assert.Throws<MessageFormatException>(action);
            Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "HasPackedOnly.Number"), (error.Code, error.MemberPath));
        }
    }

    private static MessageFormatter<DefectRecord>[] Both<TDefect>(FormatterLimits? limits = null)
        where TDefect : struct, IDefect =>
    [
        new CustomFormatter<DefectRecord, Defective<TDefect>>(DefectRecord.MessageContract, new CustomFormatOptions { Limits = limits ?? FormatterLimits.Default }),
        new CustomFormatter<DefectRecord, Defective<TDefect>>(ByReflection.Custom with { Limits = limits ?? FormatterLimits.Default }),
    ];

    private static void CheckWriting<TDefect>(MessageFormatErrorCode code, string path, Type? inner)
        where TDefect : struct, IDefect
    {
        foreach (MessageFormatter<DefectRecord> formatter in Both<TDefect>())
        {
            var error = Assert.Throws<MessageFormatException>(() => formatter.Write(new ArrayBufferWriter<byte>(), Value));
            Assert.Equal((code, -1, path, inner), (error.Code, error.ByteOffset, error.MemberPath, error.InnerException?.GetType()));
        }
    }

    private static void CheckReading<TDefect>(MessageFormatErrorCode code, int byteOffset, string path, Type? inner)
        where TDefect : struct, IDefect
    {
        foreach (MessageFormatter<DefectRecord> formatter in Both<TDefect>())
        {
            var error = Assert.Throws<MessageFormatException>(() => formatter.Read(Body));
            Assert.Equal((code, byteOffset, path, inner), (error.Code, error.ByteOffset, error.MemberPath, error.InnerException?.GetType()));
        }
    }
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class DefectRecord
{
    [MessageMember(1)] public int Number { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "";

    [MessageMember(3)] public List<int> Items { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class LongerDefectRecord : DefectRecord
{
    [MessageMember(4)] public int Further { get; set; }
}

/// <summary>A member whose formatter writes MessagePack only.</summary>
[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class HasPackedOnly
{
    [MessageMember(1), MemberCodec(typeof(PackedOnlyCodec))] public int Number { get; set; }
}

public sealed class PackedOnlyCodec : MessagePackCodec<int>
{
    public override void Write(ref MessagePackBodyWriter writer, int value) => writer.Write(value);

    public override int Read(ref MessagePackBodyReader reader, int existing = 0) => reader.ReadInt32();
}
