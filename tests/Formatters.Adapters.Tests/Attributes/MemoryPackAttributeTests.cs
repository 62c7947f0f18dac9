using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Serialization;
using MemoryPack;
using Xunit;

[assembly: ContractNamespace("urn:formatters", ClrNamespace = "Formatters.Adapters.Tests")]

namespace Formatters.Adapters.Tests;

/// <summary>
/// The attributes of MemoryPack and of the base library that are harmless. No format has the bytes of MemoryPack, so its values are compared.
/// </summary>
public partial class MemoryPackAttributeTests
{
    private static readonly List<string> Shown = [];

    [Fact]
    public void WhatIsHarmless_ChangesNeitherBytesNorValues()
    {
        Check<Decorated, Plain>(
            new() { Id = 3, Name = "é", Title = "t", Other = "o", IsOn = [true, false, true], Bytes = [1, 2], Text = "aaaa", Numbers = [5, 6] },
            new() { Id = 3, Name = "é", Title = "t", Other = "o", IsOn = [true, false, true], Bytes = [1, 2], Text = "aaaa", Numbers = [5, 6] },
            static v => (v.Id, v.Name, v.Title, v.Other, string.Join(',', v.IsOn), string.Join(',', v.Bytes), v.Text, string.Join(',', v.Numbers)).ToString(),
            "MemoryPackableAttribute.", "MemoryPackableAttribute.serializeLayout", "MemoryPackAllowSerializeAttribute.", "MemoryPackOrderAttribute.",
            "MemoryPackOrderAttribute.order", "SuppressDefaultInitializationAttribute.", "GenerateTypeScriptAttribute.", "Internal.PreserveAttribute.",
            "Utf8StringFormatterAttribute.", "Utf16StringFormatterAttribute.", "InternStringFormatterAttribute.", "BitPackFormatterAttribute.",
            "BrotliFormatterAttribute.", "BrotliFormatterAttribute.compressionLevel", "BrotliFormatterAttribute.window",
            "BrotliFormatterAttribute.decompressionSizeLimit", "BrotliStringFormatterAttribute.", "BrotliStringFormatterAttribute.compressionLevel",
            "BrotliStringFormatterAttribute.window", "BrotliStringFormatterAttribute.decompressionSizeLimit", "BrotliFormatterAttribute`1.",
            "BrotliFormatterAttribute`1.compressionLevel", "BrotliFormatterAttribute`1.window");
        Check<Pooled, PlainMemory>(
            new() { First = new byte[] { 1, 2 }, Second = new byte[] { 3 } },
            new() { First = new byte[] { 1, 2 }, Second = new byte[] { 3 } },
            static v => Convert.ToHexString(v.First.Span) + "," + Convert.ToHexString(v.Second.Span),
            "MemoryPoolFormatterAttribute`1.", "ReadOnlyMemoryPoolFormatterAttribute`1.");
    }

    [Fact]
    public void AUnionOfMemoryPack_IsNoContract()
    {
        Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<IMemoryShape>());
        Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<Shapes>());
        Shown.AddRange(["MemoryPackUnionAttribute.", "MemoryPackUnionAttribute.tag", "MemoryPackUnionAttribute.type"]);

        // [MemoryPackUnionFormatter] is on a formatter: the compiler of MemoryPack generates that class.
        Shown.AddRange(["MemoryPackUnionFormatterAttribute.", "MemoryPackUnionFormatterAttribute.type"]);
    }

    [Fact]
    public void AConstructorThatIsCalled_IsObeyed()
    {
        var value = new Made(4);
        Assert.Equal(4, new BinaryBodyFormatter<Made>().Read(new BinaryBodyFormatter<Made>().Write(value)).Id);
        Assert.Equal(4, MemoryPackSerializer.Deserialize<Made>(MemoryPackSerializer.Serialize(value))!.Id);
    }

    [Fact]
    public void LeavingOut_TakesBothAttributes()
    {
        var value = new Partly { Id = 4, Skipped = 5 };
        Assert.Equal(new byte[] { 4, 0, 0, 0 }, BinaryBodyFormatter.Create<Partly>().Write(value));
        Assert.Equal(0, MemoryPackSerializer.Deserialize<Partly>(MemoryPackSerializer.Serialize(value))!.Skipped);
    }

    [Fact]
    public void TheBaseLibrary_ChangesNoByte()
    {
        var with = new OfData { Id = 4, Count = 0, Mode = Mode.Second };
        byte[] plain = BinaryBodyFormatter.Create<OfDataPlain>().Write(new() { Id = 4, Count = 0, Mode = PlainMode.Second });
        Assert.Equal(plain, BinaryBodyFormatter.Create<OfData>().Write(with));
        Assert.Equal(plain, new BinaryBodyFormatter<OfData>(new BinaryBodyOptions { UseGeneratedContract = false }).Write(with));
        Assert.Equal(CborFormatter.Create<OfDataPlain>().Write(new() { Id = 4, Count = 0, Mode = PlainMode.Second }), CborFormatter.Create<OfData>().Write(with));
        Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<OwnList>());
        var required = new RequiredMember { Id = 5 };
        Assert.Equal(5, new VersionedFormatter<RequiredMember>().Read(new VersionedFormatter<RequiredMember>().Write(required)).Id);
        Assert.Equal(new byte[] { 5, 0, 0, 0 }, new BinaryBodyFormatter<RequiredMember>().Write(required));

        // Members of these two tests cover all harmless rows.
        string[] ofSystem = ["SerializableAttribute", "OptionalFieldAttribute", "DataContractAttribute", "DataMemberAttribute", "KnownTypeAttribute",
            "EnumMemberAttribute", "CollectionDataContractAttribute", "ContractNamespaceAttribute"];
        Assert.Empty(ForeignAttributes.All.Where(r => r.Status == ForeignStatus.Harmless && r.Attribute.StartsWith("System.", StringComparison.Ordinal))
            .Select(r => r.Attribute[(r.Attribute.LastIndexOf('.') + 1)..]).Except(ofSystem));
    }

    [Fact]
    public void EveryHarmlessRowOfMemoryPack_IsShown()
    {
        WhatIsHarmless_ChangesNeitherBytesNorValues();
        AUnionOfMemoryPack_IsNoContract();
        Assert.Empty(ForeignAttributes.All.Where(r => r.Status == ForeignStatus.Harmless && r.Attribute.StartsWith("MemoryPack.", StringComparison.Ordinal))
            .Select(r => r.Attribute["MemoryPack.".Length..] + "." + r.Argument).Except(Shown));
    }

    private static void Check<T, TPlain>(T with, TPlain without, Func<T, string> show, params string[] rows)
    {
        byte[] body = BinaryBodyFormatter.Create<T>().Write(with);
        Assert.Equal(BinaryBodyFormatter.Create<TPlain>().Write(without), body);
        Assert.Equal(body, new BinaryBodyFormatter<T>(new BinaryBodyOptions { UseGeneratedContract = false }).Write(with));
        Assert.Equal(show(with), show(BinaryBodyFormatter.Create<T>().Read(body)));
        Assert.Equal(show(with), show(MemoryPackSerializer.Deserialize<T>(MemoryPackSerializer.Serialize(with))!));
        lock (Shown)
            Shown.AddRange(rows);
    }

    [MemoryPackable(SerializeLayout.Explicit), MessageContract(Formats = ContractFormats.Binary), MemoryPack.Internal.Preserve, GenerateTypeScript]
    public partial class Decorated
    {
        [MemoryPackOrder(0), MemoryPackAllowSerialize] public int Id { get; set; }
        [MemoryPackOrder(1), Utf8StringFormatter] public string Name { get; set; } = "";
        [MemoryPackOrder(2), Utf16StringFormatter] public string Title { get; set; } = "";
        [MemoryPackOrder(3), InternStringFormatter, SuppressDefaultInitialization] public string Other { get; set; } = "";
        [MemoryPackOrder(4), BitPackFormatter] public bool[] IsOn { get; set; } = [];
        [MemoryPackOrder(5), BrotliFormatter(System.IO.Compression.CompressionLevel.Fastest, 22, 1000)] public byte[] Bytes { get; set; } = [];
        [MemoryPackOrder(6), BrotliStringFormatter(System.IO.Compression.CompressionLevel.Fastest, 22, 1000)] public string Text { get; set; } = "";
        [MemoryPackOrder(7), BrotliFormatter<int[]>(System.IO.Compression.CompressionLevel.Fastest, 22)] public int[] Numbers { get; set; } = [];
    }

    [MessageContract(Formats = ContractFormats.Binary)]
    public partial class Plain
    {
        public int Id { get; set; }
        public string Name { get; set; } = "";
        public string Title { get; set; } = "";
        public string Other { get; set; } = "";
        public bool[] IsOn { get; set; } = [];
        public byte[] Bytes { get; set; } = [];
        public string Text { get; set; } = "";
        public int[] Numbers { get; set; } = [];
    }

    [MemoryPackable, MessageContract(Formats = ContractFormats.Binary)]
    public partial class Pooled
    {
        [MemoryPoolFormatter<byte>] public Memory<byte> First { get; set; }
        [ReadOnlyMemoryPoolFormatter<byte>] public ReadOnlyMemory<byte> Second { get; set; }
    }

    [MessageContract(Formats = ContractFormats.Binary)]
    public partial class PlainMemory
    {
        public Memory<byte> First { get; set; }
        public ReadOnlyMemory<byte> Second { get; set; }
    }

    [MemoryPackable]
    public partial class Shapes { public IMemoryShape? First { get; set; } }

    [MemoryPackable]
    public partial class Made
    {
        [MemoryPackConstructor]
        public Made(int id) => Id = id;

        public int Id { get; }
    }

    [MemoryPackable, MessageContract(Formats = ContractFormats.Binary)]
    public partial class Partly
    {
        public int Id { get; set; }
        [MemoryPackIgnore, IgnoreDataMember] public int Skipped { get; set; }
    }

    public enum Mode
    {
        [EnumMember] First,
        [EnumMember(Value = "2")] Second,
    }

    public enum PlainMode { First, Second }

    [Serializable, DataContract(Name = "n", Namespace = "urn:n"), KnownType(typeof(Plain)), KnownType("More")]
    [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Cbor)]
    public partial class OfData
    {
        [DataMember(Order = 1, EmitDefaultValue = false), OptionalField(VersionAdded = 2)] public int Id;
        [DataMember(Order = 2, EmitDefaultValue = false)] public int Count { get; set; }
        [DataMember(Order = 3)] public Mode Mode { get; set; }

        public static Type[] More() => [];
    }

    [DataContract, MessageContract(Formats = ContractFormats.Binary | ContractFormats.Cbor)]
    public partial class OfDataPlain
    {
        [DataMember(Order = 1)] public int Id;
        [DataMember(Order = 2)] public int Count { get; set; }
        [DataMember(Order = 3)] public PlainMode Mode { get; set; }
    }

    [CollectionDataContract(Name = "n", Namespace = "urn:n", ItemName = "i", KeyName = "k", ValueName = "v", IsReference = false)]
    public class OwnList : List<int>;

    [DataContract]
    public partial class RequiredMember
    {
        [DataMember(Order = 1, IsRequired = true)] public required int Id { get; set; }
    }
}

[MemoryPackable, MemoryPackUnion(0, typeof(MemoryCircle))]
public partial interface IMemoryShape;

[MemoryPackable]
public partial class MemoryCircle : IMemoryShape { public int R { get; set; } }
