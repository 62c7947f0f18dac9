using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.Serialization;
using MessagePack;
using Xunit;

namespace Formatters.Adapters.Tests;

/// <summary>The attributes of MessagePack-CSharp that are obeyed, and those that are harmless, against MessagePack-CSharp itself.</summary>
public partial class MessagePackAttributeTests
{
    [Fact]
    public void WhatIsObeyed_HasTheSameBytes()
    {
        Same(new Keyed { Id = 5, Name = "x", Skipped = 9, SkippedToo = 8 });
        Same(new Keyed());
        Same(new Named { Id = 5, Name = "x" });
        Same(new ByName { B = 1, A = "x", F = 2, Skipped = 9 });
        Same(new Derived { Id = 1, Name = "x", Extra = 7 });
        Same(new Overriding { Id = 3, Other = 4 });
        Same(new Positional(1, "x"));
        Same(new Marked(4));
        Same(new Shapes { First = new Circle { R = 2 }, Second = new Square { A = 3 } });
        Same(new WithPrivate(5, 6), allowsPrivate: true);
        Same(new OfData { Id = 4, Name = "q", Skipped = 1 });
        Same(new OfNames { Id = 4, Name = "q" });
        Same(new Defaults { Id = 5 });
        Same(new WithMode { Mode = Mode.Second });
    }

    [Fact]
    public void WhatIsHarmless_ChangesNoByte()
    {
        Assert.Equal(MessagePackSerializer.Serialize(new OfNumbersPlain { Id = 3, No = 0 }), MessagePackSerializer.Serialize(new OfNumbers { Id = 3, No = 0 }));
        Same(new OfNumbers { Id = 3, No = 0 });
#if MESSAGEPACK_3
        Assert.Equal(MessagePackSerializer.Serialize(new Plain { Id = 3 }), MessagePackSerializer.Serialize(new Suppressed { Id = 3 }));
        Same(new Suppressed { Id = 3 });
#endif
    }

    [Fact]
    public void Callbacks_AreCalledByBoth()
    {
        Same(new Calling { Id = 5 });
        Calling ours = new MessagePackFormatter<Calling>().Read(MessagePackSerializer.Serialize(new Calling { Id = 5 }));
        Calling theirs = MessagePackSerializer.Deserialize<Calling>(MessagePackSerializer.Serialize(new Calling { Id = 5 }));
        Assert.Equal(theirs.Twice, ours.Twice);
    }

    /// <summary>Compares the bytes of both libraries, generated and by reflection, and the values that each reads from the other.</summary>
    private static void Same<T>(T value, bool allowsPrivate = false)
    {
        MessagePackSerializerOptions options = allowsPrivate
            ? global::MessagePack.Resolvers.StandardResolverAllowPrivate.Options : MessagePackSerializerOptions.Standard;
        byte[] theirs = MessagePackSerializer.Serialize(value, options);
        MessagePackFormatter<T>[] all = [new MessagePackFormatter<T>(new MessagePackOptions { UseGeneratedContract = false }), MessagePackFormatter.Create<T>()];
        foreach (MessagePackFormatter<T> ours in all)
        {
            Assert.Equal(Convert.ToHexString(theirs), Convert.ToHexString(ours.Write(value)));
            Assert.Equal(theirs, MessagePackSerializer.Serialize(ours.Read(theirs), options));
            Assert.Equal(theirs, ours.Write(MessagePackSerializer.Deserialize<T>(theirs, options)));
        }
    }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Keyed
    {
        [Key(0)] public int Id { get; set; }
        [Key(3)] public string? Name { get; set; }
        [IgnoreMember] public int Skipped { get; set; }
        [IgnoreDataMember] public int SkippedToo { get; set; }
    }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Named
    {
        [Key("n")] public string? Name { get; set; }
        [Key("i")] public int Id { get; set; }
    }

    [MessagePackObject(keyAsPropertyName: true), MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class ByName
    {
        public int F;
        public int B { get; set; }
        public string? A { get; set; }
        [IgnoreMember] public int Skipped { get; set; }
    }

    [MessagePackObject]
    public partial class Base
    {
        [Key(0)] public int Id { get; set; }
        [Key(2)] public string? Name { get; set; }
    }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Derived : Base { [Key(1)] public int Extra { get; set; } }

    [MessagePackObject]
    public partial class Overridden { [Key(1)] public virtual int Id { get; set; } }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Overriding : Overridden
    {
        [Key(0)] public int Other { get; set; }
        public override int Id { get; set; }
    }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial record Positional([property: Key(0)] int Id, [property: Key(1)] string Name);

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Marked
    {
        [SerializationConstructor]
        public Marked(int id) => Id = id;

        [Key(0)] public int Id { get; }
    }

    [Union(0, typeof(Circle)), Union(1, typeof(Square))]
    public interface IShape;

    [MessagePackObject]
    public partial class Circle : IShape { [Key(0)] public int R { get; set; } }

    [MessagePackObject]
    public partial class Square : IShape { [Key(0)] public int A { get; set; } }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Shapes
    {
        [Key(0)] public IShape? First { get; set; }
        [Key(1)] public IShape? Second { get; set; }
    }

#if MESSAGEPACK_3
    [MessagePackObject(AllowPrivate = true), MessageContract(Formats = ContractFormats.MessagePack)]
#else
    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
#endif
    public partial class WithPrivate
    {
        [Key(0), MessageMember(1)] private int _id;

        public WithPrivate() { }

        public WithPrivate(int id, int no) => (_id, No) = (id, no);

        [Key(1), MessageMember(2)] public int No { get; private set; }

        public int Id() => _id;
    }

    [DataContract, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class OfData
    {
        [DataMember(Order = 0)] public int Id { get; set; }
        [DataMember(Order = 1)] public string? Name { get; set; }
        public int Skipped { get; set; }
    }

    [DataContract, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class OfNames
    {
        [DataMember(Name = "number")] public int Id { get; set; }
        [DataMember] public string? Name { get; set; }
    }

    [DataContract(Name = "a", Namespace = "urn:b"), KnownType(typeof(Keyed)), Serializable, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class OfNumbers
    {
        [DataMember(Order = 0, EmitDefaultValue = false)] public int Id { get; set; }
        [DataMember(Order = 1, EmitDefaultValue = false)] public int No { get; set; }
    }

    [DataContract]
    public partial class OfNumbersPlain
    {
        [DataMember(Order = 0)] public int Id { get; set; }
        [DataMember(Order = 1)] public int No { get; set; }
    }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Defaults { [Key(0), DefaultValue(5)] public int Id { get; set; } }

    public enum Mode
    {
        [EnumMember(Value = "one")] First,
        [EnumMember(Value = "two")] Second,
    }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class WithMode { [Key(0)] public Mode Mode { get; set; } }

    [MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Calling : IMessagePackSerializationCallbackReceiver
    {
        [Key(0)] public int Id { get; set; }

        [IgnoreMember] public int Twice { get; set; }

        [OnSerializing] public void OnBeforeSerialize() => Id = 7;

        [OnDeserialized] public void OnAfterDeserialize() => Twice = 2 * Id;
    }

#if MESSAGEPACK_3
    [MessagePackObject]
    public partial class Plain { [Key(0)] public int Id { get; set; } }

    [MessagePackObject(SuppressSourceGeneration = true), ExcludeFormatterFromSourceGeneratedResolver, MessageContract(Formats = ContractFormats.MessagePack)]
    public partial class Suppressed { [Key(0)] public int Id { get; set; } }
#endif
}
