using Formatters.Binary;

namespace Formatters;

/// <summary>The contract of a value after its byte count: a member of a versioned record without a size of its own.</summary>
/// <param name="inner">The value.</param>
/// <param name="isShort">Whether the count is a 7-bit integer (of one byte: the values are small) or an Int32.</param>
internal sealed class FramedContract(ValueContract inner, bool isShort) : ValueContract(inner.Type)
{
    internal ValueContract Inner => inner;

    internal bool IsShort => isShort;

    internal override int MinByteCount => inner.MinByteCount + (isShort ? 1 : sizeof(int));

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        long start = isShort ? writer.BeginShort() : writer.BeginLong();
        inner.Write(ref writer, value);
        if (isShort)
            writer.EndShort(start);
        else
            writer.EndLong(start);
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        int bytesBehind = isShort ? reader.BeginShort() : reader.BeginLong();
        object? value = inner.Read(ref reader, existing);
        reader.End(bytesBehind);
        return value;
    }
}
