using System;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.PublicApi.Tests;

/// <summary>The listing tells apart what a caller, a deriving class or a compiler can tell apart, and nothing else.</summary>
public sealed class ApiListingTests
{
    [Theory]
    [InlineData("public int A() => 0;", "public long A() => 0;")]
    [InlineData("public string A() => \"\";", "public string? A() => null;")]
    [InlineData("public System.Collections.Generic.List<string> A = [];", "public System.Collections.Generic.List<string?> A = [];")]
    [InlineData("public void A(string a) { }", "public void A(string? a) { }")]
    [InlineData("public void A(string a) { }", "public void A(string b) { }")]
    [InlineData("public void A(int a) { }", "public void A(int a = 1) { }")]
    [InlineData("public void A(int a = 2) { }", "public void A(int a = 1) { }")]
    [InlineData("public void A(ref int a) { }", "public void A(in int a) { }")]
    [InlineData("public void A(ref int a) { }", "public void A(out int a) { a = 1; }")]
    [InlineData("public void A(in int a) { }", "public void A(ref readonly int a) { }")]
    [InlineData("public void A(int[] a) { }", "public void A(params int[] a) { }")]
    [InlineData("private int _a; public ref int A() => ref _a;", "private int _a; public ref readonly int A() => ref _a;")]
    [InlineData("private int _a; public ref int A => ref _a;", "private int _a; public int A => _a;")]
    [InlineData("public void A<T>() { }", "public void A<T>() where T : class { }")]
    [InlineData("public void A<T>() where T : struct { }", "public void A<T>() where T : unmanaged { }")]
    [InlineData("public void A<T>() where T : new() { }", "public void A<T>() where T : notnull { }")]
    [InlineData("public void A<T>() { }", "public void A<T>() where T : allows ref struct { }")]
    [InlineData("public int A { get; set; }", "public int A { get; init; }")]
    [InlineData("public int A { get; set; }", "public int A { get; private set; }")]
    [InlineData("public int A { get; set; }", "public int A { get; protected set; }")]
    [InlineData("public int A { get; set; }", "public required int A { get; set; }")]
    [InlineData("public int A;", "public readonly int A;")]
    [InlineData("public const int A = 1;", "public const int A = 2;")]
    [InlineData("public static int A() => 1;", "public int A() => 1;")]
    [InlineData("public virtual int A() => 1;", "public int A() => 1;")]
    [InlineData("public override int GetHashCode() => 1;", "public sealed override int GetHashCode() => 1;")]
    [InlineData("protected int A() => 1;", "public int A() => 1;")]
    [InlineData("protected int A() => 1;", "private protected int A() => 1;")]
    [InlineData("public event System.Action? A;", "public event System.Action<int>? A;")]
    [InlineData("public int this[int a] => a;", "public int this[long a] => 1;")]
    [InlineData("public void A() { }", "[System.Obsolete] public void A() { }")]
    [InlineData("public void A() { }", "[System.Diagnostics.CodeAnalysis.RequiresUnreferencedCode(\"a b\")] public void A() { }")]
    [InlineData("public bool A(out string? a) { a = null; return false; }", "public bool A([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out string? a) { a = null; return false; }")]
    [InlineData("public string? A() => null;", "[return: System.Diagnostics.CodeAnalysis.MaybeNull] public string? A() => null;")]
    [InlineData("public void A<T>() { }", "public void A<[System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.All)] T>() { }")]
    [InlineData("public class B { }", "public struct B { }")]
    [InlineData("public class B { }", "public sealed class B { }")]
    [InlineData("public class B { private B() { } }", "public class B { }")]
    [InlineData("public record B { }", "public class B { }")]
    [InlineData("public record B { }", "public record B { public override string ToString() => \"\"; }")]
    [InlineData("public record B(int A);", "public record B { public int A { get; init; } }")]
    [InlineData("public record B(int A);", "public record B(int A) { public virtual bool Equals(B? other) => true; public override int GetHashCode() => 1; }")]
    [InlineData("public record struct B { }", "public struct B { }")]
    [InlineData("public struct B { }", "public readonly struct B { }")]
    [InlineData("public struct B { }", "public ref struct B { }")]
    [InlineData("public enum B { One }", "public enum B { One = 1 }")]
    [InlineData("public enum B { One }", "public enum B : byte { One }")]
    [InlineData("public interface B<T> { }", "public interface B<out T> { }")]
    [InlineData("public interface B<T> { }", "public interface B<T> where T : class { }")]
    [InlineData("public interface B { void A(); }", "public interface B { void A() { } }")]
    [InlineData("public delegate void B(int a);", "public delegate void B(int b);")]
    [InlineData("public class B : System.IDisposable { public void Dispose() { } }", "public class B { public void Dispose() { } }")]
    [InlineData("public static void A(object a) { }", "public static void A(dynamic a) { }")]
    [InlineData("public (int A, int B) C;", "public (int X, int B) C;")]
    public void A_change_is_a_difference(string before, string after)
    {
        Assert.NotEqual(Listing("", before), Listing("", after));
    }

    [Fact]
    public void An_extension_method_is_told_from_a_static_one() =>
        Assert.NotEqual(Listing("public static class B { public static void A(this int a) { } }", ""), Listing("public static class B { public static void A(int a) { } }", ""));

    [Theory]
    [InlineData("public int A() => 1;", "public int A() { System.Func<int> a = () => 1; return a(); }")]
    [InlineData("public int A() => 1;", "private int B; public int A() => B;")]
    [InlineData("public System.Threading.Tasks.Task A() => null!;", "public async System.Threading.Tasks.Task A() => await System.Threading.Tasks.Task.Yield();")]
    [InlineData("[System.Obsolete(\"use b\")] public void A() { }", "[System.Obsolete(\"use c d\")] public void A() { }")]
    [InlineData("public int A; public int B;", "public int B; public int A;")]
    [InlineData("public int A { get; }", "public int A => 1;")]
    [InlineData("internal int A;", "private protected void C() { }")]
    public void A_change_inside_is_none(string before, string after) => Assert.Equal(Listing("", before), Listing("", after));

    private static string Listing(string types, string members)
    {
        MetadataReference[] references =
            [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Where(file => Path.GetFileName(file) is "System.Private.CoreLib.dll" or "System.Runtime.dll" or "System.Linq.Expressions.dll" or "Microsoft.CSharp.dll")
                .Select(file => MetadataReference.CreateFromFile(file))];
        CSharpCompilation compilation = CSharpCompilation.Create(
            "subject",
            [CSharpSyntaxTree.ParseText(types + "public class Subject { " + members + " }", new CSharpParseOptions(LanguageVersion.Preview))],
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable, allowUnsafe: true));
        using var file = new MemoryStream();
        Microsoft.CodeAnalysis.Emit.EmitResult result = compilation.Emit(file);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics));
        return ApiListing.Of(MetadataReference.CreateFromImage(file.ToArray()), references);
    }
}
