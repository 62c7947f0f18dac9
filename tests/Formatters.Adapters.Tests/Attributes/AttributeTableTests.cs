using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization;
using Formatters.TestSupport;
using MemoryPack;
using MessagePack;
using ProtoBuf;
using Xunit;

namespace Formatters.Adapters.Tests;

/// <summary>The table of attributes against the assemblies of the libraries, and against docs/attributes.md.</summary>
public class AttributeTableTests
{
    private const string Begin = "<!-- table: UPDATE_DOCS=1 dotnet test tests/Formatters.Adapters.Tests writes it -->";
    private const string End = "<!-- end of table -->";

    // These have a row for the attribute alone: their arguments have no names of their own.
    private static readonly string[] Whole = ["System.ComponentModel.DefaultValueAttribute"];

#if MESSAGEPACK_3
    private static readonly string[] OnlyInNewer = [];
#else
    private static readonly string[] OnlyInNewer =
    [
        "MessagePack.MessagePackObjectAttribute.SuppressSourceGeneration", "MessagePack.MessagePackObjectAttribute.AllowPrivate",
        "MessagePack.ExcludeFormatterFromSourceGeneratedResolverAttribute.", "MessagePack.MessagePackAssumedFormattableAttribute.",
        "MessagePack.MessagePackAssumedFormattableAttribute.formattableType", "MessagePack.MessagePackKnownFormatterAttribute.",
        "MessagePack.MessagePackKnownFormatterAttribute.formatterType",
    ];
#endif

    private static readonly Type[] OfSystem =
    [
        typeof(SerializableAttribute), typeof(NonSerializedAttribute), typeof(OptionalFieldAttribute), typeof(OnSerializingAttribute),
        typeof(OnSerializedAttribute), typeof(OnDeserializingAttribute), typeof(OnDeserializedAttribute),
        typeof(System.ComponentModel.DefaultValueAttribute), .. AttributesOf(typeof(DataContractAttribute).Assembly),
    ];

    [Fact]
    public void TheTable_HasEveryAttributeAndArgument_OfTheLibraries_AndNoOther()
    {
        IEnumerable<Type> attributes = AttributesOf(typeof(KeyAttribute).Assembly).Concat(AttributesOf(typeof(ProtoContractAttribute).Assembly))
            .Concat(AttributesOf(typeof(MemoryPackableAttribute).Assembly)).Concat(OfSystem)
            .Append(typeof(IMessagePackSerializationCallbackReceiver));
        string[] expected = [.. attributes.SelectMany(RowsOf).Concat(OnlyInNewer).Distinct().OrderBy(r => r, StringComparer.Ordinal)];
        string[] actual = [.. ForeignAttributes.All.Select(r => r.Attribute + "." + r.Argument).OrderBy(r => r, StringComparer.Ordinal)];
        Assert.Empty(expected.Except(actual));
        Assert.Empty(actual.Except(expected));
        Assert.Equal(expected.Length, actual.Length);
    }

    [Fact]
    public void WhatTheLibraryDoesNotAllow_IsAnErrorOfTheCompiler()
    {
        ForeignAttribute[] rows = [.. ForeignAttributes.All.Where(r => r.Text.Contains("error of the compiler", StringComparison.Ordinal))];
        Assert.Equal(5, rows.Length);
        foreach (ForeignAttribute row in rows)
        {
            PropertyInfo property = typeof(ProtoContractAttribute).Assembly.GetType(row.Attribute)!.GetProperty(row.Argument)!;
            MemberInfo[] marked = [property, property.SetMethod!];
            Assert.Contains(marked, m => m.GetCustomAttribute<ObsoleteAttribute>() is { IsError: true });
        }
    }

    [Fact]
    public void ThePage_HasTheTable()
    {
        string file = Path.Combine(RepositoryFolder.Path, "docs", "attributes.md");
        string page = File.ReadAllText(file).ReplaceLineEndings("\n");
        int begin = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = page.IndexOf(End, StringComparison.Ordinal);
        string expected = page[..begin] + "\n\n" + Table() + page[end..];
        if (Environment.GetEnvironmentVariable("UPDATE_DOCS") == "1")
            File.WriteAllText(file, expected);
        else
            Assert.Equal(expected, page);
    }

    /// <summary>Otherwise the page, which does not list harmless arguments, would call them rejected.</summary>
    [Fact]
    public void NoArgument_OfARejectedAttribute_IsHarmless() => Assert.DoesNotContain(
        ForeignAttributes.All, row => row.Argument.Length > 0 && row.Status == ForeignStatus.Harmless && StatusOfAttribute(row) == ForeignStatus.Rejected);

    private static string Table()
    {
        var lines = new List<string>();
        foreach (IGrouping<string, ForeignAttribute> library in ForeignAttributes.All.GroupBy(LibraryOf))
        {
            lines.AddRange(["### " + library.Key, "", "| attributes and arguments | status | |", "|---|---|---|"]);
            lines.AddRange(library.Where(row => !IsLeftOut(row)).GroupBy(row => (row.Status, row.Text)).Select(group =>
                $"| {string.Join(", ", group.Select(row => $"`{row.Display}`").Distinct())} | {group.Key.Status.ToString().ToLowerInvariant()} | {group.Key.Text.Replace("|", "\\|", StringComparison.Ordinal)} |"));
            lines.Add("");
        }

        return string.Join("\n", lines) + "\n";
    }

    /// <summary>Whether the page leaves out a row: attributes and arguments that it does not list are harmless, or rejected with their attribute.</summary>
    private static bool IsLeftOut(ForeignAttribute row) => row.Status == ForeignStatus.Harmless || row.Argument.Length > 0
        && row.Text.StartsWith("is rejected with its attribute", StringComparison.Ordinal) && StatusOfAttribute(row) == ForeignStatus.Rejected;

    private static ForeignStatus StatusOfAttribute(ForeignAttribute row) => ForeignAttributes.Of(row.Attribute).Single(own => own.Argument.Length == 0).Status;

    private static string LibraryOf(ForeignAttribute row) => row.Attribute.Split('.')[0] switch
    {
        "MessagePack" => "MessagePack-CSharp",
        "ProtoBuf" => "protobuf-net",
        "MemoryPack" => "MemoryPack",
        _ => "The base library",
    };

    private static IEnumerable<Type> AttributesOf(Assembly assembly) =>
        assembly.GetExportedTypes().Where(t => typeof(Attribute).IsAssignableFrom(t));

    private static IEnumerable<string> RowsOf(Type attribute)
    {
        string name = attribute.FullName + ".";
        if (attribute.IsInterface || attribute.IsAbstract || Whole.Contains(attribute.FullName))
            return [name];
        return attribute.GetConstructors().SelectMany(c => c.GetParameters()).Select(p => p.Name!)
            .Concat(attribute.GetProperties().Where(p => p.SetMethod is { IsPublic: true }).Select(p => p.Name)).Distinct().Select(a => name + a).Prepend(name);
    }
}
