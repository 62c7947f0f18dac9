using System;
using System.ComponentModel;
using System.Text;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>The names of a record in the map form, in the order in which they are written. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class WireKeys
{
    private readonly byte[][] _names;

    /// <summary>Makes the keys of a record.</summary>
    /// <param name="names">The names.</param>
    public WireKeys(params string[] names) =>
        _names = Array.ConvertAll(names ?? throw new ArgumentNullException(nameof(names)), static name => Encoding.UTF8.GetBytes(name));

    /// <summary>Reads a key.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="byteOffset">Receives the offset of the key.</param>
    /// <returns>Its index, or -1 if it is not one of these.</returns>
    public int Read<TFormat>(ref WireReader reader, out int byteOffset)
        where TFormat : struct, IWireFormat
    {
        byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> name = default(TFormat).ReadKey(ref reader, out bool isText);
        return isText ? IndexOf(name, 0) : -1;
    }

    /// <summary>Reads a key by reflection.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="expected">The index of the expected key, which is compared first.</param>
    internal int Read<TFormat>(ref WireReader reader, int expected)
        where TFormat : struct, IWireFormat
    {
        ReadOnlySpan<byte> name = default(TFormat).ReadKey(ref reader, out bool isText);
        return isText ? IndexOf(name, expected) : -1;
    }

    /// <summary>Gets the UTF-8 of a name.</summary>
    internal byte[] this[int index] => _names[index];

    internal bool Contains<TFormat>(ReadOnlySpan<byte> key)
        where TFormat : struct, IWireFormat
    {
        var reader = new WireReader(key, null);
        ReadOnlySpan<byte> name = default(TFormat).ReadKey(ref reader, out bool isText);
        return isText && IndexOf(name, 0) >= 0;
    }

    private int IndexOf(ReadOnlySpan<byte> name, int expected)
    {
        if ((uint)expected < (uint)_names.Length && name.SequenceEqual(_names[expected]))
            return expected;
        for (int i = 0; i < _names.Length; i++)
        {
            if (name.SequenceEqual(_names[i]))
                return i;
        }

        return -1;
    }
}
