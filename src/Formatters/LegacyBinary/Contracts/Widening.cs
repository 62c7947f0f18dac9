using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Formatters;

/// <summary>
/// The implicit numeric conversions of C# without loss: for a member that has become wider since the body was written. An enum is its number.
/// </summary>
internal static class Widening
{
    internal static bool TryConvert(object value, Type target, [NotNullWhen(true)] out object? wider)
    {
        TypeCode from = Type.GetTypeCode(value.GetType());
        TypeCode to = Type.GetTypeCode(target);
        bool isNumber = from is >= TypeCode.SByte and <= TypeCode.Double && to is >= TypeCode.SByte and <= TypeCode.Decimal;
        wider = null;
        if (!isNumber || !(from == to || IsWider(from, to)))
            return false;
        object number = from == to ? value : System.Convert.ChangeType(value, to, CultureInfo.InvariantCulture);
        wider = target.IsEnum
            ? Enum.ToObject(target, number)
            : value.GetType().IsEnum && from == to
            ? System.Convert.ChangeType(value, to, CultureInfo.InvariantCulture)
            : number;
        return true;
    }

    private static bool IsWider(TypeCode from, TypeCode to) => from switch
    {
        TypeCode.SByte => to is TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64 or TypeCode.Single or TypeCode.Double or TypeCode.Decimal,
        TypeCode.Byte => to > TypeCode.Byte,
        TypeCode.Int16 => to is TypeCode.Int32 or TypeCode.Int64 or TypeCode.Single or TypeCode.Double or TypeCode.Decimal,
        TypeCode.UInt16 => to > TypeCode.UInt16,
        TypeCode.Int32 => to is TypeCode.Int64 or TypeCode.Double or TypeCode.Decimal,
        TypeCode.UInt32 => to is TypeCode.Int64 or TypeCode.UInt64 or TypeCode.Double or TypeCode.Decimal,
        TypeCode.Int64 or TypeCode.UInt64 => to is TypeCode.Decimal,
        TypeCode.Single => to is TypeCode.Double,
        _ => false,
    };
}
