using System;
using System.Collections.Generic;
using System.Net;
using System.Text;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary><see cref="IPAddress"/> is one value in every format: its text.</summary>
public class NetworkAddressTests
{
    private static readonly Session Sample = new()
    {
        Client = IPAddress.Parse("192.0.2.1"),
        Hops = [IPAddress.IPv6Loopback, IPAddress.Parse("2001:db8::1"), IPAddress.Any],
        Named = (IPAddress.Parse("fe80::1%3"), 5),
    };

    private static readonly Dictionary<string, Both> Pairs = new()
    {
        ["binary"] = new(new BinaryBodyFormatter<Session>(Session.MessageContract), new BinaryBodyFormatter<Session>(ByReflection.Binary)),
        ["versioned"] = new(new VersionedFormatter<Session>(Session.MessageContract), new VersionedFormatter<Session>(ByReflection.Versioned)),
        ["MessagePack"] = new(new MessagePackFormatter<Session>(Session.MessageContract), new MessagePackFormatter<Session>(ByReflection.MessagePack)),
        ["protobuf"] = new(new ProtobufFormatter<Session>(Session.MessageContract), new ProtobufFormatter<Session>(ByReflection.Protobuf)) { RefusesPrefixes = false },
        ["CBOR"] = new(new CborFormatter<Session>(Session.MessageContract), new CborFormatter<Session>(ByReflection.Cbor)),
        ["compact"] = new(new CompactFormatter<Session>(Session.MessageContract), new CompactFormatter<Session>(ByReflection.Compact)),
        ["RESP3"] = new(new CustomFormatter<Session, OwnFormat.Resp3>(Session.MessageContract), new CustomFormatter<Session, OwnFormat.Resp3>(ByReflection.Custom)),
    };

    [Theory]
    [InlineData("binary", "09 3139322E302E322E31  00  03000000 03 3A3A31 0B 323030313A6462383A3A31 07 302E302E302E30  09 666538303A3A312533 05000000")]
    [InlineData("MessagePack", "94 A9 3139322E302E322E31  C0  93 A3 3A3A31 AB 323030313A6462383A3A31 A7 302E302E302E30  92 A9 666538303A3A312533 05")]
    [InlineData("protobuf", "0A 09 3139322E302E322E31  1A 03 3A3A31 1A 0B 323030313A6462383A3A31 1A 07 302E302E302E30  22 0D 0A 09 666538303A3A312533 10 05")]
    [InlineData("CBOR", "84 69 3139322E302E322E31  F6  83 63 3A3A31 6B 323030313A6462383A3A31 67 302E302E302E30  82 69 666538303A3A312533 05")]
    public void Write_GivesTheText(string format, string hex)
    {
        Assert.Equal(Bytes.Hex(hex), Pairs[format].Generated.Write(Sample));
        Assert.Equal(Bytes.Hex(hex), Pairs[format].Reflection.Write(Sample));
    }

    [Theory]
    [InlineData("binary")]
    [InlineData("versioned")]
    [InlineData("MessagePack")]
    [InlineData("protobuf")]
    [InlineData("CBOR")]
    [InlineData("compact")]
    [InlineData("RESP3")]
    public void Read_GivesTheSame_AndRefusesOtherTexts(string format)
    {
        Both pair = Pairs[format];
        var differential = new FormatterPair<Session>(pair.Generated, pair.Reflection) { RefusesPrefixes = pair.RefusesPrefixes };
        differential.CheckMutants(pair.Generated.Write(Sample), new Random(1), 200);
        differential.CheckRandomValues(seed: 2, count: 100);
        byte[] body = pair.Generated.Write(Sample);
        foreach (MessageFormatter<Session> formatter in new[] { pair.Generated, pair.Reflection })
        {
            Session read = formatter.Read(body);
            Assert.Equal((Sample.Client, Sample.Proxy, Sample.Named), (read.Client, read.Proxy, read.Named));
            Assert.Equal(Sample.Hops, read.Hops);
            foreach (string bad in new[] { "192.0.2.x", "192.0.258", "0xC0.0.21", "[::0.0.1]", "localhost", "192.0.02." })
            {
                byte[] changed = Replace(body, "192.0.2.1", bad.PadRight(9, '1'));
                MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(changed));
                Assert.Equal((MessageFormatErrorCode.BadValue, "Session.Client"), (e.Code, e.MemberPath));
            }
        }
    }

    [Fact]
    public void Write_Null_IsRefused()
    {
        var value = new Session { Client = null! };
        foreach (Both pair in Pairs.Values)
        {
            Assert.Equal("Session.Client", Assert.Throws<MessageFormatException>(() => pair.Generated.Write(value)).MemberPath);
            Assert.Equal("Session.Client", Assert.Throws<MessageFormatException>(() => pair.Reflection.Write(value)).MemberPath);
        }
    }

    /// <summary>Neither XmlSerializer nor System.Text.Json has a form for it.</summary>
    [Fact]
    public void XmlAndJson_RefuseIt()
    {
        Assert.ThrowsAny<Exception>(() => new XmlFormatter<Session>(ByReflection.Xml).Write(Sample));
#if !FORMATTERS_NETSTANDARD
        Assert.ThrowsAny<Exception>(() => new JsonFormatter<Session>().Write(Sample));
#endif
    }

    private sealed record Both(MessageFormatter<Session> Generated, MessageFormatter<Session> Reflection)
    {
        internal bool RefusesPrefixes { get; init; } = true;
    }

    private static byte[] Replace(byte[] body, string text, string with)
    {
        int at = body.AsSpan().IndexOf(Encoding.ASCII.GetBytes(text));
        byte[] changed = (byte[])body.Clone();
        Encoding.ASCII.GetBytes(with).CopyTo(changed, at);
        return changed;
    }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class Session
{
    [MessageMember(1)] public IPAddress Client { get; set; } = IPAddress.None;
    [MessageMember(2)] public IPAddress? Proxy { get; set; }
    [MessageMember(3)] public List<IPAddress> Hops { get; set; } = [];
    [MessageMember(4)] public (IPAddress Address, int Port) Named { get; set; } = (IPAddress.Any, 0);
}
