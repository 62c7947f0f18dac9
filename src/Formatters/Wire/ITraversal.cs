using System.ComponentModel;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>The traversal of a type: its generated code, which is the same in every traversal format.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ITraversal<T>
{
    /// <summary>Writes a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    ref byte Write<TFormat, TMode>(ref WireWriter writer, ref byte position, T value)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode;

    /// <summary>Reads a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to fill; the default for none.</param>
    /// <returns>The value.</returns>
    T Read<TFormat, TMode>(ref WireReader reader, T? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode;
}
