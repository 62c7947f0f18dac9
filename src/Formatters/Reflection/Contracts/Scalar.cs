using System;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters;

/// <summary>A type with its own methods in the writer and the reader.</summary>
internal sealed class Scalar
{
    private static readonly Dictionary<Type, Scalar> All = CreateAll();

    private Scalar(Type type, WriteValue write, ReadValue read)
    {
        Type = type;
        Row = ScalarTypes.Find(type.FullName!)!;
        Write = write;
        Read = read;
    }

    internal delegate void WriteValue(ref BinaryBodyWriter writer, object value);

    internal delegate object ReadValue(ref BinaryBodyReader reader);

    internal Type Type { get; }

    internal ScalarType Row { get; }

    /// <summary>Gets the name of the method of <see cref="BinaryBodyReader"/>; the writer's is an overload of <c>Write</c>.</summary>
    internal string ReaderMethod => "Read" + Row.Name;

    internal WriteValue Write { get; }

    internal ReadValue Read { get; }

    internal static Scalar? Find(Type type) => All.TryGetValue(type, out Scalar? scalar) ? scalar : null;

    private static Dictionary<Type, Scalar> CreateAll()
    {
        var all = new Dictionary<Type, Scalar>();
        Add<bool>(static (ref w, v) => w.Write((bool)v), static (ref r) => r.ReadBoolean());
        Add<byte>(static (ref w, v) => w.Write((byte)v), static (ref r) => r.ReadByte());
        Add<sbyte>(static (ref w, v) => w.Write((sbyte)v), static (ref r) => r.ReadSByte());
        Add<short>(static (ref w, v) => w.Write((short)v), static (ref r) => r.ReadInt16());
        Add<ushort>(static (ref w, v) => w.Write((ushort)v), static (ref r) => r.ReadUInt16());
        Add<int>(static (ref w, v) => w.Write((int)v), static (ref r) => r.ReadInt32());
        Add<uint>(static (ref w, v) => w.Write((uint)v), static (ref r) => r.ReadUInt32());
        Add<long>(static (ref w, v) => w.Write((long)v), static (ref r) => r.ReadInt64());
        Add<ulong>(static (ref w, v) => w.Write((ulong)v), static (ref r) => r.ReadUInt64());
        Add<float>(static (ref w, v) => w.Write((float)v), static (ref r) => r.ReadSingle());
        Add<double>(static (ref w, v) => w.Write((double)v), static (ref r) => r.ReadDouble());
        Add<decimal>(static (ref w, v) => w.Write((decimal)v), static (ref r) => r.ReadDecimal());
        Add<char>(static (ref w, v) => ContractMethods.WriteChar(ref w, (char)v), static (ref r) => r.ReadChar());
        Add<DateTime>(static (ref w, v) => w.Write((DateTime)v), static (ref r) => r.ReadDateTime());
        Add<DateTimeOffset>(static (ref w, v) => w.Write((DateTimeOffset)v), static (ref r) => r.ReadDateTimeOffset());
        Add<TimeSpan>(static (ref w, v) => w.Write((TimeSpan)v), static (ref r) => r.ReadTimeSpan());
        Add<Guid>(static (ref w, v) => w.Write((Guid)v), static (ref r) => r.ReadGuid());
#if NET
        Add<Half>(static (ref w, v) => w.Write((Half)v), static (ref r) => r.ReadHalf());
        Add<DateOnly>(static (ref w, v) => w.Write((DateOnly)v), static (ref r) => r.ReadDateOnly());
        Add<TimeOnly>(static (ref w, v) => w.Write((TimeOnly)v), static (ref r) => r.ReadTimeOnly());
        Add<Int128>(static (ref w, v) => w.Write((Int128)v), static (ref r) => r.ReadInt128());
        Add<UInt128>(static (ref w, v) => w.Write((UInt128)v), static (ref r) => r.ReadUInt128());
#endif
        return all;

        void Add<T>(WriteValue write, ReadValue read) => all.Add(typeof(T), new Scalar(typeof(T), write, read));
    }
}
