using System;
using System.Text;

namespace Formatters;

/// <summary>A key with an id. Every body carries the id, which says which key of a <see cref="KeyRing{TKey}"/> the body was made with.</summary>
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

    /// <summary>The name of the key, 1 to 64 ASCII characters. Every body contains it, readable by everyone: it must not reveal anything about the
    /// key.</summary>
    public string KeyId { get; }

    internal byte[] KeyIdBytes { get; }

    /// <summary>Why the key does not write bodies, as the text of an exception; null if it does.</summary>
    internal virtual string? WhyNotWriting => null;

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
