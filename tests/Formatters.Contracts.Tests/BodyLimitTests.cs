using System;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>An error of the body as a whole names no member, by a generated contract and by reflection.</summary>
public class BodyLimitTests
{
    private static readonly FormatterLimits Small = FormatterLimits.Default with { MaxBodyByteCount = 10 };

    [Theory]
    [InlineData("binary")]
    [InlineData("versioned")]
    [InlineData("MessagePack")]
    [InlineData("CBOR")]
    [InlineData("compact")]
    [InlineData("protobuf")]
    [InlineData("reflection")]
    [InlineData("reflection versioned")]
    [InlineData("reflection MessagePack")]
    [InlineData("reflection CBOR")]
    [InlineData("reflection compact")]
    [InlineData("reflection protobuf")]
    public void Body_TooLargeOrTooLong_NamesNoMember(string name)
    {
        (MessageFormatter<BodyLimitItem> formatter, MessageFormatter<BodyLimitItem> limited) = (Create(name, FormatterLimits.Default), Create(name, Small));
        var item = new BodyLimitItem { Id = 5, Name = "longer than ten bytes" };
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

    private static MessageFormatter<BodyLimitItem> Create(string name, FormatterLimits limits) => name switch
    {
        "binary" => new ContractFormatter<BodyLimitItem>(BodyLimitItem.MessageContract, limits),
        "versioned" => new VersionedFormatter<BodyLimitItem>(BodyLimitItem.VersionedContract, limits),
        "MessagePack" => new MessagePackFormatter<BodyLimitItem>(BodyLimitItem.MessagePackContract, limits),
        "CBOR" => new CborFormatter<BodyLimitItem>(BodyLimitItem.CborContract, limits),
        "compact" => new CompactFormatter<BodyLimitItem>(BodyLimitItem.CompactContract, limits),
        "protobuf" => new ProtobufFormatter<BodyLimitItem>(BodyLimitItem.ProtobufContract, limits),
        "reflection" => new ReflectionFormatter<BodyLimitItem>(limits),
        "reflection versioned" => new ReflectionFormatter<BodyLimitItem>(limits, new ReflectionOptions { Format = ContractFormats.Versioned }),
        // Options that are not the default ones find the contract by reflection, also where there is a generated one.
        "reflection MessagePack" => new MessagePackFormatter<BodyLimitItem>(limits, new MessagePackOptions { Form = MessagePackForm.Map }),
        "reflection CBOR" => new CborFormatter<BodyLimitItem>(limits, new CborOptions { UnannotatedAllowsNull = true }),
        "reflection compact" => new CompactFormatter<BodyLimitItem>(limits, new CompactOptions { UnannotatedAllowsNull = true }),
        _ => new ProtobufFormatter<BodyLimitItem>(limits, new ProtobufOptions { UseBclTypes = true }),
    };
}

[MessageContract(Formats = (ContractFormats)127)]
public partial class BodyLimitItem
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(2)]
    public string Name { get; set; } = "";
}
