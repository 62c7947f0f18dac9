using System;
using System.Collections.Generic;
using System.IO;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>By reflection: types that hold more than their public members show are refused when the formatter is created.</summary>
public class UnseenStateTests
{
    [Fact]
    public void AnInlineArray_IsRefused() => AssertRefused<Holder<InlineFour>>();

    [Fact]
    public void ANullableInlineArray_IsRefused() => AssertRefused<Holder<InlineFour?>>();

    [Fact]
    public void AListOfInlineArrays_IsRefused() => AssertRefused<Holder<List<InlineFour>>>();

    [Fact]
    public void AFixedBuffer_IsRefused() => AssertRefused<Holder<FixedFour>>();

    [Fact]
    public void AClassThatDerivesFromOneOfTheBaseLibrary_IsRefused() => AssertRefused<Holder<NamedStream>>();

    [Fact]
    public void AHiddenMember_IsRefused()
    {
        AssertRefused<Holder<Hiding>>();
        new BinaryBodyFormatter<Holder<HidingLeftOut>>(ByReflection.Binary).Write(new() { Value = new() });
        new BinaryBodyFormatter<Holder<Forwarding>>(ByReflection.Binary).Write(new() { Value = new() });
    }

    [Fact]
    public void LegacyBinary_RefusesWhatItWouldWriteInPart()
    {
        Assert.NotNull(Record.Exception(() => new LegacyBinaryFormatter<Holder<InlineFour>>().Write(new())));
        Assert.NotNull(Record.Exception(() => new LegacyBinaryFormatter<Holder<FixedFour>>().Write(new())));
    }

    [Fact]
    public void Xml_RefusesWhatItWouldWriteInPart() => Assert.Throws<NotSupportedException>(() => new XmlFormatter<XmlHolder>(ByReflection.Xml));

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void Json_RefusesAnInlineArray() => Assert.Throws<NotSupportedException>(() => new JsonFormatter<Holder<InlineFour>>());
#endif

    private static void AssertRefused<T>()
    {
        Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<T>(ByReflection.Binary));
        Assert.Throws<ArgumentException>(() => new VersionedFormatter<T>(ByReflection.Versioned));
        Assert.Throws<ArgumentException>(() => new MessagePackFormatter<T>(ByReflection.MessagePack));
        Assert.Throws<ArgumentException>(() => new CborFormatter<T>(ByReflection.Cbor));
        Assert.Throws<ArgumentException>(() => new CompactFormatter<T>(ByReflection.Compact));
        Assert.Throws<ArgumentException>(() => new ProtobufFormatter<T>(ByReflection.Protobuf));
    }

    public sealed class Holder<T>
    {
        [MessageMember(1)] public T Value { get; set; } = default!;
    }

    public sealed class XmlHolder
    {
        public InlineFour Value { get; set; }
    }

    public unsafe struct FixedFour
    {
        [MessageMember(1)] public fixed int Items[4];
    }

    public sealed class NamedStream : MemoryStream
    {
        [MessageMember(1)] public string Name { get; set; } = "";
    }

    public class Named
    {
        [MessageMember(1)] public int Name { get; set; }
    }

    public sealed class Hiding : Named
    {
        [MessageMember(2)] public new string Name { get; set; } = "";
    }

    public class NamedLeftOut
    {
        [System.Runtime.Serialization.IgnoreDataMember] public int Name { get; set; }
    }

    public sealed class HidingLeftOut : NamedLeftOut
    {
        public new string Name { get; set; } = "";
    }

    public sealed class Forwarding : Named
    {
        public new long Name
        {
            get => base.Name;
            set => base.Name = (int)value;
        }
    }
}

[System.Runtime.CompilerServices.InlineArray(4)]
public struct InlineFour
{
    [MessageMember(1)] public int First;
}
