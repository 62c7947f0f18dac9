using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;

namespace Formatters.PublicApi.Tests;

/// <summary>Prints what a user of an assembly can see: one line a type, one a member, in ordinal order.</summary>
internal static class ApiListing
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static string Of(Assembly assembly)
    {
        var text = new StringBuilder();
        foreach (Type type in assembly.GetExportedTypes().OrderBy(t => t.FullName, StringComparer.Ordinal))
        {
            text.Append(Kind(type)).Append(' ').Append(type.Namespace).Append('.').Append(Name(type));
            IEnumerable<string> bases = (type.BaseType is { } b && b != typeof(object) && b != typeof(ValueType) && b != typeof(Enum) && !type.IsSubclassOf(typeof(Delegate)) ? [Name(b)] : Enumerable.Empty<string>())
                .Concat(type.GetInterfaces().Except(type.BaseType?.GetInterfaces() ?? []).Where(i => i.IsVisible && !type.IsEnum).Select(Name).Order(StringComparer.Ordinal));
            string list = string.Join(", ", bases);
            text.Append(list.Length > 0 ? " : " + list : "").Append('\n');
            foreach (string member in Members(type).Order(StringComparer.Ordinal))
                text.Append("    ").Append(member).Append('\n');
        }

        return text.ToString();
    }

    private static string Kind(Type type) =>
        type.IsEnum ? "enum"
        : type.IsSubclassOf(typeof(Delegate)) ? "delegate"
        : type.IsInterface ? "interface"
        : type.IsValueType ? (type.IsByRefLike ? "ref struct" : "struct")
        : type.IsAbstract && type.IsSealed ? "static class"
        : type.IsAbstract ? "abstract class"
        : type.IsSealed ? "sealed class" : "class";

    private static IEnumerable<string> Members(Type type)
    {
        if (type.IsEnum)
        {
            foreach (string name in Enum.GetNames(type))
                yield return name + " = " + Convert.ToInt64(Enum.Parse(type, name), CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture);
            yield break;
        }

        if (type.IsSubclassOf(typeof(Delegate)))
        {
            yield return Signature(type.GetMethod("Invoke")!);
            yield break;
        }

        foreach (ConstructorInfo c in type.GetConstructors(Declared).Where(c => Visible(c, type) && !c.IsStatic))
            yield return Access(c) + "new(" + Parameters(c) + ")";
        foreach (FieldInfo f in type.GetFields(Declared).Where(f => f.IsPublic || (!type.IsSealed && (f.IsFamily || f.IsFamilyOrAssembly))))
            yield return (f.IsLiteral ? "const " : f.IsStatic ? "static " : "") + (f.IsInitOnly ? "readonly " : "") + Name(f.FieldType) + " " + f.Name + (f.IsLiteral ? " = " + Constant(f.GetRawConstantValue()) : "");
        foreach (PropertyInfo p in type.GetProperties(Declared))
        {
            string accessors = string.Concat(
                p.GetMethod is { } g && Visible(g, type) ? Access(g) + "get; " : "",
                p.SetMethod is { } s && Visible(s, type) ? Access(s) + (IsInit(s) ? "init; " : "set; ") : "");
            if (accessors.Length > 0)
                yield return ((p.GetMethod ?? p.SetMethod)!.IsStatic ? "static " : "") + Name(p.PropertyType) + " " + p.Name + " { " + accessors + "}";
        }

        foreach (EventInfo e in type.GetEvents(Declared).Where(e => e.AddMethod!.IsPublic))
            yield return "event " + Name(e.EventHandlerType!) + " " + e.Name;
        foreach (MethodInfo m in type.GetMethods(Declared).Where(m => Visible(m, type) && (!m.IsSpecialName || m.Name.StartsWith("op_", StringComparison.Ordinal)) && !m.Name.Contains('<', StringComparison.Ordinal)))
            yield return Access(m) + (m.IsStatic ? "static " : !type.IsInterface && m.IsAbstract ? "abstract " : m.IsVirtual && m.GetBaseDefinition() != m ? "override " : !type.IsInterface && m.IsVirtual && !m.IsFinal ? "virtual " : "") + Signature(m);
    }

    private static bool Visible(MethodBase method, Type type) => method.IsPublic || (!type.IsSealed && (method.IsFamily || method.IsFamilyOrAssembly));

    private static string Access(MethodBase method) => method.IsPublic ? "" : "protected ";

    private static bool IsInit(MethodInfo setter) =>
        setter.ReturnParameter.GetRequiredCustomModifiers().Any(m => m.Name == "IsExternalInit");

    private static string Signature(MethodInfo m) =>
        Name(m.ReturnType) + " " + m.Name + (m.IsGenericMethod ? "<" + string.Join(", ", m.GetGenericArguments().Select(a => a.Name)) + ">" : "") + "(" + Parameters(m) + ")";

    private static string Parameters(MethodBase m) => string.Join(", ", m.GetParameters().Select(p =>
        (p.IsOut ? "out " : p.ParameterType.IsByRef ? (p.IsIn ? "in " : "ref ") : p.IsDefined(typeof(ParamArrayAttribute)) ? "params " : "")
        + Name(p.ParameterType) + " " + p.Name + (p.HasDefaultValue ? " = " + Constant(p.RawDefaultValue) : "")));

    private static string Constant(object? value) => value switch
    {
        null => "null",
        string s => "\"" + s + "\"",
        bool b => b ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    private static string Name(Type type)
    {
        if (type.IsByRef)
            return Name(type.GetElementType()!);
        if (type.IsArray)
            return Name(type.GetElementType()!) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return Name(underlying) + "?";
        if (type.IsGenericParameter)
            return type.Name;
        string name = type == typeof(void) ? "void" : type.IsPrimitive || type == typeof(string) || type == typeof(object) || type == typeof(decimal) ? Keyword(type) : type.Name;
        if (type.IsNested)
            name = Name(type.DeclaringType!) + "." + name;
        string[] parts = name.Split('`');
        return parts.Length == 1 ? name : parts[0] + "<" + string.Join(", ", type.GetGenericArguments().Select(Name)) + ">";
    }

    private static string Keyword(Type type) => Type.GetTypeCode(type) switch
    {
        TypeCode.Boolean => "bool",
        TypeCode.Byte => "byte",
        TypeCode.SByte => "sbyte",
        TypeCode.Int16 => "short",
        TypeCode.UInt16 => "ushort",
        TypeCode.Int32 => "int",
        TypeCode.UInt32 => "uint",
        TypeCode.Int64 => "long",
        TypeCode.UInt64 => "ulong",
        TypeCode.Single => "float",
        TypeCode.Double => "double",
        TypeCode.Decimal => "decimal",
        TypeCode.Char => "char",
        TypeCode.String => "string",
        _ => type == typeof(object) ? "object" : type.Name,
    };
}
