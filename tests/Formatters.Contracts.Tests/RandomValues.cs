using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Formatters.Tests.Support;

namespace Formatters.Contracts.Tests;

/// <summary>Random objects of any shape of Payloads.cs, by reflection: null where null is declared, short collections, extreme numbers.</summary>
internal sealed class RandomValues(int seed)
{
    private readonly Random _random = new(seed);
    private readonly NullabilityInfoContext _nullability = new();

    /// <summary>The format for which the bytes of unknown cases of unions are one value.</summary>
    internal int BodyType { get; init; }

    /// <summary>Whether a decimal may be a zero with a sign.</summary>
    internal bool HasNegativeZeros { get; init; } = true;

    private const int Resp3 = 0x5233;

    public T Next<T>() => (T)Make(typeof(T), null, 0)!;

    private object? Make(Type type, NullabilityInfo? info, int depth)
    {
        if (Nullable.GetUnderlyingType(type) is Type underlying)
            return _random.Next(3) == 0 ? null : Make(underlying, null, depth);
        if (info is { ReadState: NullabilityState.Nullable } && (depth > 3 || _random.Next(3) == 0))
            return null;
        if (type.IsEnum)
            return Enum.ToObject(type, Make(type.GetEnumUnderlyingType(), null, depth)!);
        if (Scalar(type) is object scalar)
            return scalar;
        if (type.IsArray && type.GetArrayRank() > 1)
            return Grid(type, depth);
        if (type.IsArray)
        {
            var array = Array.CreateInstance(type.GetElementType()!, Count(depth));
            for (int i = 0; i < array.Length; i++)
                array.SetValue(Make(type.GetElementType()!, info?.ElementType, depth + 1), i);
            return array;
        }

        if (type == typeof(ReadOnlyMemory<byte>))
            return new ReadOnlyMemory<byte>((byte[])Make(typeof(byte[]), null, depth)!);
        if (type == typeof(Memory<byte>))
            return new Memory<byte>((byte[])Make(typeof(byte[]), null, depth)!);
        if (type == typeof(ArraySegment<byte>))
            return new ArraySegment<byte>((byte[])Make(typeof(byte[]), null, depth)!);
        if (type.IsGenericType && typeof(IEnumerable).IsAssignableFrom(type))
            return Collection(type, info, depth);
        if (type.GetCustomAttributes<MessageUnionAttribute>(inherit: false).ToArray() is { Length: > 0 } cases)
            return Case(cases, depth);
        if (type.IsInterface && type.Assembly.GetTypes().Where(one => one.IsClass && type.IsAssignableFrom(one)).ToArray() is { Length: > 0 } classes)
            return Record(classes[_random.Next(classes.Length)], null, depth + 1);
        return Record(type, info, depth);
    }

    private Array Grid(Type type, int depth)
    {
        var grid = Array.CreateInstance(type.GetElementType()!, [.. Enumerable.Range(0, type.GetArrayRank()).Select(_ => Count(depth))]);
        int[] indexes = new int[grid.Rank];
        for (int i = 0; i < grid.Length; i++)
        {
            for (int d = grid.Rank - 1, rest = i; d >= 0; rest /= grid.GetLength(d--))
                indexes[d] = rest % grid.GetLength(d);
            grid.SetValue(Make(type.GetElementType()!, null, depth + 1), indexes);
        }

        return grid;
    }

    private object Case(MessageUnionAttribute[] cases, int depth)
    {
        // Deep down the first, which holds no further ones.
        Type type = cases[depth > 4 ? 0 : _random.Next(cases.Length)].Type;
        object value = Record(type, null, depth + 1);
        if (value is IUnknownCase unknown)
        {
            byte[] body = new byte[_random.Next(20)];
            _random.NextBytes(body);
            // A content of the compact format, or
            body = BodyType == BodyTypes.Compact ? [(byte)(0x80 + body.Length), .. body]
                : BodyType == Resp3 ? [(byte)'$', (byte)('0' + (body.Length / 10)), (byte)('0' + (body.Length % 10)), (byte)'\r', (byte)'\n', .. body, (byte)'\r', (byte)'\n']
                : [0xDA, 0, (byte)(4 + body.Length), 1, 2, 0x58, (byte)body.Length, .. body]; // a string of MessagePack, and a tagged byte string of CBOR
            (unknown.Tag, unknown.Body, unknown.BodyType) = (_random.Next(1000, 1 << 29), body, BodyType);
        }

        return value;
    }

    private object? Scalar(Type type) =>
        type == typeof(bool) ? _random.Next(2) == 1
        : type == typeof(byte) ? (byte)_random.Next(256)
        : type == typeof(sbyte) ? (sbyte)_random.Next(-128, 128)
        : type == typeof(short) ? (short)Bits()
        : type == typeof(ushort) ? (ushort)Bits()
        : type == typeof(int) ? (int)Bits()
        : type == typeof(uint) ? (uint)Bits()
        : type == typeof(long) ? Bits()
        : type == typeof(ulong) ? (ulong)Bits()
        : type == typeof(float) ? BitConverter.Int32BitsToSingle((int)Bits())
        : type == typeof(double) ? BitConverter.Int64BitsToDouble(Bits())
        : type == typeof(decimal) ? Decimal()
        : type == typeof(char) ? (char)_random.Next(0xD800)
        : type == typeof(string) ? RandomText.Next(_random, _random.Next(4) == 0 ? _random.Next(300) : _random.Next(40), validOnly: true)
        : type == typeof(DateTime) ? new DateTime(Ticks(), DateTimeKind.Utc)
        : type == typeof(DateTimeOffset) ? new DateTimeOffset(Ticks(), TimeSpan.FromMinutes(_random.Next(-840, 841)))
        : type == typeof(TimeSpan) ? new TimeSpan(Bits())
        : type == typeof(Guid) ? new Guid((int)Bits(), (short)Bits(), (short)Bits(), BitConverter.GetBytes(Bits()))
        : type == typeof(Uri) ? new Uri(FormattableString.Invariant($"{(_random.Next(2) == 0 ? "http://example.org" : "")}/é?{Bits()}"), UriKind.RelativeOrAbsolute)
        : type == typeof(Version) ? (_random.Next(2) == 0 ? new Version(_random.Next(), _random.Next()) : new Version(_random.Next(), _random.Next(), _random.Next(), _random.Next()))
        : type == typeof(BigInteger) ? BigInteger.Multiply(Bits(), Bits())
        : type == typeof(IPAddress) ? new IPAddress(_random.Next(2) == 0 ? BitConverter.GetBytes((int)Bits()) : [.. BitConverter.GetBytes(Bits()), .. BitConverter.GetBytes(Bits())])
        : NetScalar(type);

#if NET
    private object? NetScalar(Type type) =>
        type == typeof(Half) ? BitConverter.Int16BitsToHalf((short)Bits())
        : type == typeof(DateOnly) ? DateOnly.FromDayNumber(_random.Next(DateOnly.MaxValue.DayNumber + 1))
        : type == typeof(TimeOnly) ? new TimeOnly(_random.NextInt64(TimeSpan.TicksPerDay))
        : type == typeof(Int128) ? new Int128((ulong)Bits(), (ulong)Bits())
        : type == typeof(UInt128) ? new UInt128((ulong)Bits(), (ulong)Bits())
        : null;
#else
    private static object? NetScalar(Type type) => null;
#endif

    private decimal Decimal()
    {
        var value = new decimal((int)Bits(), (int)Bits(), (int)Bits(), _random.Next(2) == 0, (byte)_random.Next(29));
        return value == 0 && !HasNegativeZeros ? 0 : value;
    }

    private object Collection(Type type, NullabilityInfo? info, int depth)
    {
        Type[] arguments = type.GetGenericArguments();
        int count = Count(depth);
        if (arguments.Length == 2)
        {
            var dictionary = (IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(arguments))!;
            for (int i = 0; i < count; i++)
                dictionary[Make(arguments[0], null, depth + 1)!] = Make(arguments[1], info?.GenericTypeArguments[1], depth + 1);
            return Of(dictionary);
        }

        var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(arguments))!;
        for (int i = 0; i < count; i++)
            list.Add(Make(arguments[0], info?.GenericTypeArguments[0], depth + 1));
        return Of(list);

        object Of(object items) => type.IsInstanceOfType(items) ? items
            : type.IsInterface ? Activator.CreateInstance(typeof(HashSet<>).MakeGenericType(arguments), items)!
            : items is IDictionary entries && typeof(IDictionary).IsAssignableFrom(type) && type.GetConstructor(Type.EmptyTypes) is not null ? Put(entries, (IDictionary)Activator.CreateInstance(type)!)
            : type.Namespace != "System.Collections.Immutable" ? Activator.CreateInstance(type, items)!
            : type.Assembly.GetType(type.FullName!.Split('`')[0])!.GetMethods().Single(m => m.Name == "CreateRange" && m.GetParameters() is [{ ParameterType: { IsGenericType: true } parameter }]
                && parameter.GetGenericTypeDefinition() == typeof(IEnumerable<>)).MakeGenericMethod(arguments).Invoke(null, [items])!;

        // A sorted one compares by culture: different keys may be equal to it.
        static object Put(IDictionary from, IDictionary to)
        {
            foreach (DictionaryEntry entry in from)
                to[entry.Key] = entry.Value;
            return to;
        }
    }

    private object Record(Type type, NullabilityInfo? info, int depth)
    {
        ConstructorInfo? constructor = type.GetConstructors().Where(c => !c.GetParameters().Any(p => p.ParameterType == type)).OrderByDescending(c => c.GetParameters().Length).FirstOrDefault();
        object?[] arguments = constructor?.GetParameters()
            .Select((p, i) => p.ParameterType == typeof(int) && IsPicky(type)
                ? _random.Next()
                : Make(p.ParameterType, type.IsGenericType && (info is not null || type.Namespace?.StartsWith("System", StringComparison.Ordinal) == true) ? info?.GenericTypeArguments[i] : _nullability.Create(p), depth + 1))
            .ToArray() ?? [];
        object value = constructor is null ? RuntimeHelpers.GetUninitializedObject(type) : constructor.Invoke(arguments);
        foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
        {
            if (!field.IsInitOnly)
                field.SetValue(value, Member(type, field, field.FieldType, _nullability.Create(field), info, depth));
        }

        foreach (PropertyInfo property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (property.GetSetMethod() is not null && !typeof(IUnknownCase).IsAssignableFrom(type) && property.GetIndexParameters().Length == 0)
                property.SetValue(value, Member(type, property, property.PropertyType, _nullability.Create(property), info, depth));
        }

        for (Type? level = type; level is not null; level = level.BaseType)
        {
            const BindingFlags Hidden = BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
            foreach (FieldInfo field in level.GetFields(Hidden).Where(f => !f.IsPublic && IsMarked(f)))
                field.SetValue(value, Make(field.FieldType, _nullability.Create(field), depth + 1));
            foreach (PropertyInfo property in level.GetProperties(Hidden).Where(p => p.GetSetMethod() is null && p.CanWrite && IsMarked(p)))
                property.SetValue(value, Make(property.PropertyType, _nullability.Create(property), depth + 1));
        }

        // Of the cases of a oneof, at most one has a value.
        foreach (IGrouping<string?, PropertyInfo> oneof in type.GetProperties().Where(p => OneofOf(p) is not null).GroupBy(OneofOf))
        {
            foreach (PropertyInfo other in oneof.Where(p => p.GetValue(value) is not null).OrderBy(_ => _random.Next()).Skip(1).ToArray())
                other.SetValue(value, null);
        }

        return value;

        string? OneofOf(PropertyInfo member) => (member.GetCustomAttribute<MessageMemberAttribute>()
            ?? constructor?.GetParameters().FirstOrDefault(p => p.Name == member.Name)?.GetCustomAttribute<MessageMemberAttribute>())?.Oneof;

        static bool IsMarked(MemberInfo member) => member.IsDefined(typeof(DataMemberAttribute)) || member.IsDefined(typeof(MessageMemberAttribute));
    }

    private object? Member(Type owner, MemberInfo member, Type type, NullabilityInfo info, NullabilityInfo? ownerInfo, int depth)
    {
        if (type == typeof(ArrayList) || type == typeof(IList))
        {
            var list = new ArrayList();
            Type element = member.GetCustomAttribute<ElementTypeAttribute>()?.ElementType ?? typeof(int);
            for (int count = Count(depth); count > 0; count--)
                list.Add(Make(element, null, depth + 1));
            return list;
        }

        if (type == typeof(Hashtable))
        {
            var table = new Hashtable();
            ElementTypeAttribute declared = member.GetCustomAttribute<ElementTypeAttribute>()!;
            table[Make(declared.KeyType!, null, depth + 1)!] = Make(declared.ElementType, null, depth + 1);
            return table;
        }

        // Cents in a long.
        if (member.GetCustomAttribute<MemberCodecAttribute>()?.CodecType.Name == "CentsFormatter")
            return type == typeof(decimal?) && _random.Next(3) == 0 ? null : new decimal(_random.Next()) / 100;
        if (IsPicky(owner))
            return _random.Next();
        bool isArgument = owner.IsGenericType && owner.Name == "Box`1" && ownerInfo is { GenericTypeArguments.Length: 1 };
        if (owner.IsGenericType && owner.Name.StartsWith("ValueTuple", StringComparison.Ordinal))
            return Make(type, ownerInfo?.GenericTypeArguments[member.Name == "Rest" ? 7 : member.Name[^1] - '1'], depth + 1);
        // A Box<string?> has a null where its argument is declared so; without an owner's annotation it has none.
        bool isOfArguments = owner.IsGenericType && (owner.Name.StartsWith("Box", StringComparison.Ordinal) || owner.Name.StartsWith("Entry", StringComparison.Ordinal));
        return Make(type, isArgument ? ownerInfo!.GenericTypeArguments[0] : isOfArguments ? null : info, depth + 1);
    }

    // Their code refuses negative numbers.
    private static bool IsPicky(Type type) => type.Name.StartsWith("Picky", StringComparison.Ordinal) || type.Name == "Refusing";

    private int Count(int depth) => depth > 3 ? 0 : _random.Next(4);

    private long Ticks() => _random.NextInt64(TimeSpan.TicksPerDay * 2, DateTime.MaxValue.Ticks - (TimeSpan.TicksPerDay * 2));

    private long Bits() => _random.Next(4) switch
    {
        0 => _random.Next(-2, 3),
        1 => long.MaxValue - _random.Next(2),
        _ => _random.NextInt64(long.MinValue, long.MaxValue),
    };
}
