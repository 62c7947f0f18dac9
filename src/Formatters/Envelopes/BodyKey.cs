using System;
using System.Text;

namespace Formatters.Envelopes;

/// <summary>A key with an id. Every body contains the id, which identifies the key in a <see cref="KeyRing{TKey}"/>.</summary>
public abstract class BodyKey
{
    private const int MaxKeyIdByteCount = 64;

    private protected BodyKey(string keyId)
    {
        if (keyId is null)
            throw new ArgumentNullException(nameof(keyId));
        if (keyId.Length is 0 or > MaxKeyIdByteCount || !IsPrintable(keyId))
            throw new ArgumentException("A key id must have 1 to 64 ASCII characters, without spaces and control characters.", nameof(keyId));
        KeyId = keyId;
        KeyIdBytes = Encoding.ASCII.GetBytes(keyId);
    }

    /// <summary>
    /// Gets the id of the key, 1 to 64 ASCII characters. Every body contains it in plain text: it must not reveal anything about the key.
    /// </summary>
    public string KeyId { get; }

    internal byte[] KeyIdBytes { get; }

    /// <summary>Gets the message for why the key cannot write bodies; null if it can.</summary>
    internal virtual string? WhyNotWriting => null;

    /// <summary>Returns the id in a body as text; null if it is not the id of any key.</summary>
    internal static string? TextOf(ReadOnlySpan<byte> keyId)
    {
        string text = Encoding.ASCII.GetString(keyId.ToArray());
        return text.Length is > 0 and <= MaxKeyIdByteCount && IsPrintable(text) && Encoding.ASCII.GetBytes(text).AsSpan().SequenceEqual(keyId)
            ? text
            : null;
    }

    private static bool IsPrintable(string text)
    {
        foreach (char c in text)
        {
            if (c is <= ' ' or > '~')
                return false;
        }

        return true;
    }
}
