using System;
using System.Collections.Generic;
using System.Net;
using System.Numerics;
using Formatters.Custom;

namespace Formatters.Generated;

// Values that are represented as another value in all of these formats: a string, or bytes. To add one, add a method to write it, one to read it, and
// a row below.
public static partial class WireCode
{
    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, BigInteger value)
        where TFormat : struct, IWireFormat => ref default(TFormat).Write(ref writer, ref position, value);

    /// <inheritdoc cref="ReadBoolean"/>
    public static BigInteger ReadBigInteger<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadBigInteger(ref reader);

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, Uri value)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref default(TFormat).WriteUri(ref writer, ref position, value.OriginalString);
    }

    /// <inheritdoc cref="ReadBoolean"/>
    public static Uri ReadUri<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        int byteOffset = reader.ByteOffset;
        if (!Uri.TryCreate(default(TFormat).ReadUri(ref reader), UriKind.RelativeOrAbsolute, out Uri? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Uri));
        return value!;
    }

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, Version value)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteText<TFormat>(ref writer, ref position, value.ToString(), 0);
    }

    /// <inheritdoc cref="ReadBoolean"/>
    public static Version ReadVersion<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat
    {
        int byteOffset = reader.ByteOffset;
        if (!Version.TryParse(ReadString<TFormat>(ref reader, null), out Version? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Version));
        return value!;
    }

    /// <inheritdoc cref="Write{TFormat}(ref WireWriter, ref byte, bool)"/>
    public static ref byte Write<TFormat>(ref WireWriter writer, ref byte position, IPAddress value)
        where TFormat : struct, IWireFormat
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteText<TFormat>(ref writer, ref position, value.ToString(), 0);
    }

    /// <inheritdoc cref="ReadBoolean"/>
    public static IPAddress ReadIPAddress<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => IPAddresses.Parse(reader.ByteOffset, ReadString<TFormat>(ref reader, null));
}
