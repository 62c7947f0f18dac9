using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Methods that are called before and behind the members.</summary>
public class CallbackTests
{
    [Fact]
    public void Callbacks_RunInTheirOrder()
    {
        foreach (MessageFormatter<Called> formatter in Formatters(Called.MessageContract))
        {
            var value = new Called { Id = 2, Text = "t", Struct = new CalledStruct { Twice = 7 } };
            byte[] body = formatter.Write(value);
            Assert.Equal(["base serializing", "serializing 2", "base serialized", "serialized"], value.Calls);
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
        foreach (MessageFormatter<CalledRecord> formatter in Formatters(CalledRecord.MessageContract))
        {
            CalledRecord read = formatter.Read([1, 0, 0, 0, 2, 0, 0, 0]);
            Assert.Equal("deserializing 1 0, deserialized 1 2", read.Log());
        }
    }

    [Fact]
    public void Callback_ThatRefuses_IsABadValue()
    {
        foreach (MessageFormatter<HasRefusing> formatter in Formatters(HasRefusing.MessageContract))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read([1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]));
            Assert.Equal((MessageFormatErrorCode.BadValue, 8L, "HasRefusing.List[0]"), (e.Code, e.ByteOffset, e.MemberPath));
            Assert.IsType<ArgumentException>(e.InnerException);
            Assert.True(e.IsPoison);
        }
    }

    [Fact]
    public void Reflection_RefusesACallbackThatCannotBeCalled()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new ReflectionFormatter<BadCallback>());
        Assert.StartsWith("BadCallback.Done is a callback, but", e.Message, StringComparison.Ordinal);
    }

    private static MessageFormatter<T>[] Formatters<T>(MessageContract<T> contract) =>
    [
        new ContractFormatter<T>(contract),
        new ReflectionFormatter<T>(),
        new ReflectionFormatter<T>(options: ReflectionOptions.Default with { UseCompiledCode = false }),
    ];

    private sealed class BadCallback
    {
        public int Id { get; set; }

        [OnDeserialized]
        public int Done() => Id;
    }
}

[MessageContract]
public partial class CalledBase
{
    private readonly List<string> _calls = [];

    public int Id { get; set; }

    [IgnoreDataMember]
    public List<string> Calls => _calls;

    [OnSerializing]
    private void BaseSerializing() => _calls.Add("base serializing");

    [OnSerialized]
    private void BaseSerialized(StreamingContext context) => _calls.Add("base serialized");

    [OnDeserializing]
    private void BaseDeserializing(StreamingContext context) => _calls.Add("base deserializing");

    [OnDeserialized]
    private void BaseDeserialized() => _calls.Add($"base deserialized {Id}");
}

[MessageContract]
public partial class Called : CalledBase
{
    public string Text { get; set; } = "";

    public CalledStruct Struct { get; set; }

    [OnSerializing]
    internal void Serializing(StreamingContext context) => Calls.Add($"serializing {Id}");

    [OnSerialized]
    internal void Serialized() => Calls.Add("serialized");

    [OnDeserializing]
    private void Deserializing() => Calls.Add("deserializing");

    [OnDeserialized]
    private void Deserialized(StreamingContext context) => Calls.Add($"deserialized {Text}");
}

/// <summary>Is written as the double of what it holds.</summary>
[MessageContract]
public partial struct CalledStruct
{
    public int Twice { get; set; }

    [OnSerializing]
    public void Double() => Twice = unchecked(Twice * 2);

    [OnDeserialized]
    public void Halve(StreamingContext context) => Twice /= 2;
}

[MessageContract]
public partial record CalledRecord(int Id)
{
    private string _log = "";

    public int Set { get; set; }

    public string Log() => _log;

    [OnDeserializing]
    private void Deserializing() => _log = FormattableString.Invariant($"deserializing {Id} {Set}");

    [OnDeserialized]
    private void Deserialized() => _log += FormattableString.Invariant($", deserialized {Id} {Set}");
}

[MessageContract]
public partial class Refusing
{
    public int Number { get; set; }

    [OnDeserialized]
    public void Check()
    {
        if (Number < 0)
            throw new ArgumentException("Negative.");
    }
}

[MessageContract]
public partial class HasRefusing
{
    public List<Refusing> List { get; set; } = [];
    public int Last { get; set; }
}
