using System;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>An error of the body as a whole names no member, by a generated contract and by reflection.</summary>
public class WholeBodyErrorTests
{
    private static readonly FormatterLimits Small = FormatterLimits.Default with { MaxBodyByteCount = 10 };

    [Theory]
    [InlineData("binary")]
    [InlineData("versioned")]
    [InlineData("MessagePack")]
    [InlineData("CBOR")]
    [InlineData("compact")]
    [InlineData("RESP3")]
    [InlineData("reflection RESP3")]
    [InlineData("protobuf")]
    [InlineData("reflection")]
    [InlineData("reflection versioned")]
    [InlineData("reflection MessagePack")]
    [InlineData("reflection CBOR")]
    [InlineData("reflection compact")]
    [InlineData("reflection protobuf")]
    public void Body_TooLargeOrTooLong_NamesNoMember(string name)
    {
        (MessageFormatter<WholeBodyItem> formatter, MessageFormatter<WholeBodyItem> limited) = (Create(name, FormatterLimits.Default), Create(name, Small));
        var item = new WholeBodyItem { Id = 5, Name = "longer than ten bytes" };
        byte[] body = formatter.Write(item);
        byte[] longer = [.. body, 0];

        var read = Assert.Throws<MessageFormatException>(() => limited.Read(body));
        var written = Assert.Throws<MessageFormatException>(() => limited.Write(item));
        var trailing = Assert.Throws<MessageFormatException>(() => formatter.Read(longer));

        Assert.Equal((MessageFormatErrorCode.LimitExceeded, -1, ""), (read.Code, read.ByteOffset, read.MemberPath ?? ""));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, -1, ""), (written.Code, written.ByteOffset, written.MemberPath ?? ""));
        if (!name.EndsWith("protobuf", StringComparison.Ordinal)) // there another field could follow
            Assert.Equal((MessageFormatErrorCode.TrailingBytes, body.Length, ""), (trailing.Code, trailing.ByteOffset, trailing.MemberPath ?? ""));
    }

    private static MessageFormatter<WholeBodyItem> Create(string name, FormatterLimits limits) => name switch
    {
        "binary" => new BinaryBodyFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, new BinaryBodyOptions { Limits = limits }),
        "versioned" => new VersionedFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, new VersionedOptions { Limits = limits }),
        "MessagePack" => new MessagePackFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, new MessagePackOptions { Limits = limits }),
        "CBOR" => new CborFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, new CborOptions { Limits = limits }),
        "compact" => new CompactFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, new CompactOptions { Limits = limits }),
        "RESP3" => new CustomFormatter<WholeBodyItem, OwnFormat.Resp3>(WholeBodyItem.MessageContract, new CustomFormatOptions { Limits = limits }),
        "reflection RESP3" => new CustomFormatter<WholeBodyItem, OwnFormat.Resp3>((new CustomFormatOptions { UnannotatedAllowsNull = true }) with { Limits = limits }),
        "protobuf" => new ProtobufFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, new ProtobufOptions { Limits = limits }),
        "reflection" => new BinaryBodyFormatter<WholeBodyItem>(ByReflection.Binary with { Limits = limits }),
        "reflection versioned" => new VersionedFormatter<WholeBodyItem>(ByReflection.Versioned with { Limits = limits }),
        // Options that are not the default ones find the contract by reflection, also where there is a generated one.
        "reflection MessagePack" => new MessagePackFormatter<WholeBodyItem>((new MessagePackOptions { Form = MessagePackForm.Map }) with { Limits = limits }),
        "reflection CBOR" => new CborFormatter<WholeBodyItem>((new CborOptions { UnannotatedAllowsNull = true }) with { Limits = limits }),
        "reflection compact" => new CompactFormatter<WholeBodyItem>((new CompactOptions { UnannotatedAllowsNull = true }) with { Limits = limits }),
        _ => new ProtobufFormatter<WholeBodyItem>((new ProtobufOptions { UseBclTypes = true }) with { Limits = limits }),
    };
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf | ContractFormats.Xml)]
public partial class WholeBodyItem
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(2)]
    public string Name { get; set; } = "";
}
