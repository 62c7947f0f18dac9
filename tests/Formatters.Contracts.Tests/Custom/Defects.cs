using System;
using Formatters.Custom;
using OwnFormat;

namespace Formatters.Contracts.Tests;

/// <summary>Defects of a format.</summary>
public interface IDefect
{
    /// <summary>Called before a value is written or read.</summary>
    /// <returns>Whether to write or read nothing.</returns>
    bool Before(string method);

    /// <summary>Changes a number of elements that was read.</summary>
    long Count(long count);

    /// <summary>Changes a kind.</summary>
    WireValueKind Kind(WireValueKind kind);
}

/// <summary>No defect.</summary>
public readonly struct NoDefect : IDefect
{
    public bool Before(string method) => false;

    public long Count(long count) => count;

    public WireValueKind Kind(WireValueKind kind) => kind;
}

/// <summary>Throws whenever it is called for one method.</summary>
public readonly struct Throws<TMethod> : IDefect
    where TMethod : struct, IMethodName
{
    public bool Before(string method) => method == default(TMethod).Name ? throw new InvalidTimeZoneException("Own.") : false;

    public long Count(long count) => count;

    public WireValueKind Kind(WireValueKind kind) => kind;
}

/// <summary>Rejects every integer with an error of its own, as a format may do with those above <see cref="long.MaxValue"/>.</summary>
public readonly struct RejectsIntegers : IDefect
{
    public bool Before(string method) => method == nameof(ICustomWireFormat.ReadInteger)
        ? throw new MessageFormatException(MessageFormatErrorCode.Malformed, "An integer of another kind.") : false;

    public long Count(long count) => count;

    public WireValueKind Kind(WireValueKind kind) => kind;
}

/// <summary>Writes or reads nothing in one method.</summary>
public readonly struct DoesNothing<TMethod> : IDefect
    where TMethod : struct, IMethodName
{
    public bool Before(string method) => method == default(TMethod).Name;

    public long Count(long count) => count;

    public WireValueKind Kind(WireValueKind kind) => kind;
}

/// <summary>Says that every value is an array.</summary>
public readonly struct OnlyArrays : IDefect
{
    public bool Before(string method) => false;

    public long Count(long count) => 1000;

    public WireValueKind Kind(WireValueKind kind) => WireValueKind.Array;
}

/// <summary>Reads too great a number of elements.</summary>
public readonly struct WrongCounts : IDefect
{
    public bool Before(string method) => false;

    public long Count(long count) => count + 1;

    public WireValueKind Kind(WireValueKind kind) => kind;
}

/// <summary>The name of a method of <see cref="ICustomWireFormat"/>.</summary>
public interface IMethodName
{
    string Name { get; }
}

public readonly struct Writing : IMethodName
{
    public string Name => nameof(ICustomWireFormat.WriteInteger);
}

public readonly struct WritingStrings : IMethodName
{
    public string Name => nameof(ICustomWireFormat.WriteString);
}

public readonly struct Reading : IMethodName
{
    public string Name => nameof(ICustomWireFormat.ReadInteger);
}

public readonly struct Peeking : IMethodName
{
    public string Name => nameof(ICustomWireFormat.PeekKind);
}

public readonly struct Skipping : IMethodName
{
    public string Name => nameof(ICustomWireFormat.Skip);
}

public readonly struct ReadingCounts : IMethodName
{
    public string Name => nameof(ICustomWireFormat.ReadArrayHeader);
}

/// <summary>RESP3 with a defect.</summary>
public readonly struct Defective<TDefect> : ICustomWireFormat
    where TDefect : struct, IDefect
{
    public string Name => "defective";

    public string ContentType => default(Resp3).ContentType;

    public int BodyType => default(Resp3).BodyType;

    public void WriteNull(ref WireWriter writer) => default(Resp3).WriteNull(ref writer);

    public void WriteBoolean(ref WireWriter writer, bool value) => default(Resp3).WriteBoolean(ref writer, value);

    public void WriteInteger(ref WireWriter writer, long value)
    {
        if (!default(TDefect).Before(nameof(WriteInteger)))
            default(Resp3).WriteInteger(ref writer, value);
    }

    public void WriteUnsigned(ref WireWriter writer, ulong value) => default(Resp3).WriteUnsigned(ref writer, value);

    public void WriteDouble(ref WireWriter writer, double value) => default(Resp3).WriteDouble(ref writer, value);

    public void WriteString(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8)
    {
        if (!default(TDefect).Before(nameof(WriteString)))
            default(Resp3).WriteString(ref writer, utf8);
    }

    public void WriteBytes(ref WireWriter writer, scoped ReadOnlySpan<byte> value) => default(Resp3).WriteBytes(ref writer, value);

    public void WriteArrayHeader(ref WireWriter writer, int elementCount) => default(Resp3).WriteArrayHeader(ref writer, elementCount);

    public void WriteMapHeader(ref WireWriter writer, int entryCount) => default(Resp3).WriteMapHeader(ref writer, entryCount);

    public WireValueKind PeekKind(ref WireReader reader)
    {
        default(TDefect).Before(nameof(PeekKind));
        WireValueKind kind = default(Resp3).PeekKind(ref reader);
        // The position is restored.
        reader.Read(1);
        return default(TDefect).Kind(kind);
    }

    public void ReadNull(ref WireReader reader) => default(Resp3).ReadNull(ref reader);

    public bool ReadBoolean(ref WireReader reader) => default(Resp3).ReadBoolean(ref reader);

    public long ReadInteger(ref WireReader reader) => default(TDefect).Before(nameof(ReadInteger)) ? 5 : default(Resp3).ReadInteger(ref reader);

    public ulong ReadUnsigned(ref WireReader reader) => default(Resp3).ReadUnsigned(ref reader);

    public double ReadDouble(ref WireReader reader) => default(Resp3).ReadDouble(ref reader);

    public ReadOnlySpan<byte> ReadString(ref WireReader reader) => default(Resp3).ReadString(ref reader);

    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => default(Resp3).ReadBytes(ref reader);

    public long ReadArrayHeader(ref WireReader reader) =>
        default(TDefect).Count(default(TDefect).Before(nameof(ReadArrayHeader)) ? 1 : default(Resp3).ReadArrayHeader(ref reader));

    public long ReadMapHeader(ref WireReader reader) => default(Resp3).ReadMapHeader(ref reader);

    public void Skip(ref WireReader reader)
    {
        if (!default(TDefect).Before(nameof(Skip)))
            default(Resp3).Skip(ref reader);
    }
}

/// <summary>The tags of <see cref="BadTags{T}"/>.</summary>
public interface ITags
{
    string Name { get; }

    string ContentType { get; }

    int BodyType { get; }
}

public readonly struct NoName : ITags
{
    public string Name => "";

    public string ContentType => "application/x-any";

    public int BodyType => 1;
}

public readonly struct NoContentType : ITags
{
    public string Name => "any";

    public string ContentType => "any";

    public int BodyType => 1;
}

public readonly struct NoBodyType : ITags
{
    public string Name => "any";

    public string ContentType => "application/x-any";

    public int BodyType => -1;
}

/// <summary>A format whose tags are not valid, and which writes integers out of bounds: asks for too little, or a negative number.</summary>
public readonly struct BadTags<TTags> : ICustomWireFormat
    where TTags : struct, ITags
{
    public string Name => default(TTags).Name;

    public string ContentType => default(TTags).ContentType;

    public int BodyType => default(TTags).BodyType;

    public void WriteNull(ref WireWriter writer) => throw new NotSupportedException();

    public void WriteBoolean(ref WireWriter writer, bool value) => throw new NotSupportedException();

    public void WriteInteger(ref WireWriter writer, long value)
    {
        if (value == 1)
            writer.Advance(writer.GetSpan(1).Length + 1);
        else if (value == 2)
            writer.Advance(-1);
        else
            writer.GetSpan(-1);
    }

    public void WriteUnsigned(ref WireWriter writer, ulong value) => throw new NotSupportedException();

    public void WriteDouble(ref WireWriter writer, double value) => throw new NotSupportedException();

    public void WriteString(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8) => throw new NotSupportedException();

    public void WriteBytes(ref WireWriter writer, scoped ReadOnlySpan<byte> value) => throw new NotSupportedException();

    public void WriteArrayHeader(ref WireWriter writer, int elementCount) => throw new NotSupportedException();

    public void WriteMapHeader(ref WireWriter writer, int entryCount) => throw new NotSupportedException();

    public WireValueKind PeekKind(ref WireReader reader) => WireValueKind.Other;

    public void ReadNull(ref WireReader reader) => throw new NotSupportedException();

    public bool ReadBoolean(ref WireReader reader) => throw new NotSupportedException();

    public long ReadInteger(ref WireReader reader) => throw new NotSupportedException();

    public ulong ReadUnsigned(ref WireReader reader) => throw new NotSupportedException();

    public double ReadDouble(ref WireReader reader) => throw new NotSupportedException();

    public ReadOnlySpan<byte> ReadString(ref WireReader reader) => throw new NotSupportedException();

    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => throw new NotSupportedException();

    public long ReadArrayHeader(ref WireReader reader) => throw new NotSupportedException();

    public long ReadMapHeader(ref WireReader reader) => throw new NotSupportedException();

    public void Skip(ref WireReader reader) => reader.Read(-1);
}

public readonly struct Valid : ITags
{
    public string Name => "any";

    public string ContentType => "application/x-any";

    public int BodyType => 1;
}
