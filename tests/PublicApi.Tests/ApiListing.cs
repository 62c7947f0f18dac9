using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.PublicApi.Tests;

/// <summary>
/// Prints the public API of an assembly as the compiler sees it: one line a type and one a member, in ordinal order, with nullability, constraints,
/// <c>ref</c>, <c>this</c>, default values and attributes. What the compiler adds to a record is in that word.
/// </summary>
internal static class ApiListing
{
    private static readonly SymbolDisplayFormat s_typeFormat = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeVariance,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    private static readonly SymbolDisplayFormat s_memberFormat = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
        SymbolDisplayGenericsOptions.IncludeTypeParameters | SymbolDisplayGenericsOptions.IncludeTypeConstraints | SymbolDisplayGenericsOptions.IncludeVariance,
        SymbolDisplayMemberOptions.IncludeType | SymbolDisplayMemberOptions.IncludeModifiers | SymbolDisplayMemberOptions.IncludeParameters
            | SymbolDisplayMemberOptions.IncludeExplicitInterface | SymbolDisplayMemberOptions.IncludeConstantValue | SymbolDisplayMemberOptions.IncludeRef,
        SymbolDisplayDelegateStyle.NameAndSignature,
        SymbolDisplayExtensionMethodStyle.StaticMethod,
        SymbolDisplayParameterOptions.IncludeType | SymbolDisplayParameterOptions.IncludeName | SymbolDisplayParameterOptions.IncludeModifiers
            | SymbolDisplayParameterOptions.IncludeDefaultValue | SymbolDisplayParameterOptions.IncludeExtensionThis,
        SymbolDisplayPropertyStyle.ShowReadWriteDescriptor,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    private static readonly SymbolDisplayFormat s_nameFormat = new(
        SymbolDisplayGlobalNamespaceStyle.Omitted,
        SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
        SymbolDisplayGenericsOptions.IncludeTypeParameters,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Attributes that the compiler writes for what the line says anyway, or that concern only the implementation.</summary>
    private static readonly HashSet<string> s_unlisted = new(StringComparer.Ordinal)
    {
        "AsyncStateMachine", "IteratorStateMachine", "AsyncIteratorStateMachine", "CompilerGenerated", "DefaultMember", "DebuggerDisplay", "DebuggerStepThrough", "DebuggerBrowsable",
        "DebuggerTypeProxy", "DebuggerHidden", "Extension", "IsByRefLike", "IsReadOnly", "MethodImpl", "Nullable", "NullableContext", "NullablePublicOnly", "ParamArray", "ParamCollection",
        "RequiredMember", "CompilerFeatureRequired", "SkipLocalsInit", "StackTraceHidden", "SuppressMessage", "UnconditionalSuppressMessage", "TupleElementNames", "Dynamic", "NativeInteger",
        "ScopedRef", "RequiresLocation", "PreserveBaseOverrides", "GeneratedCode", "Serializable", "StructLayout", "In", "Out", "Optional", "DecimalConstant", "SpecialName", "NonVersionable",
    };

    /// <summary>Assemblies that have been opened: most are used by every listing.</summary>
    private static readonly ConcurrentDictionary<string, MetadataReference?> s_opened = new(StringComparer.Ordinal);

    /// <summary>The listing of an assembly file.</summary>
    /// <param name="file">The assembly.</param>
    /// <param name="references">The folders of the assemblies that it uses.</param>
    public static string Of(string file, IEnumerable<string> references)
    {
        var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { Path.GetFileNameWithoutExtension(file) };
        IEnumerable<MetadataReference> others = references.SelectMany(folder => Directory.EnumerateFiles(folder, "*.dll"))
            .Where(path => Open(path) is not null && seen.Add(Path.GetFileNameWithoutExtension(path))).Select(path => Open(path)!);
        return Of(Open(file)!, others);
    }

    /// <summary>The listing of a compiled assembly.</summary>
    public static string Of(MetadataReference subject, IEnumerable<MetadataReference> references)
    {
        CSharpCompilation compilation = CSharpCompilation.Create("listing", references: [subject, .. references]);
        var assembly = (IAssemblySymbol)compilation.GetAssemblyOrModuleSymbol(subject)!;
        var text = new StringBuilder();
        foreach (INamedTypeSymbol type in Types(assembly.GlobalNamespace).OrderBy(t => t.ToDisplayString(s_typeFormat), StringComparer.Ordinal))
        {
            text.Append(Type(type)).Append('\n');
            foreach (string line in Members(type).OrderBy(m => m.Name, StringComparer.Ordinal).ThenBy(m => m.Text, StringComparer.Ordinal).Select(m => m.Attributes + m.Text))
                text.Append("    ").Append(line).Append('\n');
        }

        return text.ToString();
    }

    /// <summary>Opens an assembly; null if the file is not one.</summary>
    private static MetadataReference? Open(string path) => s_opened.GetOrAdd(path, static path =>
    {
        using var file = new System.Reflection.PortableExecutable.PEReader(File.OpenRead(path));
        return file.HasMetadata ? MetadataReference.CreateFromFile(path) : null;
    });

    private static IEnumerable<INamedTypeSymbol> Types(INamespaceOrTypeSymbol container)
    {
        foreach (ISymbol member in container.GetMembers())
        {
            if (member is INamedTypeSymbol type && !IsVisible(type))
                continue;
            if (member is INamedTypeSymbol visible)
                yield return visible;
            if (member is INamespaceOrTypeSymbol inner)
            {
                foreach (INamedTypeSymbol nested in Types(inner))
                    yield return nested;
            }
        }
    }

    private static bool IsVisible(ISymbol symbol) =>
        symbol.DeclaredAccessibility == Accessibility.Public
        || (symbol.DeclaredAccessibility is Accessibility.Protected or Accessibility.ProtectedOrInternal && symbol.ContainingType is not { IsSealed: true });

    private static string Type(INamedTypeSymbol type)
    {
        string kind = type.TypeKind switch
        {
            TypeKind.Class => (type.IsStatic ? "static " : type.IsAbstract ? "abstract " : type.IsSealed ? "sealed " : "") + (IsRecord(type) ? "record" : "class"),
            TypeKind.Struct => (type.IsReadOnly ? "readonly " : "") + (IsRecord(type) ? "record " : type.IsRefLikeType ? "ref " : "") + "struct",
            TypeKind.Interface => "interface",
            TypeKind.Enum => "enum",
            TypeKind.Delegate => "delegate",
            TypeKind other => other.ToString(),
        };
        IEnumerable<string> bases = type.TypeKind switch
        {
            TypeKind.Enum => type.EnumUnderlyingType!.SpecialType == SpecialType.System_Int32 ? [] : [Name(type.EnumUnderlyingType)],
            TypeKind.Delegate => [],
            _ => (type.BaseType is { SpecialType: SpecialType.None } b ? [Name(b)] : Enumerable.Empty<string>())
                .Concat(type.AllInterfaces.Where(IsVisible).Except(type.BaseType?.AllInterfaces ?? [], SymbolEqualityComparer.IncludeNullability)
                    .Where(i => !IsRecord(type) || !IsEquatableOf((INamedTypeSymbol)i!, type)).Select(i => Name((ITypeSymbol)i!)).Order(StringComparer.Ordinal)),
        };
        string list = string.Join(", ", bases);
        // The constraints, as the compiler prints them after the name.
        string name = type.ToDisplayString(s_typeFormat);
        string constraints = type.ToDisplayString(s_typeFormat.AddGenericsOptions(SymbolDisplayGenericsOptions.IncludeTypeConstraints))[name.Length..];
        string parameters = string.Concat(type.TypeParameters.Select(p => Attributes(p.GetAttributes(), p.Name + ": ")));
        return Attributes(type.GetAttributes(), "") + parameters + kind + " " + name + (list.Length > 0 ? " : " + list : "") + constraints;
    }

    /// <summary>Determines whether it is a record, by the members that only the compiler writes.</summary>
    private static bool IsRecord(INamedTypeSymbol type) =>
        type.GetMembers(type.IsValueType ? "PrintMembers" : "<Clone>$").Any(IsOfCompiler) || type.GetMembers("EqualityContract").Any(IsOfCompiler);

    /// <summary>Determines whether the compiler wrote a member.</summary>
    private static bool IsOfCompiler(ISymbol member) =>
        (member is IPropertySymbol { GetMethod: IMethodSymbol getter } property && property.Name == "EqualityContract" ? getter : member).GetAttributes()
            .Any(a => a.AttributeClass is { Name: "CompilerGeneratedAttribute" });

    private static bool IsEquatableOf(INamedTypeSymbol candidate, INamedTypeSymbol type) =>
        candidate.Name == "IEquatable" && candidate.TypeArguments is [var only] && SymbolEqualityComparer.Default.Equals(only, type);

    private static string Name(ITypeSymbol type) => type.ToDisplayString(s_nameFormat);

    private static IEnumerable<(string Name, string Text, string Attributes)> Members(INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Delegate)
        {
            yield return Line(type.DelegateInvokeMethod!);
            yield break;
        }

        bool isRecord = IsRecord(type);
        foreach (ISymbol member in type.GetMembers())
        {
            // Records copy themselves by a method without a name in C#.
            if (!IsVisible(member) || member is INamedTypeSymbol || member.Name.Contains('<', StringComparison.Ordinal))
                continue;
            if (isRecord && IsOfCompiler(member))
                continue;
            if (member is IFieldSymbol { ContainingType.TypeKind: TypeKind.Enum } value)
            {
                yield return (value.Name, value.Name + " = " + value.ConstantValue, Attributes(value.GetAttributes(), ""));
                continue;
            }

            if (member is IMethodSymbol { MethodKind: not (MethodKind.Ordinary or MethodKind.UserDefinedOperator or MethodKind.Conversion) } method
                && !(method.MethodKind == MethodKind.Constructor && !(type.IsValueType && method.IsImplicitlyDeclared)))
                continue;
            yield return Line(member);
        }
    }

    private static (string Name, string Text, string Attributes) Line(ISymbol member)
    {
        string text = member.ToDisplayString(s_memberFormat);
        var attributes = new StringBuilder(Attributes(member.GetAttributes(), ""));
        switch (member)
        {
            case IPropertySymbol property:
                // Roslyn prints both accessors of a property; a hidden one is left out, a less visible one named.
                text = text[..(text.LastIndexOf('{') is var brace && brace > 0 ? brace : text.Length)]
                    + "{ " + string.Concat(new[] { property.GetMethod, property.SetMethod }.OfType<IMethodSymbol>().Where(IsVisible).Select(Accessor)) + "}";
                break;
            case IMethodSymbol method:
                attributes.Append(Attributes(method.GetReturnTypeAttributes(), "return: "));
                foreach (IParameterSymbol parameter in method.Parameters)
                    attributes.Append(Attributes(parameter.GetAttributes(), parameter.Name + ": "));
                foreach (ITypeParameterSymbol parameter in method.TypeParameters)
                    attributes.Append(Attributes(parameter.GetAttributes(), parameter.Name + ": "));
                break;
        }

        bool hasBody = member is { ContainingType.TypeKind: TypeKind.Interface, IsAbstract: false, IsStatic: false };
        return (member.Name, (member.DeclaredAccessibility == Accessibility.Public ? "" : "protected ") + (hasBody ? "virtual " : "") + text, attributes.ToString());
    }

    private static string Accessor(IMethodSymbol accessor) =>
        Attributes(accessor.GetAttributes(), "")
        + (accessor.DeclaredAccessibility == accessor.AssociatedSymbol!.DeclaredAccessibility ? "" : "protected ")
        + (accessor.IsReadOnly && !accessor.ContainingType.IsReadOnly ? "readonly " : "")
        + (accessor.MethodKind == MethodKind.PropertyGet ? "get; " : accessor.IsInitOnly ? "init; " : "set; ");

    /// <summary>Attributes in brackets, each followed by a space; those of a type parameter or parameter begin with its name.</summary>
    private static string Attributes(IEnumerable<AttributeData> attributes, string target) => string.Concat(attributes
        .Where(a => a.AttributeClass is { DeclaredAccessibility: Accessibility.Public } c && !s_unlisted.Contains(ShortName(c)))
        .Select(a => "[" + target + ShortName(a.AttributeClass!) + Arguments(a) + "] ").Order(StringComparer.Ordinal));

    private static string ShortName(INamedTypeSymbol attribute) =>
        attribute.Name.EndsWith("Attribute", StringComparison.Ordinal) ? attribute.Name[..^"Attribute".Length] : attribute.Name;

    /// <summary>The arguments; a sentence for people, which may be worded anew, is left out.</summary>
    private static string Arguments(AttributeData attribute)
    {
        string text = string.Join(", ", attribute.ConstructorArguments.Select(Argument).Concat(attribute.NamedArguments.Where(a => a.Key != "Url").Select(a => a.Key + " = " + Argument(a.Value))));
        return text.Length == 0 ? "" : "(" + text + ")";
    }

    private static string Argument(TypedConstant argument) =>
        argument is { Kind: TypedConstantKind.Primitive, Value: string value } && value.Contains(' ', StringComparison.Ordinal) ? "..." : argument.ToCSharpString();
}
