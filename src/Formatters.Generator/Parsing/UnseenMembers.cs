using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>
/// Finds members in the contract of a type of another assembly that the compiler does not show, because they are not public: they are looked up in
/// the assembly itself.
/// </summary>
internal static class UnseenMembers
{
    /// <summary>Determines whether a type belongs to a compiled assembly, and not to the source of a project.</summary>
    internal static bool IsCompiled(INamedTypeSymbol type, Compilation compilation) =>
        !SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly) && type.ContainingModule?.GetMetadata() is not null;

    /// <summary>Determines whether members that are not public were removed from the assembly, because it is a reference assembly.</summary>
    internal static bool AreCutOut(INamedTypeSymbol type) =>
        type.ContainingAssembly.HasAttribute("System.Runtime.CompilerServices.ReferenceAssemblyAttribute");

    /// <summary>Determines whether a field of a compiled assembly has the flag for <c>[NonSerialized]</c>.</summary>
    internal static bool IsNotSerialized(IFieldSymbol field) =>
        field.OriginalDefinition is { MetadataToken: not 0, ContainingModule: IModuleSymbol module } definition
        && module.GetMetadata() is ModuleMetadata metadata
        && (metadata.GetMetadataReader().GetFieldDefinition(
            (FieldDefinitionHandle)MetadataTokens.EntityHandle(definition.MetadataToken)).Attributes & FieldAttributes.NotSerialized) != 0;

    /// <summary>Determines whether a property of a compiled assembly is an automatic one.</summary>
    internal static bool HasField(IPropertySymbol property)
    {
        if (property.ContainingModule?.GetMetadata() is not ModuleMetadata metadata)
            return false;
        MetadataReader reader = metadata.GetMetadataReader();
        return DefinitionOf(property.ContainingType, reader).GetFields()
            .Any(h => reader.GetString(reader.GetFieldDefinition(h).Name) == $"<{property.Name}>k__BackingField");
    }

    /// <summary>Determines whether a compiled type has fields that the compiler does not show, and that it does not leave out by name.</summary>
    internal static bool HasState(INamedTypeSymbol type)
    {
        if (type.ContainingModule?.GetMetadata() is not ModuleMetadata metadata)
            return false;
        MetadataReader reader = metadata.GetMetadataReader();
        TypeDefinition definition = DefinitionOf(type, reader);
        HashSet<string> leftOut = [.. definition.GetEvents().Select(e => reader.GetString(reader.GetEventDefinition(e).Name)),
            .. type.GetMembers().Where(m => m is IPropertySymbol && Symbols.IsLeftOut(m)).Select(p => $"<{p.Name}>k__BackingField")];
        return definition.GetFields().Select(h => (Token: MetadataTokens.GetToken(h), Field: reader.GetFieldDefinition(h)))
            .Where(f => (f.Field.Attributes & (FieldAttributes.Static | FieldAttributes.NotSerialized)) == 0)
            .Select(f => (f.Token, Name: reader.GetString(f.Field.Name)))
            .Any(f => !leftOut.Contains(f.Name) && type.OriginalDefinition.GetMembers(f.Name).All(seen => seen.MetadataToken != f.Token));
    }

    private static TypeDefinition DefinitionOf(INamedTypeSymbol type, MetadataReader reader) =>
        reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.OriginalDefinition.MetadataToken));

    /// <summary>Finds a field, a property or a callback that an attribute adds to the contract of a compiled type.</summary>
    /// <returns>Its name; null if there is none.</returns>
    internal static string? Find(INamedTypeSymbol type)
    {
        MetadataReader reader = type.ContainingModule.GetMetadata()!.GetMetadataReader();
        TypeDefinition definition = DefinitionOf(type, reader);
        string[] marks = Member.IsOptIn(type)
            ? [Symbols.MemberAttribute, Symbols.OneofAttribute, Symbols.DataMemberAttribute]
            : [Symbols.MemberAttribute, Symbols.OneofAttribute];
        IEnumerable<(EntityHandle Handle, StringHandle Name)> fields = definition.GetFields()
            .Select(h => (Handle: h, Field: reader.GetFieldDefinition(h)))
            .Where(f => (f.Field.Attributes & FieldAttributes.Static) == 0 && IsMarked(f.Field.GetCustomAttributes(), marks))
            .Select(f => ((EntityHandle)f.Handle, f.Field.Name));
        IEnumerable<(EntityHandle Handle, StringHandle Name)> properties = definition.GetProperties()
            .Select(h => (Handle: h, Property: reader.GetPropertyDefinition(h)))
            .Where(p => IsOfObjects(p.Property.GetAccessors()) && IsMarked(p.Property.GetCustomAttributes(), marks))
            .Select(p => ((EntityHandle)p.Handle, p.Property.Name));
        IEnumerable<(EntityHandle Handle, StringHandle Name)> callbacks = definition.GetMethods()
            .Select(h => (Handle: h, Method: reader.GetMethodDefinition(h)))
            .Where(m => (m.Method.Attributes & MethodAttributes.Static) == 0 && IsMarked(m.Method.GetCustomAttributes(), ShapeParser.CallbackNames))
            .Select(m => ((EntityHandle)m.Handle, m.Method.Name));
        return fields.Concat(properties).Concat(callbacks).Select(m => (Token: MetadataTokens.GetToken(m.Handle), Name: reader.GetString(m.Name)))
            .Where(m => type.OriginalDefinition.GetMembers(m.Name).All(seen => seen.MetadataToken != m.Token)).Select(m => m.Name).FirstOrDefault();

        bool IsOfObjects(PropertyAccessors accessors) =>
            (reader.GetMethodDefinition(accessors.Getter.IsNil ? accessors.Setter : accessors.Getter).Attributes & MethodAttributes.Static) == 0;

        bool IsMarked(CustomAttributeHandleCollection attributes, string[] names) =>
            attributes.Any(a => names.Contains(NameOf(reader.GetCustomAttribute(a).Constructor)));

        string NameOf(EntityHandle constructor)
        {
            if (constructor.Kind != HandleKind.MemberReference
                || reader.GetMemberReference((MemberReferenceHandle)constructor).Parent is not { Kind: HandleKind.TypeReference } parent)
                return "";
            TypeReference attribute = reader.GetTypeReference((TypeReferenceHandle)parent);
            return reader.GetString(attribute.Namespace) + "." + reader.GetString(attribute.Name);
        }
    }
}
