using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using Formatters.Binary;

namespace Formatters;

/// <summary>One of the fifteen primitive types, boxed and in arrays.</summary>
internal abstract class NrbfPrimitive
{
    private static readonly NrbfPrimitive?[] ByCode = new NrbfPrimitive?[17];
    private static readonly Dictionary<Type, NrbfPrimitive> ByType = [];

    static NrbfPrimitive()
    {
        Add(new NrbfPrimitive<bool>(NrbfPrimitiveType.Boolean, 1));
        Add(new NrbfPrimitive<byte>(NrbfPrimitiveType.Byte, 1));
        Add(new NrbfPrimitive<char>(NrbfPrimitiveType.Char, 1));
        Add(new NrbfPrimitive<decimal>(NrbfPrimitiveType.Decimal, 2));
        Add(new NrbfPrimitive<double>(NrbfPrimitiveType.Double, 8));
        Add(new NrbfPrimitive<short>(NrbfPrimitiveType.Int16, 2));
        Add(new NrbfPrimitive<int>(NrbfPrimitiveType.Int32, 4));
        Add(new NrbfPrimitive<long>(NrbfPrimitiveType.Int64, 8));
        Add(new NrbfPrimitive<sbyte>(NrbfPrimitiveType.SByte, 1));
        Add(new NrbfPrimitive<float>(NrbfPrimitiveType.Single, 4));
        Add(new NrbfPrimitive<TimeSpan>(NrbfPrimitiveType.TimeSpan, 8));
        Add(new NrbfPrimitive<DateTime>(NrbfPrimitiveType.DateTime, 8));
        Add(new NrbfPrimitive<ushort>(NrbfPrimitiveType.UInt16, 2));
        Add(new NrbfPrimitive<uint>(NrbfPrimitiveType.UInt32, 4));
        Add(new NrbfPrimitive<ulong>(NrbfPrimitiveType.UInt64, 8));
    }

    protected NrbfPrimitive(NrbfPrimitiveType code, Type type, int minByteCount)
    {
        Code = code;
        Type = type;
        MinByteCount = minByteCount;
    }

    internal static IEnumerable<NrbfPrimitive> All => ByType.Values;

    internal NrbfPrimitiveType Code { get; }

    internal Type Type { get; }

    /// <summary>Gets the minimum size of a value in a body.</summary>
    internal int MinByteCount { get; }

    internal static NrbfPrimitive? Find(Type type) => ByType.TryGetValue(type, out NrbfPrimitive? primitive) ? primitive : null;

    /// <summary>Reads a PrimitiveTypeEnumeration.</summary>
    internal static NrbfPrimitive ReadCode(ref BinaryBodyReader reader)
    {
        byte code = reader.ReadByte();
        NrbfPrimitive? primitive = code < ByCode.Length ? ByCode[code] : null;
        if (primitive is null)
            NrbfThrow.Malformed(reader.ByteOffset - 1, "The byte is not a primitive type.");
        return primitive;
    }

    /// <summary>Gets the type of its vectors.</summary>
    internal abstract Type VectorType { get; }

    /// <summary>Creates the reader and writer of its arrays.</summary>
    internal abstract LegacyElements CreateElements(LegacyType type);

    /// <summary>Creates the shape of a value outside a member: usually a class with the value as its member.</summary>
    internal abstract LegacyShape CreateShape();

    /// <summary>Returns the shape of its vectors.</summary>
    internal abstract LegacyShape CreateVectorShape();

    /// <summary>Returns a field of the type.</summary>
    internal abstract LegacyMember CreateField(string declaringName, string name, LegacyType type, System.Reflection.FieldInfo field);

    internal abstract object ReadBoxed(ref BinaryBodyReader reader);

    internal abstract void WriteBoxed(ref BinaryBodyWriter writer, object value);

    private static void Add(NrbfPrimitive primitive)
    {
        ByCode[(int)primitive.Code] = primitive;
        ByType.Add(primitive.Type, primitive);
    }
}

/// <inheritdoc cref="NrbfPrimitive"/>
internal sealed class NrbfPrimitive<T>(NrbfPrimitiveType code, int minByteCount) : NrbfPrimitive(code, typeof(T), minByteCount)
    where T : struct
{
    /// <summary>Determines whether an array can be copied as memory, on a little-endian machine.</summary>
    private static readonly bool IsBlock =
        BitConverter.IsLittleEndian && typeof(T) != typeof(char) && typeof(T) != typeof(bool) && typeof(T) != typeof(decimal)
        && typeof(T) != typeof(DateTime);

    internal override Type VectorType => typeof(T[]);

    internal override LegacyElements CreateElements(LegacyType type) => new LegacyPrimitiveElements<T>(type);

    internal override LegacyShape CreateShape() => new LegacyPrimitiveShape<T>();

    internal override LegacyShape CreateVectorShape() => new LegacyArrayShape<T>();

    internal override LegacyMember CreateField(string declaringName, string name, LegacyType type, System.Reflection.FieldInfo field) =>
        new LegacyPrimitiveField<T>(declaringName, name, type, new LegacyAccess<T>(field));

    internal override object ReadBoxed(ref BinaryBodyReader reader) => NrbfValues.Read<T>(ref reader);

    internal override void WriteBoxed(ref BinaryBodyWriter writer, object value) => NrbfValues.Write(ref writer, (T)value);

    /// <summary>Reads the elements of an array.</summary>
    internal static void ReadElements(ref BinaryBodyReader reader, Span<T> elements)
    {
        if (IsBlock)
        {
            Span<byte> bytes = MemoryMarshal.AsBytes(elements);
            reader.ReadSpan(bytes.Length).CopyTo(bytes);
        }
        else if (typeof(T) == typeof(char))
        {
            ReadChars(ref reader, MemoryMarshal.Cast<T, char>(elements));
        }
        else
        {
            for (int i = 0; i < elements.Length; i++)
                elements[i] = NrbfValues.Read<T>(ref reader);
        }
    }

    /// <summary>Writes the elements of an array.</summary>
    internal static void WriteElements(ref BinaryBodyWriter writer, T[] elements)
    {
        if (IsBlock)
        {
            writer.Write(MemoryMarshal.AsBytes(elements.AsSpan()));
        }
        else if (typeof(T) == typeof(char))
        {
            // Encoded together: two consecutive surrogates are one character of four bytes.
            writer.Write(Encoding.UTF8.GetBytes((char[])(object)elements));
        }
        else
        {
            foreach (T element in elements)
                NrbfValues.Write(ref writer, element);
        }
    }

    private static void ReadChars(ref BinaryBodyReader reader, Span<char> elements)
    {
        int i = 0;
        while (i < elements.Length)
        {
            BinaryBodyReader start = reader;
            byte lead = reader.ReadByte();
            if (lead < 0xF0)
            {
                reader = start;
                elements[i++] = reader.ReadChar();
                continue;
            }

            int offset = start.ByteOffset;
            ReadOnlySpan<byte> rest = reader.ReadSpan(3);
            int scalar = ((lead & 7) << 18) | ((rest[0] & 0x3F) << 12) | ((rest[1] & 0x3F) << 6) | (rest[2] & 0x3F);
            bool isValid = lead < 0xF5 && ((rest[0] & rest[1] & rest[2]) & 0x80) != 0 && ((rest[0] | rest[1] | rest[2]) & 0x40) == 0;
            if (!isValid || scalar is < 0x10000 or > 0x10FFFF || i + 2 > elements.Length)
                ThrowHelper.ThrowBadText(offset);
            elements[i++] = (char)(0xD7C0 + (scalar >> 10));
            elements[i++] = (char)(0xDC00 + (scalar & 0x3FF));
        }
    }
}
