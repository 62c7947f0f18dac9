using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Formatters.SystemMessaging.Tests;

/// <summary>Lists the public and protected members of the types of a namespace from the metadata of an assembly, without loading it.</summary>
internal sealed class ApiReader : IDisposable
{
    private readonly MetadataReader _reader;
    private readonly PEReader _file;

    internal ApiReader(string path)
    {
        _file = new PEReader(new MemoryStream(File.ReadAllBytes(path)));
        _reader = _file.GetMetadataReader();
    }

    /// <summary>A public type and its members, by signature; the value is the handle of the method that implements it, if there is one.</summary>
    internal sealed record ApiType(string Name, bool IsEnum, SortedDictionary<string, MethodDefinitionHandle> Members, Dictionary<string, long> Constants);

    internal IReadOnlyList<ApiType> Types(string space)
    {
        var types = new List<ApiType>();
        foreach (TypeDefinitionHandle handle in _reader.TypeDefinitions)
        {
            TypeDefinition type = _reader.GetTypeDefinition(handle);
            string name = _reader.GetString(type.Namespace);
            if (!IsVisible(type.Attributes) || !(name == space || name.StartsWith(space + ".", StringComparison.Ordinal)))
                continue;
            string full = (name == space ? "" : name[(space.Length + 1)..] + ".") + _reader.GetString(type.Name);
            types.Add(Read(full, type));
        }

        return [.. types.OrderBy(type => type.Name, StringComparer.Ordinal)];
    }

    /// <summary>Determines whether a method consists of throwing the exception that a helper creates.</summary>
    internal bool Throws(MethodDefinitionHandle handle, string helperType, string helper)
    {
        int address = handle.IsNil ? 0 : _reader.GetMethodDefinition(handle).RelativeVirtualAddress;
        if (address == 0)
            return false;
        byte[] code = _file.GetMethodBody(address).GetILBytes()!;
        // ldstr NAME, call HELPER, throw
        if (code.Length != 11 || code[0] != 0x72 || code[5] != 0x28 || code[10] != 0x7A)
            return false;
        var method = (MethodDefinitionHandle)MetadataTokens.EntityHandle(BitConverter.ToInt32(code, 6));
        MethodDefinition called = _reader.GetMethodDefinition(method);
        return _reader.GetString(called.Name) == helper
            && _reader.GetString(_reader.GetTypeDefinition(called.GetDeclaringType()).Name) == helperType;
    }

    public void Dispose() => _file.Dispose();

    private ApiType Read(string name, TypeDefinition type)
    {
        var names = new SignatureNames();
        var members = new SortedDictionary<string, MethodDefinitionHandle>(StringComparer.Ordinal);
        var constants = new Dictionary<string, long>();
        bool isEnum = !type.BaseType.IsNil && type.BaseType.Kind == HandleKind.TypeReference
            && _reader.GetString(_reader.GetTypeReference((TypeReferenceHandle)type.BaseType).Name) == "Enum";
        var accessors = new HashSet<MethodDefinitionHandle>();
        foreach (PropertyDefinitionHandle handle in type.GetProperties())
        {
            PropertyDefinition property = _reader.GetPropertyDefinition(handle);
            PropertyAccessors both = property.GetAccessors();
            MethodSignature<string> signature = property.DecodeSignature(names, null);
            string text = $"{_reader.GetString(property.Name)}{Parameters(signature, "[", "]")}: {signature.ReturnType}";
            foreach ((MethodDefinitionHandle accessor, string kind) in new[] { (both.Getter, "get"), (both.Setter, "set") })
            {
                if (accessor.IsNil)
                    continue;
                accessors.Add(accessor);
                if (IsVisible(_reader.GetMethodDefinition(accessor).Attributes))
                    members.Add($"{text} {{ {kind}; }}", accessor);
            }
        }

        foreach (EventDefinitionHandle handle in type.GetEvents())
        {
            EventDefinition @event = _reader.GetEventDefinition(handle);
            EventAccessors both = @event.GetAccessors();
            accessors.UnionWith([both.Adder, both.Remover]);
            if (IsVisible(_reader.GetMethodDefinition(both.Adder).Attributes))
                members.Add($"event {_reader.GetString(@event.Name)}", both.Adder);
        }

        foreach (FieldDefinitionHandle handle in type.GetFields())
        {
            FieldDefinition field = _reader.GetFieldDefinition(handle);
            if ((field.Attributes & FieldAttributes.FieldAccessMask) is not (FieldAttributes.Public or FieldAttributes.Family)
                || (field.Attributes & FieldAttributes.SpecialName) != 0)
                continue;
            string fieldName = _reader.GetString(field.Name);
            ConstantHandle constant = field.GetDefaultValue();
            if (isEnum && !constant.IsNil)
            {
                BlobReader blob = _reader.GetBlobReader(_reader.GetConstant(constant).Value);
                long value = blob.Length == 4 ? blob.ReadInt32() : blob.Length == 1 ? blob.ReadSByte() : blob.Length == 2 ? blob.ReadInt16() : blob.ReadInt64();
                constants.Add(fieldName, value);
                members.Add($"{fieldName} = {value}", default);
            }
            else
            {
                members.Add($"{fieldName}: {field.DecodeSignature(names, null)}", default);
            }
        }

        foreach (MethodDefinitionHandle handle in type.GetMethods())
        {
            MethodDefinition method = _reader.GetMethodDefinition(handle);
            string methodName = _reader.GetString(method.Name);
            if (!IsVisible(method.Attributes) || accessors.Contains(handle) || methodName is ".cctor" or "Finalize")
                continue;
            MethodSignature<string> signature = method.DecodeSignature(names, null);
            string text = $"{(methodName == ".ctor" ? "new" : methodName)}{Parameters(signature, "(", ")")}";
            members.Add(methodName == ".ctor" ? text : $"{text}: {signature.ReturnType}", handle);
        }

        return new ApiType(name, isEnum, members, constants);
    }

    private static string Parameters(MethodSignature<string> signature, string open, string close) =>
        signature.ParameterTypes.Length == 0 && open == "[" ? "" : open + string.Join(", ", signature.ParameterTypes) + close;

    private static bool IsVisible(TypeAttributes attributes) => (attributes & TypeAttributes.VisibilityMask) == TypeAttributes.Public;

    private static bool IsVisible(MethodAttributes attributes) =>
        (attributes & MethodAttributes.MemberAccessMask) is MethodAttributes.Public or MethodAttributes.Family or MethodAttributes.FamORAssem;

    /// <summary>The short names of types in signatures.</summary>
    private sealed class SignatureNames : ISignatureTypeProvider<string, object?>
    {
        public string GetPrimitiveType(PrimitiveTypeCode typeCode) => typeCode.ToString();

        public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
            reader.GetString(reader.GetTypeDefinition(handle).Name);

        public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
            reader.GetString(reader.GetTypeReference(handle).Name);

        public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
            reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

        public string GetSZArrayType(string elementType) => elementType + "[]";

        public string GetArrayType(string elementType, ArrayShape shape) => elementType + "[,]";

        public string GetByReferenceType(string elementType) => elementType + "&";

        public string GetPointerType(string elementType) => elementType + "*";

        public string GetPinnedType(string elementType) => elementType;

        public string GetFunctionPointerType(MethodSignature<string> signature) => "function";

        public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) =>
            $"{genericType.Split('`')[0]}<{string.Join(", ", typeArguments)}>";

        public string GetGenericMethodParameter(object? genericContext, int index) => "M" + index;

        public string GetGenericTypeParameter(object? genericContext, int index) => "T" + index;

        public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;
    }
}
