using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>A value that no member stands for, nested around the limit, within a record that holds no others: the same error with the same path, generated and by reflection.</summary>
public sealed class SkippedValueTests
{
    [Theory]
    [InlineData("MessagePack", 0x90)]
    [InlineData("CBOR", 0x80)]
    [InlineData("compact", 0xB0)]
    public void NestedAroundTheLimit_HasTheSameError(string format, byte array)
    {
        MessageFormatter<SkippingList>[] formatters = [AllFormats.Of<SkippingList>(format), AllFormats.Of<SkippingList>(format + ", reflection")];
        int refused = 0;
        for (int depth = 50; depth < 80; depth++)
        {
            // The list has one item, with a value between its two members.
            byte[] body = [(byte)(array + 1), (byte)(array + 1), (byte)(array + 3), 1, .. Enumerable.Repeat((byte)(array + 1), depth), 0, 2];
            MessageFormatException?[] errors = [.. formatters.Select(formatter => Record.Exception(() => formatter.Read(body)) as MessageFormatException)];

            Assert.Equal((errors[0]?.Code, errors[0]?.ByteOffset, errors[0]?.MemberPath), (errors[1]?.Code, errors[1]?.ByteOffset, errors[1]?.MemberPath));
            if (errors[0] is not { } error)
                continue;
            refused++;
            Assert.Equal((MessageFormatErrorCode.DepthExceeded, "SkippingList.Items[0]"), (error.Code, error.MemberPath));
        }

        Assert.InRange(refused, 10, 20);
    }
}

[MessageContract(Formats = Formats.Traversed)]
public sealed partial class SkippingList
{
    [MessageMember(1)] public List<SkippingItem> Items { get; set; } = [];
}

public sealed class SkippingItem
{
    [MessageMember(1)] public int First { get; set; }

    [MessageMember(3)] public int Third { get; set; }
}
