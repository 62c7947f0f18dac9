#if NET
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>What an error shows of its cause: what code of the application threw, whatever the name of its assembly; not what a library threw.</summary>
public class OwnCauseTests
{
    private const string Source = """
        using System.Text.Json;
        using System.Text.Json.Serialization;
        namespace NAMESPACE;
        public class Order
        {
            [JsonConverter(typeof(Refusing))] public int Id { get; set; }
            public int Other { get; set; }
        }
        public class Refusing : JsonConverter<int>
        {
            public override int Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) => throw new JsonException("own");
            public override void Write(Utf8JsonWriter writer, int value, JsonSerializerOptions options) { }
        }
        """;

    [Theory]
    [InlineData("SystemX.Orders")]
    [InlineData("System.Orders")]
    [InlineData("Microsoft.Orders")]
    [InlineData("System.Text.Json.Orders")]
    [InlineData("mscorlibs")]
    [InlineData("Shop")]
    public void TheCauseOfAnApplication_IsShown(string assemblyName)
    {
        var image = new MemoryStream();
        Assert.True(Compilations.Create(Source.Replace("NAMESPACE", assemblyName, StringComparison.Ordinal)).WithAssemblyName(assemblyName).Emit(image).Success);
        Type type = Assembly.Load(image.ToArray()).GetTypes().Single(t => t.Name == "Order");
        MethodInfo read = typeof(OwnCauseTests).GetMethod(nameof(ErrorOf), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type);
        Assert.Equal("own", ((MessageFormatException)read.Invoke(null, ["{\"Id\":1}"])!).InnerException?.Message.Split('.')[0]);
        Assert.Null(((MessageFormatException)read.Invoke(null, ["{\"Other\":\"secret\"}"])!).InnerException);
    }

    private static MessageFormatException ErrorOf<T>(string body) =>
        Assert.Throws<MessageFormatException>(() => new JsonFormatter<T>().Read(Encoding.UTF8.GetBytes(body)));
}
#endif
