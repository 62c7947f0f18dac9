using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Reflection;
using System.Text;

namespace Formatters.Contracts.Tests.Judges;

internal enum ShapeKind
{
    Scalar,
    List,
    Map,
    Record,
    Union,
}

/// <summary>What a type is to a judge, and its values as trees: scalars as they are, lists and records as arrays, maps as arrays of pairs, unions as a tag and a record.</summary>
internal sealed class Shape
{
    private static readonly HashSet<Type> s_scalars =
    [
        typeof(bool), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong), typeof(char), typeof(float), typeof(double),
        typeof(decimal), typeof(string), typeof(byte[]), typeof(DateTime), typeof(DateTimeOffset), typeof(TimeSpan), typeof(Guid), typeof(BigInteger), typeof(Uri), typeof(Version),
        typeof(IPAddress), typeof(Half), typeof(DateOnly), typeof(TimeOnly), typeof(Int128), typeof(UInt128),
    ];

    private (int Number, string Name, Shape Shape)[]? _members;
    private (int Tag, Shape Shape)[]? _cases;

    private Shape(Type type, bool isNullable, ShapeKind kind) => (Type, IsNullable, Kind) = (type, isNullable, kind);

    internal ShapeKind Kind { get; }

    internal Type Type { get; }

    internal bool IsNullable { get; }

    /// <summary>Gets what a map has as keys.</summary>
    internal Shape? Key { get; private init; }

    /// <summary>Gets the elements of a list, or the values of a map.</summary>
    internal Shape? Element { get; private init; }

    /// <summary>Gets the members of a record in the order of their declaration; the number is 0 where there is none.</summary>
    internal (int Number, string Name, Shape Shape)[] Members => _members ??= [.. PropertiesOf(Type).Select(static property => (NumberOf(property), property.Name, Of(property)))];

    internal (int Tag, Shape Shape)[] Cases => _cases ??= [.. Type.GetCustomAttributes<MessageUnionAttribute>(inherit: false).Select(static one => (one.Tag, Of(one.Type)))];

    internal static Shape Of(Type type, NullabilityInfo? info = null)
    {
        bool isNullable = Nullable.GetUnderlyingType(type) is not null || info?.ReadState == NullabilityState.Nullable;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type.IsEnum || s_scalars.Contains(type))
            return new Shape(type, isNullable, ShapeKind.Scalar);
        if (type.IsGenericType && typeof(IDictionary).IsAssignableFrom(type))
            return new Shape(type, isNullable, ShapeKind.Map) { Key = Of(type.GenericTypeArguments[0]), Element = Of(type.GenericTypeArguments[1], info?.GenericTypeArguments[1]) };
        if (type.IsArray || type.IsGenericType && typeof(IList).IsAssignableFrom(type))
            return new Shape(type, isNullable, ShapeKind.List) { Element = Of(type.GetElementType() ?? type.GenericTypeArguments[0], info?.ElementType ?? info?.GenericTypeArguments[0]) };
        return new Shape(type, isNullable, type.IsDefined(typeof(MessageUnionAttribute), inherit: false) ? ShapeKind.Union : ShapeKind.Record);
    }

    /// <remarks>The annotation of a <c>T Value</c> is that of the argument, which is not known: it counts as not nullable.</remarks>
    private static Shape Of(PropertyInfo property) =>
        Of(property.PropertyType, property.DeclaringType!.IsGenericType ? null : new NullabilityInfoContext().Create(property));

    /// <summary>The tree of a value.</summary>
    internal object? Tree(object? value) => value is null ? null : Kind switch
    {
        ShapeKind.Scalar => value,
        ShapeKind.List => ((IEnumerable)value).Cast<object?>().Select(Element!.Tree).ToArray(),
        ShapeKind.Map => ((IDictionary)value).Keys.Cast<object>().Select(key => new KeyValuePair<object, object?>(key, Element!.Tree(((IDictionary)value)[key]))).ToArray(),
        ShapeKind.Union => Cases.Where(one => one.Shape.Type == value.GetType()).Select(one => new KeyValuePair<object, object?>(one.Tag, one.Shape.Tree(value))).Single(),
        _ => PropertiesOf(Type).Zip(Members, (property, member) => member.Shape.Tree(property.GetValue(value))).ToArray(),
    };

    /// <summary>The tree of a new object.</summary>
    internal object?[] New() => (object?[])Tree(Activator.CreateInstance(Type))!;

    /// <summary>A tree as text: equal texts, equal values, to the last bit.</summary>
    internal string Print(object? tree, bool keepsNaN) => tree switch
    {
        null => "null",
        object?[] items when Kind == ShapeKind.List => $"[{string.Join(", ", items.Select(item => Element!.Print(item, keepsNaN)))}]",
        object?[] members => $"{{{string.Join(", ", members.Select((member, i) => $"{Members[i].Name}: {Members[i].Shape.Print(member, keepsNaN)}"))}}}",
        KeyValuePair<object, object?>[] entries => $"{{{string.Join(", ", entries.Select(entry => $"{Key!.Print(entry.Key, keepsNaN)}: {Element!.Print(entry.Value, keepsNaN)}"))}}}",
        KeyValuePair<object, object?> one => $"{one.Key} {Cases.Single(other => other.Tag == (int)one.Key).Shape.Print(one.Value, keepsNaN)}",
        float number => float.IsNaN(number) && !keepsNaN ? "NaN" : $"{number:R} {BitConverter.SingleToUInt32Bits(number):X8}",
        double number => double.IsNaN(number) && !keepsNaN ? "NaN" : $"{number:R} {BitConverter.DoubleToUInt64Bits(number):X16}",
        Half number => Half.IsNaN(number) && !keepsNaN ? "NaN" : $"{number} {BitConverter.HalfToUInt16Bits(number):X4}",
        decimal number => $"{number.ToString(CultureInfo.InvariantCulture)} {string.Join(' ', decimal.GetBits(number))}",
        string text => Convert.ToHexString(Encoding.BigEndianUnicode.GetBytes(text)) + $" \"{text}\"",
        byte[] bytes => Convert.ToHexString(bytes),
        DateTime time => $"{time.Ticks} {time.Kind}",
        DateTimeOffset time => $"{time.Ticks} {time.Offset}",
        TimeSpan time => $"{time.Ticks}",
        TimeOnly time => $"{time.Ticks}",
        Uri address => address.OriginalString,
        char character => $"{(int)character}",
        Enum number => number.ToString("D"),
        _ => Convert.ToString(tree, CultureInfo.InvariantCulture)!,
    };

    private static IEnumerable<PropertyInfo> PropertiesOf(Type type) =>
        type.GetProperties(BindingFlags.Public | BindingFlags.Instance).OrderBy(static property => property.MetadataToken);

    private static int NumberOf(PropertyInfo property) => property.GetCustomAttribute<MessageMemberAttribute>()?.Number ?? 0;
}
