using System;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Hosting.Buses;
using Formatters.Contracts;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>The contracts of a program: names, types, formatters.</summary>
public partial class ContractRegistryTests
{
    [Fact]
    public void Types_HaveTheNameOfTheAttribute_OrTheirOwn()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<Named>().Add<Plain>().Add<Plain2>(name: "p2", formerNames: ["P1", "P0"]);
        Assert.Equal(["Plain", "named", "p2"], contracts.Contracts.Select(static contract => contract.Name).Order(StringComparer.Ordinal));
        Assert.Same(contracts.Find(typeof(Plain2)), contracts.Get("P0"));
        Assert.Null(contracts.Find("plain"));
        Assert.Null(contracts.Find(typeof(string)));
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => contracts.Get("System.Diagnostics.Process, System.Diagnostics.Process"));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (error.Code, error.IsPoison));
    }

    [Fact]
    public void WhatCannotWork_FailsWhenItIsAdded()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<Named>();
        Assert.Throws<ArgumentException>(() => contracts.Add<Named>());
        Assert.Contains("same contract name", Assert.Throws<ArgumentException>(() => contracts.Add<Plain>(name: "named")).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => contracts.Add<Plain>(name: " "));
        Assert.Throws<ArgumentException>(() => contracts.Add<Plain>(formerNames: ["Plain"]));
        Assert.Throws<ArgumentException>(() => contracts.Add<Plain>(new ActiveXFormatter()));
        Assert.Throws<ArgumentException>(() => contracts.Add<Plain[]>());
        Assert.ThrowsAny<Exception>(() => contracts.Add<Delegate>());
        Assert.Single(contracts.Contracts);
        contracts.Add<Plain>();
    }

    [Fact]
    public void GeneratedContracts_AreAddedByTheirNames()
    {
        NamedContract named = new NamedContract<Mapped2>("mapped-2", Mapped2.MessageContract);
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<Mapped>(name: "mine")
            .AddAll([new NamedContract<Mapped>("mapped", Mapped.MessageContract), named]);
        Assert.Equal("mine", contracts.Find(typeof(Mapped))!.Name);
        PayloadContract other = contracts.Get("mapped-2");
        Assert.Equal(typeof(Mapped2), other.PayloadType);
        byte[] body = other.Write(new Mapped2 { Id = 5 }, out string contentType);
        Assert.Equal(ContentTypes.MessagePack, contentType);
        Assert.Equal(5, Assert.IsType<Mapped2>(other.Read(body, contentType)).Id);

        Assert.Equal((typeof(Mapped2), ContractFormats.MessagePack), (named.PayloadType, named.Formats));
        Assert.Throws<InvalidOperationException>(() => new ContractRegistry(WireFormat.Cbor).AddAll([named]));
        Assert.Throws<ArgumentException>(() => new ContractRegistry(WireFormat.Json).AddAll([named]));
        Assert.Throws<InvalidOperationException>(() => named.CreateFormatter(WireFormat.Protobuf));
        Assert.Throws<ArgumentNullException>(() => named.CreateFormatter(null!));
        Assert.IsType<MessagePackFormatter<Mapped2>>(named.CreateFormatter(WireFormat.MessagePack));
    }

    [MessageContract(Formats = ContractFormats.MessagePack)]
    internal sealed partial class Mapped
    {
        [MessageMember(1)] public int Id { get; set; }
    }

    [MessageContract(Formats = ContractFormats.MessagePack, Name = "mapped-2")]
    internal sealed partial class Mapped2
    {
        [MessageMember(1)] public int Id { get; set; }
    }

    /// <summary>Types with the attribute are added when they are first used, by many threads at once.</summary>
    [Fact]
    public async Task TypesWithTheAttribute_AreAddedByThemselves()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack);
        PayloadContract?[] found = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() => contracts.Find(typeof(Named)))));
        Assert.All(found, contract => Assert.Same(found[0], contract));
        Assert.Same(found[0], contracts.Find("named"));
        Assert.Null(contracts.Find(typeof(Plain)));
        // One of the types of this assembly has an empty name.
        Assert.Contains(nameof(NamedEmpty), Assert.Throws<ArgumentException>(() => contracts.AddAll(typeof(Named).Assembly)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void CasesOfAUnion_AreWrittenAsTheUnion()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<Shape>();
        PayloadContract contract = contracts.Find(typeof(Circle))!;
        Assert.Equal("Shape", contract.Name);
        byte[] body = contract.Write(new Circle { Radius = 2 }, out string contentType);
        Assert.Equal(2, Assert.IsType<Circle>(contract.Read(body, contentType)).Radius);
    }

    [Fact]
    public void AContract_ReadsWhatItsFormatterReads()
    {
        var readers = new FormatterRegistry(new MessagePackFormatter<Plain>(), new CborFormatter<Plain>());
        PayloadContract contract = new ContractRegistry(WireFormat.Xml).Add<Plain>(readers).Find(typeof(Plain))!;
        Assert.Equal(["application/x-msgpack", "application/cbor"], contract.ContentTypes);
        byte[] written = contract.Write(new Plain { Number = 5 }, out string contentType);
        Assert.Equal("application/x-msgpack", contentType);
        Assert.Equal(5, ((Plain)contract.Read(written, contentType)).Number);
        Assert.Equal(6, ((Plain)contract.Read(new CborFormatter<Plain>().Write(new Plain { Number = 6 }), "application/cbor")).Number);
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => contract.Read(written, "text/xml")).Code);
        Assert.Throws<ArgumentException>(() => contract.Write(new Named(), out _));
        PayloadContract typed = new ContractRegistry(WireFormat.MessagePack).Add<Plain>().Find(typeof(Plain))!;
        Assert.Equal(5, ((Plain)typed.Read(written, null)).Number);
        Assert.Equal(5, ((Plain)typed.Read(written, "Application/X-MsgPack; v=1")).Number);
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => typed.Read(written, "application/cbor")).Code);
        Assert.Throws<MessageFormatException>(() => typed.Read(new byte[] { 0xC0 }, "application/x-msgpack"));
    }

    public class Plain
    {
        public int Number { get; set; }
    }

    public class Plain2
    {
        public int Number { get; set; }
    }

    [MessageContract(Name = "named", Formats = ContractFormats.MessagePack)]
    public partial class Named
    {
        [MessageMember(1)] public int Number { get; set; }
    }

    [MessageContract(Formats = ContractFormats.MessagePack)]
    [MessageUnion(1, typeof(Circle))]
    public abstract partial class Shape;

    [MessageContract(Name = "circle-alone", Formats = ContractFormats.MessagePack)]
    public sealed partial class Circle : Shape
    {
        [MessageMember(1)] public double Radius { get; set; }
    }
}
