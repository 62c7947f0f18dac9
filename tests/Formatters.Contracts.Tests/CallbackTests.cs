using System;
using System.Runtime.Serialization;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Methods that are called before and behind the members.</summary>
public class CallbackTests
{
    [Fact]
    public void Callbacks_RunInTheirOrder()
    {
        foreach ((string name, MessageFormatter<Called> formatter) in Formatters<Called>())
        {
            var value = new Called { Id = 2, Text = "t", Struct = new CalledStruct { Twice = 7 } };
            byte[] body = formatter.Write(value);
            Assert.Equal(["base serializing", "serializing 2", "base serialized", "serialized"], value.Calls);
            if (name.StartsWith("binary", StringComparison.Ordinal))
                Assert.Equal(new byte[] { 2, 0, 0, 0, 1, (byte)'t', 14, 0, 0, 0 }, body);
            Assert.Equal(7, value.Struct.Twice);
            Called read = formatter.Read(body);
            Assert.Equal(["base deserializing", "deserializing", "base deserialized 2", "deserialized t"], read.Calls);
            Assert.Equal(7, read.Struct.Twice);
            Called same = read;
            formatter.Read(body, ref read);
            Assert.Same(same, read);
            Assert.Equal(8, read.Calls.Count);
            Assert.Equal(7, read.Struct.Twice);
        }
    }

    [Fact]
    public void Callbacks_OfWhatAConstructorMakes_RunBehindIt()
    {
        foreach ((_, MessageFormatter<CalledRecord> formatter) in Formatters<CalledRecord>())
        {
            CalledRecord read = formatter.Read(formatter.Write(new CalledRecord(1) { Set = 2 }));
            Assert.Equal("deserializing 1 0, deserialized 1 2", read.Log());
        }
    }

    [Fact]
    public void WhatTheBodyLacks_IsWhatACallbackGivesANewObject()
    {
        var older = new CalledOlder { A = 5 };
        foreach ((string name, MessageFormatter<CalledNewer> formatter) in AllFormats.Of<CalledNewer>())
            Check(formatter, AllFormats.Of<CalledOlder>(name).Write(older));

        static void Check(MessageFormatter<CalledNewer> formatter, byte[] body)
        {
            var existing = new CalledNewer { A = 1, B = 2, List = [1, 2], C = 3 };
            CalledNewer over = existing;
            formatter.Read(body, ref over);
            Assert.Same(existing, over);
            foreach (CalledNewer read in new[] { formatter.Read(body), over })
            {
                Assert.Equal((5, 100, 200), (read.A, read.B, read.C));
                Assert.Equal([7], read.List);
            }
        }
    }

    [Fact]
    public void Callback_ThatRefuses_IsABadValue()
    {
        foreach ((string name, MessageFormatter<HasRefusing> formatter) in Formatters<HasRefusing>())
        {
            byte[] body = formatter.Write(new HasRefusing { List = [new Refusing { Number = -1 }] });
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((name, MessageFormatErrorCode.BadValue, "HasRefusing.List[0]"), (name, e.Code, e.MemberPath));
            // After the element, before the last member with its key. The other formats sort the keys, so that the list comes last.
            int lastByteCount = name.Split(',')[0] switch
            {
                "binary" or "versioned" or "protobuf" => 4,
                "MessagePack" => 1 + "Last".Length + 1,
                "RESP3" => "$4\r\nLast\r\n:0\r\n".Length,
                _ => 0,
            };
            Assert.Equal((name, (long)body.Length - lastByteCount), (name, e.ByteOffset));
            Assert.IsType<ArgumentException>(e.InnerException);
            Assert.True(e.IsPoison);
        }
    }

    [Fact]
    public void Reflection_RefusesACallbackThatCannotBeCalled()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<BadCallback>(ByReflection.Binary));
        Assert.StartsWith("BadCallback.Done is a callback, but", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Reflection_TakesACallbackThatImplementsAnInterface_UnlessExplicitly()
    {
        var value = new Implicit();
        new BinaryBodyFormatter<Implicit>(ByReflection.Binary).Write(value);
        Assert.Equal(1, value.Id);
        ArgumentException e = Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<Explicit>(ByReflection.Binary));
        Assert.Contains("IStart.Start is a callback, but", e.Message, StringComparison.Ordinal);
        Assert.Contains("implements an interface explicitly", e.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new VersionedFormatter<Explicit>(ByReflection.Versioned));
        Assert.Throws<ArgumentException>(() => new MessagePackFormatter<Explicit>());
        Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Explicit>());
    }

    private static (string Name, MessageFormatter<T> Formatter)[] Formatters<T>() =>
        [.. AllFormats.Of<T>(), ("binary, reflection, not compiled", new BinaryBodyFormatter<T>(ByReflection.Binary with { UseCompiledCode = false }))];

    private interface IStart
    {
        void Start();
    }

    private sealed class Implicit : IStart
    {
        public int Id { get; set; }

        [OnSerializing]
        public void Start() => Id++;
    }

    private sealed class Explicit : IStart
    {
        [MessageMember(1)]
        public int Id { get; set; }

        [OnSerializing]
        void IStart.Start() => Id++;
    }

    private sealed class BadCallback
    {
        public int Id { get; set; }

        [OnDeserialized]
        public int Done() => Id;
    }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class CalledOlder
{
    [MessageMember(1)] public int A { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public abstract partial class CalledNewerBase
{
    [MessageMember(1)] public int A { get; set; }

    [MessageMember(2)] public int B { get; set; } = 3;

    [MessageMember(3)] public System.Collections.Generic.List<int> List { get; set; } = [];

    [OnDeserializing]
    private void SetDefaults()
    {
        B = 100;
        List = [7];
    }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class CalledNewer : CalledNewerBase
{
    [MessageMember(4)] public int C { get; set; } = 4;

    [OnDeserializing]
    private void SetMoreDefaults() => C = 200;
}
