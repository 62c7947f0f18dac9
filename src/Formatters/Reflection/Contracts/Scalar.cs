using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>A type whose values the writer and the reader know themselves.</summary>
internal sealed class Scalar
{
    private static readonly Dictionary<Type, Scalar> All = CreateAll();

    private Scalar(Type type, int minByteCount, string readerMethod, WriteValue write, ReadValue read)
    {
        Type = type;
        MinByteCount = minByteCount;
        ReaderMethod = readerMethod;
        Write = write;
        Read = read;
    }

    internal delegate void WriteValue(ref BinaryBodyWriter writer, object value);

    internal delegate object ReadValue(ref BinaryBodyReader reader);

    internal Type Type { get; }

    internal int MinByteCount { get; }

    /// <summary>The name of the method of <see cref="BinaryBodyReader"/>; the writer's is an overload of <c>Write</c>.</summary>
    internal string ReaderMethod { get; }

    internal WriteValue Write { get; }

    internal ReadValue Read { get; }

    internal static Scalar? Find(Type type) => All.TryGetValue(type, out Scalar? scalar) ? scalar : null;

    private static Dictionary<Type, Scalar> CreateAll()
    {
        var all = new Dictionary<Type, Scalar>();
        Add<bool>(1, nameof(BinaryBodyReader.ReadBoolean), static (ref w, v) => w.Write((bool)v), static (ref r) => r.ReadBoolean());
        Add<byte>(1, nameof(BinaryBodyReader.ReadByte), static (ref w, v) => w.Write((byte)v), static (ref r) => r.ReadByte());
        Add<sbyte>(1, nameof(BinaryBodyReader.ReadSByte), static (ref w, v) => w.Write((sbyte)v), static (ref r) => r.ReadSByte());
        Add<short>(2, nameof(BinaryBodyReader.ReadInt16), static (ref w, v) => w.Write((short)v), static (ref r) => r.ReadInt16());
        Add<ushort>(2, nameof(BinaryBodyReader.ReadUInt16), static (ref w, v) => w.Write((ushort)v), static (ref r) => r.ReadUInt16());
        Add<int>(4, nameof(BinaryBodyReader.ReadInt32), static (ref w, v) => w.Write((int)v), static (ref r) => r.ReadInt32());
        Add<uint>(4, nameof(BinaryBodyReader.ReadUInt32), static (ref w, v) => w.Write((uint)v), static (ref r) => r.ReadUInt32());
        Add<long>(8, nameof(BinaryBodyReader.ReadInt64), static (ref w, v) => w.Write((long)v), static (ref r) => r.ReadInt64());
        Add<ulong>(8, nameof(BinaryBodyReader.ReadUInt64), static (ref w, v) => w.Write((ulong)v), static (ref r) => r.ReadUInt64());
        Add<float>(4, nameof(BinaryBodyReader.ReadSingle), static (ref w, v) => w.Write((float)v), static (ref r) => r.ReadSingle());
        Add<double>(8, nameof(BinaryBodyReader.ReadDouble), static (ref w, v) => w.Write((double)v), static (ref r) => r.ReadDouble());
        Add<decimal>(16, nameof(BinaryBodyReader.ReadDecimal), static (ref w, v) => w.Write((decimal)v), static (ref r) => r.ReadDecimal());
        Add<char>(1, nameof(BinaryBodyReader.ReadChar), static (ref w, v) => ContractMethods.WriteChar(ref w, (char)v), static (ref r) => r.ReadChar());
        Add<DateTime>(8, nameof(BinaryBodyReader.ReadDateTime), static (ref w, v) => w.Write((DateTime)v), static (ref r) => r.ReadDateTime());
        Add<DateTimeOffset>(
            10, nameof(BinaryBodyReader.ReadDateTimeOffset), static (ref w, v) => w.Write((DateTimeOffset)v), static (ref r) => r.ReadDateTimeOffset());
        Add<TimeSpan>(8, nameof(BinaryBodyReader.ReadTimeSpan), static (ref w, v) => w.Write((TimeSpan)v), static (ref r) => r.ReadTimeSpan());
        Add<Guid>(16, nameof(BinaryBodyReader.ReadGuid), static (ref w, v) => w.Write((Guid)v), static (ref r) => r.ReadGuid());
#if NET
        Add<Half>(2, nameof(BinaryBodyReader.ReadHalf), static (ref w, v) => w.Write((Half)v), static (ref r) => r.ReadHalf());
        Add<DateOnly>(4, nameof(BinaryBodyReader.ReadDateOnly), static (ref w, v) => w.Write((DateOnly)v), static (ref r) => r.ReadDateOnly());
        Add<TimeOnly>(8, nameof(BinaryBodyReader.ReadTimeOnly), static (ref w, v) => w.Write((TimeOnly)v), static (ref r) => r.ReadTimeOnly());
        Add<Int128>(16, nameof(BinaryBodyReader.ReadInt128), static (ref w, v) => w.Write((Int128)v), static (ref r) => r.ReadInt128());
        Add<UInt128>(16, nameof(BinaryBodyReader.ReadUInt128), static (ref w, v) => w.Write((UInt128)v), static (ref r) => r.ReadUInt128());
#endif
        return all;

        void Add<T>(int minByteCount, string readerMethod, WriteValue write, ReadValue read) =>
            all.Add(typeof(T), new Scalar(typeof(T), minByteCount, readerMethod, write, read));
    }
}
