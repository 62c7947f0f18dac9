using System;

namespace Formatters;

/// <summary>The content types (MIME names) of the formatters of this library.</summary>
public static partial class ContentTypes
{
    /// <summary>A body of <c>ActiveXMessageFormatter</c>; the body type identifies the type of the value.</summary>
    public const string ActiveX = "application/vnd.formatters.activex";

    /// <summary>A body of any format with a signature around it: <see cref="SignedFormatter{T}"/>.</summary>
    public const string Signed = "application/vnd.formatters.signed";

    /// <summary>A body of any format, encrypted: <c>EncryptedFormatter</c>.</summary>
    public const string Encrypted = "application/vnd.formatters.encrypted";

    /// <summary>A body of any format, compressed: <see cref="CompressedFormatter{T}"/>.</summary>
    public const string Compressed = "application/vnd.formatters.compressed";

    /// <summary>Several bodies of one format: <see cref="BatchFormatter{T}"/>.</summary>
    public const string Batch = "application/vnd.formatters.batch";

    /// <summary>Bytes without a declared format.</summary>
    public const string OctetStream = "application/octet-stream";

    /// <summary>Determines whether a name is a media type, <c>type/subtype</c>, each a token of RFC 9110, 5.6.2.</summary>
    internal static bool IsValid(string name)
    {
        int slash = name.IndexOf('/');
        return slash > 0 && slash < name.Length - 1 && IsToken(name.AsSpan(0, slash)) && IsToken(name.AsSpan(slash + 1));
    }

    private static bool IsToken(ReadOnlySpan<char> text)
    {
        foreach (char c in text)
        {
            if (c is not (>= 'a' and <= 'z' or >= 'A' and <= 'Z' or >= '0' and <= '9') && "!#$%&'*+-.^_`|~".IndexOf(c) < 0)
                return false;
        }

        return true;
    }
}
