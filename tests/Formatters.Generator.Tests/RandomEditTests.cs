using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Generator.Tests;

/// <summary>
/// Random edits of small projects, in which the same few names are types, namespaces, aliases, constants and base classes: the code and the diagnostics are those of a new generator.
/// The environment variables <c>FORMATTERS_SEED</c> and <c>FORMATTERS_EDITED_PROJECTS</c> (how many seeds from it on) make another run, or one again.
/// </summary>
public class RandomEditTests(ITestOutputHelper output)
{
    private const int EditCount = 100;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(TestScale.Seed(20261127), TestScale.Count("FORMATTERS_EDITED_PROJECTS", full: 20, quick: 2, night: 500))];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Edits_HaveTheResultsOfAFreshRun(int seed)
    {
        var files = new RandomFiles(seed);
        CSharpCompilation compilation = Compilations.Create([.. Enumerable.Range(0, 6).Select(_ => files.Next())]).AddReferences(CachingTests.Foreign);
        GeneratorDriver driver = Compilations.Driver();
        var before = new List<CSharpCompilation> { compilation };
        for (int edit = 0; edit < EditCount; edit++)
        {
            driver = driver.RunGenerators(compilation);
            string[] expected = CachingTests.FreshRun(compilation), actual = CachingTests.Results(driver);
            if (!expected.SequenceEqual(actual))
            {
                output.WriteLine($"Seed {seed}, edit {edit}");
                output.WriteLine(string.Join("\n", before[^1].SyntaxTrees.Select(t => $"before: {t.FilePath}: {t}")));
                output.WriteLine(string.Join("\n", compilation.SyntaxTrees.Select(t => $"after: {t.FilePath}: {t}")));
                Assert.Equal(expected, actual);
            }

            before.Add(compilation);
            // The compiler has edited files last; a new compilation does not.
            compilation = files.Edit(compilation, before);
            compilation = compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(compilation.SyntaxTrees);
        }
    }

    private sealed class RandomFiles(int seed)
    {
        private static readonly string[] Scalars = ["int", "string", "Guid", "DateTime?", "object", "decimal"];

        private readonly Random _random = new(seed);
        private readonly bool _isSound = seed % 3 != 0;

        /// <summary>Few names, so that everything depends on everything; or more, so that little does.</summary>
        private readonly string[] _names = [.. "NMABCDEFGHIJKLOPQRST".Take(5 + seed % 8).Select(static c => c.ToString())];

        internal CSharpCompilation Edit(CSharpCompilation compilation, List<CSharpCompilation> before)
        {
            int count = compilation.SyntaxTrees.Length;
            int index = _random.Next(count);
            SyntaxTree tree = compilation.SyntaxTrees[index];
            switch (_random.Next(14))
            {
                case 0 when count > 2:
                    return compilation.RemoveSyntaxTrees(tree);
                case 1 when count < 10:
                    return compilation.AddSource(Next());
                case 2:
                    return before[_random.Next(before.Count)];
                case 3:
                    return compilation.ReplaceSyntaxTree(tree, tree.WithFilePath(OneOf("Other.cs", "Other.g.cs", "Sub/File.cs")));
                case 4:
                    return compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(
                        tree.ToString(), ((CSharpParseOptions)tree.Options).WithPreprocessorSymbols(OneOf("MORE", "LESS")), tree.FilePath));
                case 5:
                    return compilation.RemoveSyntaxTrees(tree).AddSyntaxTrees(tree);
                case 6:
                    return compilation.WithOptions(compilation.Options.WithNullableContextOptions(Chance(2) ? NullableContextOptions.Enable : NullableContextOptions.Disable));
                case 7 or 8 or 9 when _isSound:
                    return count < 14 ? compilation.AddSource(More()) : compilation.RemoveSyntaxTrees(tree);
                case 10 or 11 when _isSound:
                    return compilation.ReplaceSource(index, tree.FilePath.StartsWith("File", StringComparison.Ordinal) ? Next() : More());
                default:
                    // Most edits keep the most of a file: one declaration, or one line.
                    string[] lines = tree.ToString().Split('\n')[1..];
                    if (Chance(5) || lines.Length < 2)
                        return compilation.ReplaceSource(index, Next());
                    int line = _random.Next(lines.Length);
                    string[] edited = _random.Next(4) switch
                    {
                        0 => [.. lines[..line], .. lines[(line + 1)..]],
                        1 => [.. lines[..line], lines[line].Replace("return ", "return 1 + ", StringComparison.Ordinal), .. lines[(line + 1)..]],
                        2 => [.. lines[..line], _isSound ? "// A comment." : Declaration(2), .. lines[line..]],
                        _ => [.. lines[..line], _isSound ? lines[line] + " " : Declaration(2), .. lines[(line + 1)..]],
                    };
                    return compilation.ReplaceSource(index, string.Join('\n', edited));
            }
        }

        internal string Next()
        {
            if (_isSound)
                return Sound();
            var lines = new List<string>();
            if (Chance(6))
                lines.Add(OneOf($"global using {Name()} = {Type(1)};", $"global using {OneOf("N", "M", "N.M")};", $"global using static {Name()};"));
            if (Chance(3))
                lines.Add(OneOf($"using {Name()} = {Type(1)};", $"using {OneOf("N", "M", "N.M")};", $"using static {Name()};", "using Mark = Formatters.MessageContractAttribute;"));
            if (Chance(8))
                lines.Add($"[assembly: AllowDerived(typeof({Name()}))]");
            if (Chance(10))
                lines.Add("#nullable disable");
            for (int left = _random.Next(1, 4); left > 0; left--)
                lines.Add(Declaration(0));
            return string.Join('\n', lines);
        }

        /// <summary>A file with types that usually compile: what they depend on then decides their code and their warnings.</summary>
        private string Sound() => string.Join('\n', Enumerable.Range(0, _random.Next(1, 4)).Select(i => SoundDeclaration(i == 0)));

        private string SoundDeclaration(bool isFirst)
        {
            string name = Name(), space = OneOf("", "", "N1", "N1.N2");
            string attribute = Chance(5) ? "" : "[MessageContract" + (Chance(3) ? "(Formats = ContractFormats.Versioned | ContractFormats.MessagePack)" : "") + "] ";
            string parent = Chance(3) ? " : " + SoundParent() : "";
            string members = string.Concat(Enumerable.Range(0, _random.Next(1, 4)).Select(i => $"[MessageMember({i + 1})] public {SoundType()} P{i} {{ get; set; }} = default!;\n"));
            members += Chance(6) ? "#if MORE\npublic int More { get; set; }\n#endif\n" : "";
            string type = $"{attribute}partial class {name}{parent}\n{{\n{members}int Get() {{ return {_random.Next(3)}; }}\n}}";
            string aliases = Chance(4) && (isFirst || space.Length > 0) ? $"using Q = {OneOf("", "global::")}{Name()};\n" : "";
            return Chance(10) ? "#nullable disable\n" + aliases + type : space.Length == 0 ? aliases + type : $"namespace {space}\n{{\n{aliases}{type}\n}}";
        }

        /// <summary>A file with something that may change what others mean.</summary>
        private string More() => _random.Next(12) switch
        {
            0 => $"namespace N1.{Name()} {{ }}",
            1 => $"namespace N1.N2.{OneOf("N1", Name())} {{ }}",
            2 => $"[assembly: AllowDerived(typeof({OneOf(Name(), "Foreign")}))]",
            3 => $"global using Q = {OneOf(Name(), "Foreign", "List<int>")};",
            4 => $"namespace N1 {{ class {Name()} {{ public int X; }} }}",
            5 => $"namespace N1.N2 {{ struct {Name()} {{ public int X; }} }}",
            6 => $"namespace {OneOf("N1", "N3")} {{ using R = {Name()}; class D{_random.Next(3)} : R {{ }} }}",
            7 => $"{OneOf("", "abstract ")}partial class {Name()} {{ int More() {{ return {_random.Next(3)}; }} }}",
            _ => $"class D{_random.Next(5)} : {SoundParent()} {{ }}",
        };

        private string SoundParent() => OneOf(Name(), Name(), "Q", "Foreign", "ForeignDerived", "D" + _random.Next(5), "N1." + Name());

        private string SoundType() => _random.Next(9) switch
        {
            0 or 1 => OneOf("int", "string", "Guid", "DateTime?"),
            2 => $"List<{SoundType()}>",
            3 => OneOf("Q", "Foreign", "D" + _random.Next(5)),
            4 => OneOf("N1.", "N2.", "N1.N2.") + Name(),
            5 => "\\u00" + ((int)Name()[0]).ToString("X2", System.Globalization.CultureInfo.InvariantCulture),
            _ => Name(),
        };

        private string Declaration(int depth)
        {
            if (depth < 2 && Chance(3))
                return $"namespace {OneOf("N", "M", "N.M", Name(), "N." + Name())}\n{{\n{(Chance(4) ? $"using {Name()} = {Type(1)};\n" : "")}{(Chance(6) ? "" : Declaration(depth + 1))}\n}}";
            string name = Name();
            string attribute = _random.Next(8) switch
            {
                0 or 1 or 2 => "[MessageContract(Formats = ContractFormats.Binary)] ",
                3 => "[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Xml)] ",
                4 => "[Mark] ",
                5 => $"[MessageContractFor(typeof({Type(1)}), Formats = ContractFormats.Binary)] ",
                6 => $"[MessageUnion(1, typeof({Name()})), MessageContract(Formats = ContractFormats.Binary)] ",
                _ => "",
            };
            string modifiers = Chance(6) ? OneOf("abstract ", "sealed ", "static ", "public ") : "";
            string parents = Chance(2) ? " : " + OneOf(Name(), Name(), "Foreign", "ForeignDerived", "Box<" + Name() + ">", Name() + "." + Name()) : "";
            return _random.Next(12) switch
            {
                0 => $"{attribute}partial struct {name}\n{{\n{Members(name)}}}",
                1 => $"{attribute}{modifiers}partial record {name}({Type(0)} {Name()}){parents};",
                2 => $"enum {name} : {OneOf("byte", "long")} {{ {Name()}, {Name()} = {_random.Next(4)} }}",
                3 => $"static class {name} {{ public const int {Name()} = {_random.Next(1, 4)}; }}",
                4 => $"{attribute}partial class Box<T>\n{{\npublic T {Name()} = default!;\n{Members("Box")}}}",
                5 => $"{attribute}partial interface {name} {{ }}",
                6 => $"class {name}Attribute : Attribute {{ }}",
                7 => $"#if MORE\nclass {name} {{ public int X; }}\n#endif",
                _ => $"{attribute}{modifiers}partial class {name}{parents}\n{{\n{Members(name)}{(Chance(6) ? Declaration(2) + "\n" : "")}}}",
            };
        }

        private string Members(string type)
        {
            var lines = new List<string>();
            for (int left = _random.Next(4); left > 0; left--)
            {
                lines.Add(_random.Next(8) switch
                {
                    0 => $"int {Name()}() {{ return {_random.Next(3)}; }}",
                    1 => $"public {type}({Type(0)} {Name()}) {{ this.{Name()} = {Name()}; }}",
                    2 => $"public {Type(0)} {Name()} {{ get; {OneOf("", "set; ", "init; ", "private set; ")}}}",
                    3 => $"[MessageMember({OneOf("1", "2", Name(), Name() + "." + Name())})] public {Type(0)} {Name()};",
                    4 => $"private {Type(0)} {Name()};",
                    _ => $"public {Type(0)} {Name()} = default!;",
                });
            }

            return string.Concat(lines.Select(static line => line + "\n"));
        }

        private string Type(int depth) => _random.Next(depth > 1 ? 8 : 12) switch
        {
            0 => OneOf(Scalars),
            1 => Name() + "." + Name(),
            2 => OneOf("Foreign", "\\u0041", "global::" + Name()),
            8 => $"List<{Type(depth + 1)}>",
            9 => $"Box<{Type(depth + 1)}>",
            10 => $"({Type(depth + 1)}, {Type(depth + 1)})",
            11 => Type(depth + 1) + OneOf("?", "[]"),
            _ => Name(),
        };

        private string Name() => OneOf(_names);

        private bool Chance(int of) => _random.Next(of) == 0;

        private string OneOf(params string[] items) => items[_random.Next(items.Length)];
    }
}
