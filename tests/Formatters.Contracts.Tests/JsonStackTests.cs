#if !FORMATTERS_NETSTANDARD
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Text.Json;
using System.Text.Json.Serialization;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>What System.Text.Json writes and would not read back.</summary>
public class JsonStackTests
{
    [Fact]
    public void Stacks_KeepTheirOrder()
    {
        var formatter = new JsonFormatter<Stacks>();
        var value = new Stacks
        {
            Plain = new([1, 2, 3]),
            Concurrent = new(["a", "b"]),
            Immutable = ImmutableStack.Create(1.5, 2.5),
            Nested = new([new Stack<string?>(["x", null]), new Stack<string?>()]),
            Objects = new([new Line { Number = 1 }, new Line { Number = 2 }]),
        };
        byte[] body = formatter.Write(value);
        Stacks read = formatter.Read(body);
        Assert.Equal(value.Plain, read.Plain);
        Assert.Equal(value.Concurrent, read.Concurrent);
        Assert.Equal(value.Immutable, read.Immutable);
        Assert.Equal(value.Nested, read.Nested);
        Assert.Equal(2, read.Objects.Peek().Number);
        Assert.Equal(body, formatter.Write(read));
        Assert.Equal([3, 2, 1], JsonSerializer.Deserialize<int[]>(new JsonFormatter<Stack<int>>().Write(value.Plain))!);
        Assert.Equal(value.Plain, new JsonFormatter<Stack<int>>().Read(new JsonFormatter<Stack<int>>().Write(value.Plain)));
    }

    [Theory]
    [InlineData("{\"Plain\":[1,\"x\"]}")]
    [InlineData("{\"Plain\":[null]}")]
    [InlineData("{\"Plain\":1}")]
    [InlineData("{\"Plain\":{}}")]
    public void ABadStack_IsABadValue(string body)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new JsonFormatter<Stacks>().Read(System.Text.Encoding.UTF8.GetBytes(body)));
        Assert.Equal(MessageFormatErrorCode.BadValue, error.Code);
        Assert.True(error.IsPoison);
        Assert.StartsWith("Stacks.Plain", error.MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void AStack_UnderOptionsOfOnesOwn_IsRefused()
    {
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<Stacks>(new JsonOptions { SerializerOptions = new JsonSerializerOptions() }));
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<List<ImmutableStack<int>>>(new JsonOptions { SerializerOptions = new JsonSerializerOptions() }));
        new JsonFormatter<WithConverter>(new JsonOptions { SerializerOptions = new JsonSerializerOptions() }).Write(new WithConverter());
    }

    [Fact]
    public void ATypeWithTwoConstructors_IsRefused_WhenTheFormatterIsCreated()
    {
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<TwoConstructors>());
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<List<TwoConstructors>>(new JsonOptions { SerializerOptions = new JsonSerializerOptions() }));
        var formatter = new JsonFormatter<ChosenConstructor>();
        Assert.Equal(3, formatter.Read(formatter.Write(new ChosenConstructor(3, 4))).A);
    }

    [Fact]
    public void AnAbstractMember_IsRefused_OrIsNotTheFaultOfTheBody()
    {
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<WithAbstract>());
        var allowed = new JsonFormatter<WithAbstract>(new JsonOptions { AllowedLosses = [typeof(Abstract)] });
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => allowed.Read("{\"Value\":{}}"u8));
        Assert.False(error.IsPoison);
    }

    public sealed class Stacks
    {
        public Stack<int> Plain { get; set; } = new();
        public ConcurrentStack<string> Concurrent { get; set; } = new();
        public ImmutableStack<double> Immutable { get; set; } = [];
        public Stack<Stack<string?>> Nested { get; set; } = new();
        public Stack<Line> Objects { get; set; } = new();
    }

    public sealed class Line
    {
        public int Number { get; set; }
    }

    public sealed class WithConverter
    {
        [JsonConverter(typeof(NullConverter))] public Stack<int>? Plain { get; set; }
    }

    public sealed class NullConverter : JsonConverter<Stack<int>>
    {
        public override Stack<int>? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => null;

        public override void Write(Utf8JsonWriter writer, Stack<int> value, JsonSerializerOptions options) => writer.WriteNullValue();
    }

    public sealed class TwoConstructors
    {
        public TwoConstructors(int a) => A = a;

        public TwoConstructors(int a, int b) => A = a + b;

        public int A { get; }
    }

    public sealed class ChosenConstructor
    {
        [JsonConstructor]
        public ChosenConstructor(int a) => A = a;

        public ChosenConstructor(int a, int b) => A = a + b - b;

        public int A { get; }
    }

    public abstract class Abstract;

    public sealed class WithAbstract
    {
        public Abstract? Value { get; set; }
    }
}
#endif
