using System;
using System.Collections;
using System.Linq;
using System.Reflection;
using System.Xml;
using System.Xml.Serialization;
using Formatters.Tests.Support;

namespace Formatters.Contracts.Tests.Xml;

/// <summary>Random objects of the types of XmlPayloads.cs, by reflection.</summary>
/// <param name="seed">The seed.</param>
/// <param name="withControls">Whether texts have control characters and the two that are no characters, which XML has not.</param>
internal sealed class XmlRandomValues(int seed, bool withControls = true)
{
    private static readonly string[] Texts = ["", " ", "\r\n", "a\r\nb\tc", "<&>\"'", "]]>", "\u0001\u001F", "\uFFFE\uFFFF", "plain", "M\u00FCller", "\uD83D\uDE00", " x ", "no", "x", "5"];
    private readonly Random _random = new(seed);

    public T Next<T>() => (T)Make(typeof(T), 0)!;

    private object? Make(Type type, int depth)
    {
        if (Nullable.GetUnderlyingType(type) is Type underlying)
            return _random.Next(3) == 0 ? null : Make(underlying, depth);
        if (type.IsEnum)
            return Enumeration(type);
        if (Scalar(type) is object scalar)
            return scalar;
        if (!type.IsValueType && depth > 0 && _random.Next(4) == 0)
            return null;
        if (type == typeof(string))
            return Text();
        if (type == typeof(byte[]))
        {
            byte[] bytes = new byte[_random.Next(50)];
            _random.NextBytes(bytes);
            return bytes;
        }

        if (type.IsArray)
        {
            var array = Array.CreateInstance(type.GetElementType()!, Count(depth));
            for (int i = 0; i < array.Length; i++)
                array.SetValue(Make(type.GetElementType()!, depth + 1), i);
            return array;
        }

        if (typeof(IList).IsAssignableFrom(type))
            return Fill((IList)Activator.CreateInstance(type)!, type.GetGenericArguments()[0], depth);
        if (type == typeof(XmlShape) || type == typeof(XmlCircle))
            type = new[] { typeof(XmlCircle), typeof(XmlSquare) }[_random.Next(2)];
        else if (type == typeof(XmlCustomer))
            type = new[] { typeof(XmlCustomer), typeof(XmlVip) }[_random.Next(2)];
        object value = Activator.CreateInstance(type)!;
        foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance).Where(static f => !f.IsInitOnly))
            field.SetValue(value, Member(field, field.FieldType, depth));
        foreach (PropertyInfo property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            if (property.GetSetMethod() is not null)
                property.SetValue(value, Member(property, property.PropertyType, depth));
            else if (property.GetValue(value) is IList list)
                Fill(list, property.PropertyType.GetGenericArguments()[0], depth);
        }

        return value;
    }

    private object? Member(MemberInfo member, Type type, int depth)
    {
        if (type != typeof(ArrayList))
            return depth > 4 && !type.IsValueType ? null : Make(type, depth + 1);
        Type item = member.GetCustomAttribute<XmlArrayItemAttribute>()?.Type ?? member.GetCustomAttribute<XmlElementAttribute>()!.Type!;
        return _random.Next(4) == 0 ? null : Fill([], item, depth);
    }

    private object Fill<TList>(TList list, Type item, int depth)
        where TList : IList
    {
        for (int count = Count(depth); count > 0; count--)
            list.Add(Make(item, depth + 1));
        return list;
    }

    private object Fill(ArrayList list, Type item, int depth) => Fill<ArrayList>(list, item, depth);

    private string Text()
    {
        string text = _random.Next(3) == 0 ? Texts[_random.Next(Texts.Length)] : RandomText.Next(_random, _random.Next(4) == 0 ? _random.Next(300) : _random.Next(40), validOnly: true);
        return withControls ? text : string.Concat(text.Where(static c => XmlConvert.IsXmlChar(c) || char.IsSurrogate(c)));
    }

    private int Count(int depth) => depth > 4 ? 0 : _random.Next(4);

    private object Enumeration(Type type)
    {
        // Now and then one without a name, which is refused.
        if (_random.Next(200) == 0)
            return Enum.ToObject(type, 77);
        object[] values = [.. Enum.GetValues(type).Cast<object>()];
        object value = values[_random.Next(values.Length)];
        return type != typeof(Rights) ? value : (Rights)value | (Rights)values[_random.Next(values.Length)];
    }

    private object? Scalar(Type type) =>
        type == typeof(bool) ? _random.Next(2) == 1
        : type == typeof(byte) ? (byte)Bits()
        : type == typeof(sbyte) ? (sbyte)Bits()
        : type == typeof(short) ? (short)Bits()
        : type == typeof(ushort) ? (ushort)Bits()
        : type == typeof(int) ? (int)Bits()
        : type == typeof(uint) ? (uint)Bits()
        : type == typeof(long) ? Bits()
        : type == typeof(ulong) ? (ulong)Bits()
        : type == typeof(float) ? (_random.Next(2) == 0 ? BitConverter.ToSingle(BitConverter.GetBytes((int)Bits()), 0) : _random.Next(10000) / 100f)
        : type == typeof(double) ? (_random.Next(2) == 0 ? BitConverter.Int64BitsToDouble(Bits()) : _random.Next(1000000) / 100d)
        : type == typeof(decimal) ? new decimal((int)Bits(), (int)Bits(), (int)Bits(), _random.Next(2) == 0, (byte)_random.Next(29))
        : type == typeof(char) ? (char)Bits()
        : type == typeof(DateTime) ? Time()
        : type == typeof(DateTimeOffset) ? new DateTimeOffset(Time().Ticks, TimeSpan.FromMinutes(_random.Next(-840, 841)))
        : type == typeof(TimeSpan) ? new TimeSpan(Bits())
        : type == typeof(Guid) ? new Guid((int)Bits(), (short)Bits(), (short)Bits(), BitConverter.GetBytes(Bits()))
        : null;

    private DateTime Time()
    {
        long ticks = TimeSpan.TicksPerDay + (long)(_random.NextDouble() * (DateTime.MaxValue.Ticks - (2 * TimeSpan.TicksPerDay)));
        long unit = new[] { 1, 10, TimeSpan.TicksPerMillisecond, TimeSpan.TicksPerSecond, TimeSpan.TicksPerDay }[_random.Next(5)];
        return new DateTime(ticks / unit * unit, (DateTimeKind)_random.Next(3));
    }

    private long Bits()
    {
        byte[] bytes = new byte[8];
        _random.NextBytes(bytes);
        return BitConverter.ToInt64(bytes, 0) >> (_random.Next(3) == 0 ? _random.Next(64) : 0);
    }
}
