using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Runtime.Serialization.Formatters.Binary;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.LegacyBinary;
using Formatters.Queues;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Tools.Tests.Types;

/// <summary>The command <c>types</c>: what it writes compiles, and reads the bodies from which it was made.</summary>
public sealed class TypesTests : IDisposable
{
    private static readonly JsonSerializerOptions JsonOptions = new() { IncludeFields = true, WriteIndented = true };
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-types-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_types_compile_and_read_the_bodies()
    {
        OldOrder[] orders =
        [
            new() { Discount = 5, Remark = "yes", Second = new OldAddress() },
            new() { Anything = "text", State = OldState.Closed },
        ];
        byte[][] bodies = [.. orders.Select(Write)];
        for (int i = 0; i < bodies.Length; i++)
            await File.WriteAllBytesAsync(Path.Combine(_folder, $"{i}.bin"), bodies[i]);

        ToolResult result = await new Tool().RunAsync("types", _folder);
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assembly assembly = Compile(result.Output);

        Type type = assembly.GetType(typeof(OldOrder).FullName!, throwOnError: true)!;
        Assert.Equal(
            ["Anything: System.Object", "Remark: System.String?", "Discount: System.Nullable`1[System.Int32]", "Never: System.Object?", "Second: OldAddress?", "Address: OldAddress"],
            new[] { "Anything", "Remark", "Discount", "Never", "Second", "Address" }.Select(name => Describe(type.GetProperty(name)!)));
        for (int i = 0; i < bodies.Length; i++)
        {
            object read = Read(type, bodies[i]);
            foreach (PropertyInfo property in typeof(OldOrder).GetProperties())
            {
                if (property.Name is "Grid" or "Mixed")
                    continue;
                object? expected = property.GetValue(orders[i]), actual = type.GetProperty(property.Name)!.GetValue(read);
                Assert.Equal((property.Name, Json(expected)), (property.Name, Json(actual)));
            }

            Assert.Equal((12.50m, 5), (type.GetField("Total")!.GetValue(read), type.GetProperty("Class")!.GetValue(read)));
            Assert.Equal(orders[i].Grid, type.GetProperty("Grid")!.GetValue(read));
            Assert.Equal(3, ((System.Collections.ArrayList)type.GetProperty("Mixed")!.GetValue(read)!).Count);
        }
    }

    [Fact]
    public async Task Messages_of_a_queue_stay_there()
    {
        var tool = new Tool();
        await using (QueueClient queue = await tool.Connector.OpenAsync("memory:a"))
        {
            await queue.SendAsync(new QueueMessage(new MessageBody(Write(new OldAddress()), 768)));
            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1, 2, 3 })));
        }

        string file = Path.Combine(_folder, "Types.cs");
        ToolResult result = await tool.RunAsync("types", "memory:a", "--output", file);
        Assert.Equal((0, "", 2), (result.ExitCode, result.Output, await tool.CountAsync("memory:a")));
        Assert.Contains("1 not read", Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Assert.NotNull(Compile(await File.ReadAllTextAsync(file)).GetType(typeof(OldAddress).FullName!));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(30)]
    [InlineData(60)]
    public async Task A_body_that_is_cut_off_is_reported(int length)
    {
        await File.WriteAllBytesAsync(Path.Combine(_folder, "cut.bin"), Write(new OldAddress())[..length]);
        ToolResult result = await new Tool().RunAsync("types", _folder);
        Assert.Equal((1, ""), (result.ExitCode, result.Output));
        Assert.Contains("cut.bin", result.ErrorLines[0], StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_source_that_is_not_there_is_named()
    {
        ToolResult result = await new Tool().RunAsync("types", Path.Combine(_folder, "nothing"));
        Assert.Equal(2, result.ExitCode);
        result = await new Tool().RunAsync("types", "memory:nothing");
        Assert.Equal((1, "formatters: There is no queue 'memory:nothing'."), (result.ExitCode, Assert.Single(result.ErrorLines)));
    }

    /// <summary>A body with nothing but types of the base library: that is said, in place of half a statement.</summary>
    [Fact]
    public async Task Bodies_without_types_of_an_application_say_so()
    {
        await File.WriteAllBytesAsync(Path.Combine(_folder, "0.bin"), Write(new System.Collections.ArrayList { 1, "two" }));

        ToolResult result = await new Tool().RunAsync("types", _folder);

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.StartsWith("// No types to write in 1 body of BinaryFormatter", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("LegacyBinaryOptions", result.Output, StringComparison.Ordinal);
    }

    private static byte[] Write(object value)
    {
        using var stream = new MemoryStream();
#pragma warning disable SYSLIB0011, CA2300, FMT301
        new BinaryFormatter().Serialize(stream, value);
#pragma warning restore SYSLIB0011, CA2300, FMT301
        return stream.ToArray();
    }

    private static object Read(Type type, byte[] body)
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithAssembly(type.Assembly, typeof(OldOrder).Assembly.FullName!);
        options = options.WithType(type.Assembly.GetType(typeof(OldItem).FullName!)!);
        var formatter = (IMessageFormatter)Activator.CreateInstance(typeof(LegacyBinaryFormatter<>).MakeGenericType(type), options)!;
        return formatter.Read(new MessageBody(body))!;
    }

    private static Assembly Compile(string source)
    {
        IEnumerable<MetadataReference> references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal)).Select(static path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("Generated" + Guid.NewGuid().ToString("N"), [CSharpSyntaxTree.ParseText(source)], references, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var image = new MemoryStream();
        Microsoft.CodeAnalysis.Emit.EmitResult result = compilation.Emit(image);
        Assert.True(result.Success && result.Diagnostics.All(static diagnostic => diagnostic.Severity < DiagnosticSeverity.Warning), string.Join('\n', result.Diagnostics) + "\n" + source);
        image.Position = 0;
        return new AssemblyLoadContext(null, isCollectible: false).LoadFromStream(image);
    }

    private static string Describe(PropertyInfo property)
    {
        string type = property.PropertyType.Namespace == typeof(OldOrder).Namespace ? property.PropertyType.Name : property.PropertyType.ToString();
        bool isNullable = new NullabilityInfoContext().Create(property).ReadState == NullabilityState.Nullable && !property.PropertyType.IsValueType;
        return $"{property.Name}: {type}{(isNullable ? "?" : "")}";
    }

    private static string Json(object? value) => JsonSerializer.Serialize(value, JsonOptions);
}
