using System;
using System.Reflection;
using System.Threading;

namespace Formatters;

/// <summary>The accessors of a field: two delegates, or the field itself, whose delegates are created on first use.</summary>
/// <remarks>Emitting them takes most of the time of creating a formatter, and most types in a set have no objects in bodies.</remarks>
internal sealed class LegacyAccess<T>
{
    private readonly FieldInfo? _field;
    private Func<object, T>? _getter;
    private Action<object, T>? _setter;

    internal LegacyAccess(FieldInfo field, Func<object, T>? getter = null, Action<object, T>? setter = null)
        : this(getter!, setter!) => _field = field;

    internal LegacyAccess(Func<object, T> getter, Action<object, T> setter)
    {
        _getter = getter;
        _setter = setter;
    }

    internal T Get(object target) => (_getter ?? MakeGetter())(target);

    internal void Set(object target, T value) => (_setter ?? MakeSetter())(target, value);

    private Func<object, T> MakeGetter()
    {
        Volatile.Write(ref _getter, FieldAccess.Getter<T>(_field!));
        return _getter!;
    }

    private Action<object, T> MakeSetter()
    {
        Volatile.Write(ref _setter, FieldAccess.Setter<T>(_field!));
        return _setter!;
    }
}
