using System;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Documentation.Tests;

/// <summary>Libraries that are not among the packages of this repository, as far as its pages and adapters use them, and the adapters themselves, which are built elsewhere.</summary>
internal static class OtherLibraries
{
    private const string MessagePackCSharp = """
        using System;
        using System.Buffers;
        namespace MessagePack
        {
            public class MessagePackObjectAttribute : Attribute;
            public class KeyAttribute(int key) : Attribute { public int Key => key; }
            public class IgnoreMemberAttribute : Attribute;
            public interface IFormatterResolver { Formatters.IMessagePackFormatter<T>? GetFormatter<T>(); }
            public enum MessagePackCompression { None, Lz4BlockArray }
            public class MessagePackSerializationException : Exception;
            public class MessagePackSecurity
            {
                public static readonly MessagePackSecurity TrustedData = new(), UntrustedData = new();
                public int MaximumObjectGraphDepth => 0;
                public int MaximumDecompressedSize => 0;
                public MessagePackSecurity WithMaximumObjectGraphDepth(int depth) => this;
                public MessagePackSecurity WithMaximumDecompressedSize(int size) => this;
            }

            public class MessagePackSerializerOptions
            {
                protected MessagePackSerializerOptions(MessagePackSerializerOptions copyFrom) { }
                public static MessagePackSerializerOptions Standard => null!;
                public MessagePackSecurity Security => null!;
                public IFormatterResolver Resolver => null!;
                public MessagePackSerializerOptions WithSecurity(MessagePackSecurity security) => this;
                public MessagePackSerializerOptions WithResolver(IFormatterResolver resolver) => this;
                public MessagePackSerializerOptions WithCompression(MessagePackCompression compression) => this;
                public virtual Type? LoadType(string typeName) => null;
                protected virtual MessagePackSerializerOptions Clone() => this;
            }

            public ref struct MessagePackReader(in ReadOnlySequence<byte> body) { public long Consumed => 0; public bool End => true; }
            public static class MessagePackSerializer
            {
                public static void Serialize<T>(IBufferWriter<byte> writer, T value, MessagePackSerializerOptions? options = null) { }
                public static T Deserialize<T>(ref MessagePackReader reader, MessagePackSerializerOptions? options = null) => default!;
            }
        }

        namespace MessagePack.Formatters { public interface IMessagePackFormatter<T>; }
        namespace MessagePack.Resolvers
        {
            public sealed class ContractlessStandardResolver : IFormatterResolver
            {
                public static readonly ContractlessStandardResolver Instance = new();
                public Formatters.IMessagePackFormatter<T>? GetFormatter<T>() => null;
            }
        }
        """;

    private const string ProtobufNet = """
        using System;
        using System.Buffers;
        using System.IO;
        namespace ProtoBuf
        {
            public class ProtoContractAttribute : Attribute;
            public enum DataFormat { Default, ZigZag, TwosComplement, FixedSize, Group }
            public class ProtoMemberAttribute(int tag) : Attribute { public int Tag => tag; public DataFormat DataFormat { get; set; } }
            public class ProtoException : Exception;
        }

        namespace ProtoBuf.Meta
        {
            public abstract class TypeModel
            {
                public int MaxDepth { get; set; }
                public bool CanSerialize(Type type) => true;
                public long Serialize<T>(Stream destination, T value) => 0;
                public T Deserialize<T>(Stream source) => default!;
                public T Deserialize<T>(ReadOnlySequence<byte> source) => default!;
                public T Deserialize<T>(ReadOnlySpan<byte> source, T? value = default) => default!;
            }

            public sealed class RuntimeTypeModel : TypeModel
            {
                public static RuntimeTypeModel Default => null!;
                public static RuntimeTypeModel Create(string name) => null!;
            }
        }
        """;

    private const string MemoryPack = """
        using System;
        namespace MemoryPack
        {
            public class MemoryPackableAttribute : Attribute;
            public class MemoryPackOrderAttribute(int order) : Attribute { public int Order => order; }
            public class MemoryPackIgnoreAttribute : Attribute;
        }
        """;

    /// <summary>What pages are compiled against: the libraries, and the adapters' source over them.</summary>
    /// <param name="others">What that is compiled against itself.</param>
    internal static MetadataReference Compile(MetadataReference[] others)
    {
        string[] adapters = [.. new[] { "Shared", "Formatters.MessagePack", "Formatters.ProtobufNet" }
            .SelectMany(static folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, "src", "adapters", folder), "*.cs"))
            .Select(File.ReadAllText)];
        string[] sources = [MessagePackCSharp, ProtobufNet, MemoryPack, "global using System;", .. adapters];
        CSharpCompilation compilation = CSharpCompilation.Create(
            "OtherLibraries",
            sources.Select(static source => CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Latest))),
            others,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)));
        return MetadataReference.CreateFromImage(image.ToArray());
    }
}
