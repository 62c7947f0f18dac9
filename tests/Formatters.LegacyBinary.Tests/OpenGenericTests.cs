using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Generic types that were renamed once for all of their arguments: bodies of the old ones, read into the new ones and written again.</summary>
public partial class OpenGenericTests
{
    private const string Sender = "Sender, Version=2.0.0.0, Culture=neutral, PublicKeyToken=null";

    private static readonly LegacyBinaryOptions Renamed = LegacyBinaryOptions.Default
        .WithType(typeof(Crate<>), typeof(Box<>).FullName)
        .WithType(typeof(Couple<,>), typeof(Pair<,>).FullName)
        .WithType(typeof(Labelled<>), typeof(Named<>).FullName)
        .WithType(typeof(Fleet<>.Ship), typeof(Pool<>.Car).FullName)
        .WithType(typeof(Cash), typeof(Coin).FullName)
        .WithType(typeof(Shipment), typeof(Parcel).FullName)
        .WithMember(typeof(Crate<>), "_inside", "_content")
        .WithMember(typeof(Labelled<>), "_text", "_name")
        .WithMember(typeof(Shipment), "_crates", "_boxes")
        .WithType(typeof(Crate<Cash>));

    [Theory]
    [InlineData(false, LegacyBinaryTypeFormat.TypesAlways)]
    [InlineData(false, LegacyBinaryTypeFormat.TypesWhenNeeded)]
    [InlineData(true, LegacyBinaryTypeFormat.TypesAlways)]
    [InlineData(true, LegacyBinaryTypeFormat.XsdString)]
    public void RenamedOnce_EveryClosedTypeIsReadAndWrittenUnderTheOldName(bool isGenerated, LegacyBinaryTypeFormat format)
    {
        byte[] body = Peer.Write(Parcel.Create(), format);
        LegacyBinaryOptions options = Renamed with { TypeFormat = format };
        LegacyBinaryFormatter<Shipment> formatter = isGenerated ? new(ShipmentContracts.LegacyBinaryContract, options: options) : new(options: options);

        Shipment shipment = formatter.Read(body);

        Assert.Equal("crate in crate", shipment.Nested!.Inside!.Inside);
        Assert.Equal([1, 2], shipment.Crates!.Select(static c => c!.Inside));
        Assert.Equal("EUR", shipment.Jagged![0]![1]!.Inside.Currency);
        Assert.Equal((7, "seven"), (shipment.Grid![0, 0].First, shipment.Grid[0, 0].Second!.Inside));
        Assert.Equal("USD", shipment.ByNumber![8].Inside.Currency);
        Assert.Equal("CHF", Assert.IsType<Crate<Cash>>(shipment.Anything).Inside.Currency);
        Assert.Equal(("tagged", 3), (shipment.Tagged!.Text, shipment.Tagged.Inside));
        Assert.Equal(2.5, shipment.Ship!.Length);
        Bodies.AssertEqual(body, formatter.Write(shipment), "under the old names");
    }

    [Fact]
    public void Argument_OutsideTheSet_IsNotAllowed()
    {
        byte[] body = Peer.Write(new Parcel { Anything = new Box<Version>(new Version(1, 2)) });
        var formatter = new LegacyBinaryFormatter<Shipment>(Renamed);

        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
        Assert.Equal(
            MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => formatter.Write(new Shipment { Anything = new Crate<byte>(1) })).Code);
    }

    [Fact]
    public void OpenType_AddsNoTypeToTheSet()
    {
        byte[] body = Peer.Write(new Box<byte>(1));
        var formatter = new LegacyBinaryFormatter<object>(Renamed);

        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
        Assert.Equal(1, Assert.IsType<Crate<byte>>(new LegacyBinaryFormatter<object>(Renamed.WithType(typeof(Crate<byte>))).Read(body)).Inside);
    }

    [Fact]
    public void Names_OfAClosedTypeGoBeforeThoseOfTheOpenOne_AndEveryOneGivenIsRead()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default
            .WithType(typeof(Crate<>), "A`1", Sender).WithType(typeof(Crate<>), "B`1", Sender)
            .WithType(typeof(Crate<int>), "Ints", Sender).WithType(typeof(Crate<Crate<byte>>));
        var ints = new LegacyBinaryFormatter<Crate<int>>(options);
        var crates = new LegacyBinaryFormatter<Crate<Crate<byte>>>(options);
        var first = new LegacyBinaryFormatter<Crate<Crate<byte>>>(LegacyBinaryOptions.Default.WithType(typeof(Crate<>), "A`1", Sender));

        Assert.True(ints.Write(new Crate<int>(1)).AsSpan().IndexOf("\u0004Ints"u8) > 0);
        byte[] body = crates.Write(new Crate<Crate<byte>>(new Crate<byte>(5)));
        Assert.Contains($"B`1[[B`1[[System.Byte, mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089]], {Sender}]]", Text(body), StringComparison.Ordinal);
        Assert.Equal(5, crates.Read(body).Inside!.Inside);
        Assert.Equal(6, crates.Read(first.Write(new Crate<Crate<byte>>(new Crate<byte>(6)))).Inside!.Inside);
    }

    [Fact]
    public void Attribute_OfAGenericType_NamesEveryClosedOne()
    {
        var formatter = new LegacyBinaryFormatter<Attributed<Attributed<int>>>();
        byte[] body = formatter.Write(new Attributed<Attributed<int>> { Value = new Attributed<int> { Value = 9 } });

        Assert.Contains($"Old.Thing`1[[Old.Thing`1[[System.Int32, mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089]], {Sender}]]", Text(body), StringComparison.Ordinal);
        Assert.Equal(9, formatter.Read(body).Value!.Value);
    }

    [Fact]
    public void Attribute_WithArgumentsInItsName_IsTakenWhole()
    {
        var formatter = new LegacyBinaryFormatter<AttributedWhole<int>>();
        byte[] body = formatter.Write(new AttributedWhole<int> { Value = 9 });

        Assert.Contains("Old.Whole`1[[System.Int32, mscorlib]]", Text(body), StringComparison.Ordinal);
        Assert.DoesNotContain("]][[", Text(body), StringComparison.Ordinal);
        Assert.Equal(9, formatter.Read(body).Value);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void MemberNames_OfAClosedType_GoBeforeThoseOfTheOpenOne(bool isOpenFirst)
    {
        LegacyBinaryOptions options = isOpenFirst
            ? LegacyBinaryOptions.Default.WithMember(typeof(Crate<>), "_inside", "_open").WithMember(typeof(Crate<int>), "_inside", "_closed")
            : LegacyBinaryOptions.Default.WithMember(typeof(Crate<int>), "_inside", "_closed").WithMember(typeof(Crate<>), "_inside", "_open");
        var formatter = new LegacyBinaryFormatter<Crate<int>>(options);
        byte[] open = new LegacyBinaryFormatter<Crate<int>>(LegacyBinaryOptions.Default.WithMember(typeof(Crate<>), "_inside", "_open")).Write(new Crate<int>(5));

        Assert.Equal(6, formatter.Read(formatter.Write(new Crate<int>(6))).Inside);
        Assert.Equal(0, formatter.Read(open).Inside);
    }

    private static string Text(byte[] body) => System.Text.Encoding.UTF8.GetString(body);
}
