using System;
using System.Collections;

namespace Formatters;

/// <summary>The contract of a bit array: an array of 32 bits each, and the number of bits.</summary>
internal sealed class LegacyBitArrayContract(LegacyType type) : LegacyBagContract(type)
{
    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(BitArray), "_version", "version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(BitArray), "_version", "version");

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types) => WithMembers(
        new LegacyBitArrayContract(type),
        ("m_array", types.Get(typeof(int[]))), ("m_length", types.Get(typeof(int))), ("_version", types.Get(typeof(int))));

    /// <summary>Gets false, because it is a plain class on .NET Framework.</summary>
    internal override bool WritesItself => false;

    /// <summary>Gets true, because its array comes after it.</summary>
    internal override bool IsMadeLate => true;

    internal override int GetCapacity(object?[] bag, int byteOffset) => Require<int[]>(bag, 0, byteOffset).Length;

    internal override object Make(object?[] bag, int byteOffset)
    {
        int[] words = Require<int[]>(bag, 0, byteOffset);
        int bitCount = Require<int>(bag, 1, byteOffset);
        if (bitCount < 0 || bitCount > 32L * words.Length || words.Length > int.MaxValue / 32)
            NrbfThrow.Malformed(byteOffset, "There are more bits than the array has.");
        var bits = new BitArray(words) { Length = bitCount };
        SetVersion?.Invoke(bits, Require<int>(bag, 2, byteOffset));
        return bits;
    }

    protected override void Fill(object?[] bag, object value)
    {
        var bits = (BitArray)value;
        int[] words = new int[(bits.Length + 31) / 32];
        bits.CopyTo(words, 0);
        bag[0] = words;
        bag[1] = bits.Length;
        bag[2] = GetVersion?.Invoke(bits) ?? 0;
    }
}
