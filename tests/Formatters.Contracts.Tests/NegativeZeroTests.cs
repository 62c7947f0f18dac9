using System;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Zeros with a sign keep it, and those with a scale the scale, in every format that can hold them.</summary>
public class NegativeZeroTests
{
    public static TheoryData<string> Decimals => ["0", "-0", "0.00", "-0.00", "-0.0000000000000000000000000000", "0.0000000000000000000000000000", "-1.20", "-79228162514264337593543950335", "-0.0000000000000000000000000001"];

    [Theory]
    [MemberData(nameof(Decimals))]
    public void Decimal_KeepsSignAndScale(string digits)
    {
        bool isNegative = digits[0] == '-';
        decimal unsigned = decimal.Parse(digits.TrimStart('-'), System.Globalization.CultureInfo.InvariantCulture);
        int[] bits = decimal.GetBits(unsigned);
        decimal value = new(bits[0], bits[1], bits[2], isNegative, (byte)(bits[3] >> 16));
        var zeros = new Zeros { Amount = value, Maybe = value, Amounts = [value, 1m, value] };
        foreach (MessageFormatter<Zeros> formatter in Formatters)
        {
            Zeros read = formatter.Read(formatter.Write(zeros));
            foreach (decimal other in new[] { read.Amount, read.Maybe.GetValueOrDefault(), read.Amounts[0], read.Amounts[2] })
                Assert.Equal(decimal.GetBits(value), decimal.GetBits(other));
        }

        // .NET prints a zero without its sign, and this format has decimals as text.
        var legacy = new LegacyBinaryFormatter<LegacyZeros>();
        Assert.Equal(decimal.GetBits(value), decimal.GetBits(legacy.Read(legacy.Write(new LegacyZeros { Amount = value, Amounts = [value] })).Amount));
        Assert.Equal(decimal.GetBits(value), decimal.GetBits(legacy.Read(legacy.Write(new LegacyZeros { Amount = value, Amounts = [value] })).Amounts[0]));

        var text = System.Text.Encoding.ASCII.GetBytes(digits);
        Assert.Equal([(byte)(0xA0 | text.Length), .. text], new MessagePackFormatter<decimal>().Write(value));
        Assert.Equal(decimal.GetBits(value), decimal.GetBits(new ProtobufFormatter<decimal>(ProtobufOptions.Default with { UseBclTypes = true }).Read(new ProtobufFormatter<decimal>(ProtobufOptions.Default with { UseBclTypes = true }).Write(value))));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Float_KeepsTheSign(bool isNegative)
    {
        double value = isNegative ? -0.0 : 0.0;
        foreach (MessageFormatter<Zeros> formatter in Formatters)
        {
            Zeros read = formatter.Read(formatter.Write(new Zeros { Double = value, Single = (float)value, Doubles = [value] }));
            Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(read.Double));
            Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(read.Single));
            Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(read.Doubles[0]));
        }
    }

    [Fact]
    public void Decimal_Zero_IsWrittenAsBefore()
    {
        Assert.Equal("A130", Convert.ToHexString(new MessagePackFormatter<decimal>().Write(0m)));
        Assert.Equal("A4302E3030", Convert.ToHexString(new MessagePackFormatter<decimal>().Write(0.00m)));
        Assert.Empty(new ProtobufFormatter<decimal>().Write(0m));
        Assert.Equal("0A022D30", Convert.ToHexString(new ProtobufFormatter<decimal>().Write(new decimal(0, 0, 0, true, 0))));
    }

#if !FORMATTERS_NETSTANDARD
    [Theory]
    [InlineData(0)]
    [InlineData(12.34)]
    [InlineData(-0.5)]
    public void Decimals_are_written_without_an_allocation(double number)
    {
        decimal value = (decimal)number;
        var zeros = new Zeros { Amount = value, Maybe = value, Amounts = [value, decimal.MaxValue, decimal.MinValue] };
        var destination = new System.Buffers.ArrayBufferWriter<byte>(4096);
        // Not the versioned format by reflection, which allocates for every write (208 bytes here).
        Assert.All(Formatters.Where(static (_, index) => index != 3), formatter =>
        {
            for (int i = 0; i < 100; i++)
                Write(formatter);
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
                Write(formatter);
            Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        });

        void Write(MessageFormatter<Zeros> formatter)
        {
            destination.Clear();
            formatter.Write(destination, zeros);
        }
    }
#endif

    private static MessageFormatter<Zeros>[] Formatters =>
    [
        new BinaryBodyFormatter<Zeros>(Zeros.MessageContract), new BinaryBodyFormatter<Zeros>(ByReflection.Binary), new VersionedFormatter<Zeros>(Zeros.MessageContract),
        new VersionedFormatter<Zeros>(ByReflection.Versioned),
        new MessagePackFormatter<Zeros>(Zeros.MessageContract), new MessagePackFormatter<Zeros>(ByReflection.MessagePack), new MessagePackFormatter<Zeros>(Zeros.MessageContract, new MessagePackOptions { IsCanonical = true }),
        new ProtobufFormatter<Zeros>(Zeros.MessageContract), new ProtobufFormatter<Zeros>(ByReflection.Protobuf), new ProtobufFormatter<Zeros>(Zeros.MessageContract, new ProtobufOptions { IsCanonical = true }),
        new CborFormatter<Zeros>(Zeros.MessageContract), new CborFormatter<Zeros>(ByReflection.Cbor), new CompactFormatter<Zeros>(Zeros.MessageContract), new CompactFormatter<Zeros>(ByReflection.Compact), new CustomFormatter<Zeros, OwnFormat.Resp3>(Zeros.MessageContract), new CustomFormatter<Zeros, OwnFormat.Resp3>(ByReflection.Custom),
    ];
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Zeros
{
    [MessageMember(1)] public decimal Amount { get; set; }
    [MessageMember(2)] public decimal? Maybe { get; set; }
    [MessageMember(3)] public decimal[] Amounts { get; set; } = [];
    [MessageMember(4)] public double Double { get; set; }
    [MessageMember(5)] public float Single { get; set; }
    [MessageMember(6)] public double[] Doubles { get; set; } = [];
}

[Serializable]
public sealed class LegacyZeros
{
    public decimal Amount;
    public decimal[] Amounts = [];
}
