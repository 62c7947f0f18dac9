using System;
using System.Linq;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Numbers in a record, where generated code reads them in other ways than alone: the bytes of one of them, and zeros for the others.</summary>
[MessageContract(Formats = ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class NumberRow
{
    private static readonly string[] Names = [nameof(Double), nameof(Int32), nameof(Int64), nameof(UInt64), nameof(Single), nameof(Decimal)];

    [MessageMember(1)] public double Double { get; set; }
    [MessageMember(2)] public int Int32 { get; set; }
    [MessageMember(3)] public long Int64 { get; set; }
    [MessageMember(4)] public ulong UInt64 { get; set; }
    [MessageMember(5)] public float Single { get; set; }
    [MessageMember(6)] public decimal Decimal { get; set; }
    [MessageMember(7)] public string Text { get; set; } = "";

    /// <summary>Checks that a number is refused in a record, generated and by reflection; or, without a code, that it is written as it was read.</summary>
    /// <param name="format">The name of the format.</param>
    /// <param name="arrayHeader">The first byte of an array of 7.</param>
    /// <param name="textHeader">The first byte of a text of 10 bytes, which follow the numbers: fast paths look at several bytes at once.</param>
    /// <param name="type">The type of the number; of others, nothing is checked.</param>
    /// <param name="number">Its bytes.</param>
    /// <param name="code">The code of the error.</param>
    internal static void Check(string format, byte arrayHeader, byte textHeader, Type type, byte[] number, MessageFormatErrorCode? code)
    {
        int index = Array.IndexOf(Names, type.Name);
        if (index < 0)
            return;
        byte[] body = [arrayHeader, .. new byte[index], .. number, .. new byte[Names.Length - index - 1], textHeader, .. "0123456789"u8];
        foreach ((string name, MessageFormatter<NumberRow> formatter) in AllFormats.Of<NumberRow>().Where(row => row.Name.StartsWith(format, StringComparison.Ordinal)))
        {
            if (code is null)
            {
                Assert.Equal((name, "0123456789"), (name, formatter.Read(body).Text));
                continue;
            }

            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((name, code, "NumberRow." + type.Name), (name, error.Code, error.MemberPath));
            Assert.InRange(error.ByteOffset, index + 1, index + 1 + number.Length);
        }
    }
}
