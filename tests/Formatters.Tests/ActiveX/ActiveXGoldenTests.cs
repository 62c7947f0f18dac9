using System;
using System.Buffers;
using Formatters.ActiveX;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.ActiveX;

/// <summary>The bodies that ActiveXMessageFormatter wrote, in both directions.</summary>
public class ActiveXGoldenTests
{
    private static readonly ActiveXFormatter Formatter = new();

    public static TheoryData<string> Files() => GoldenBody.Files("activex-");

    [Theory]
    [MemberData(nameof(Files))]
    public void Read_GoldenBody_GivesTheValue(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        object? expected = golden.ExpectedValue();

        // A char is written as VT_UI2 and reads back as its number, as in System.Messaging.
        if (expected is char c)
            expected = (ushort)c;
        Assert.True(Formatter.CanRead(new MessageBody(golden.Bytes, golden.BodyType)));
        Assert.Equal(expected, Formatter.Read(new MessageBody(golden.Bytes, golden.BodyType)));
        Assert.Equal(expected, Formatter.Read(new MessageBody(Bytes.Segmented(golden.Bytes, 1), golden.BodyType)));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Write_Value_GivesTheGoldenBody(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        var body = new MessageBody();
        Formatter.Write(body, golden.ExpectedValue());
        Assert.Equal(golden.BodyType, body.BodyType);
        Assert.Equal(ContentTypes.ActiveX, body.ContentType);
        Assert.Equal(golden.Bytes, body.ToArray());
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void TypedFormatter_GoldenBody_BothDirections(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        object? value = golden.ExpectedValue();
        Skip.If(value is null, "VT_NULL has no type: only the untyped formatter has it.");
        IMessageFormatter typed = Typed(value!.GetType());
        Assert.Equal(value, typed.Read(new MessageBody(golden.Bytes, golden.BodyType)));
        var body = new MessageBody();
        typed.Write(body, value);
        Assert.Equal(golden.BodyType, body.BodyType);
        Assert.Equal(golden.Bytes, body.ToArray());
    }

    /// <summary>Text and bytes have no end of their own: each of their prefixes is a value, but for half characters and half surrogate pairs.</summary>
    [Theory]
    [MemberData(nameof(Files))]
    public void Read_EveryPrefix_GivesTheErrorOrAShorterText(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        for (int length = 0; length < golden.Bytes.Length; length++)
        {
            var body = new MessageBody(golden.Bytes.AsMemory(0, length), golden.BodyType);
            if (golden.BodyType == VarTypes.ByteVector)
            {
                Assert.Equal(golden.Bytes.AsSpan(0, length).ToArray(), Formatter.Read(body));
                continue;
            }

            if (golden.BodyType == VarTypes.LPWStr && length % 2 == 0 && !char.IsHighSurrogate(LastChar(golden.Bytes, length)))
            {
                Assert.Equal(length / 2, Assert.IsType<string>(Formatter.Read(body)).Length);
                continue;
            }

            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
            Assert.Equal(
                golden.BodyType != VarTypes.LPWStr ? (MessageFormatErrorCode.Truncated, length)
                    : length % 2 != 0 ? (MessageFormatErrorCode.BadLength, length - 1)
                    : (MessageFormatErrorCode.BadText, length - 2L),
                (e.Code, e.ByteOffset));
            Assert.True(e.IsPoison);
        }
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Read_OneByteMore_IsAnErrorForNumbers(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        var longer = new MessageBody((byte[])[.. golden.Bytes, 0], golden.BodyType);
        if (golden.BodyType is VarTypes.ByteVector or VarTypes.Boolean)
        {
            // One byte more is a value too; the second byte of a Boolean is COM's.
            Assert.NotNull(Formatter.Read(longer));
            return;
        }

        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(longer));
        Assert.Equal(
            (golden.BodyType == VarTypes.LPWStr ? MessageFormatErrorCode.BadLength : MessageFormatErrorCode.TrailingBytes, golden.Bytes.Length),
            (e.Code, e.ByteOffset));
    }

    internal static IMessageFormatter Typed(Type type) =>
        (IMessageFormatter)Activator.CreateInstance(typeof(ActiveXFormatter<>).MakeGenericType(type), [null, null])!;

    private static char LastChar(byte[] utf16, int length) => length < 2 ? '\0' : (char)(utf16[length - 2] | (utf16[length - 1] << 8));
}
