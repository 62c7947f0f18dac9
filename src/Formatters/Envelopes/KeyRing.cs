using System;
using System.Collections.Generic;

namespace Formatters.Envelopes;

/// <summary>The keys of a program: bodies are written with the current one and read with any, according to the key id in the body.</summary>
/// <typeparam name="TKey">The kind of key: <see cref="SigningKey"/>, or <c>EncryptionKey</c>.</typeparam>
/// <remarks>
/// <para>To change keys without losing a message: give the new key to all readers (<see cref="WithKey"/>), then to the writers as the current one
/// (<see cref="WithCurrent"/>); remove the old key (<see cref="Without"/>) when no message with it is waiting.</para>
/// <para>Immutable and thread-safe. A ring has few keys: they are searched linearly.</para>
/// </remarks>
public sealed class KeyRing<TKey>
    where TKey : BodyKey
{
    private readonly TKey[] _keys;

    /// <summary>Creates a ring.</summary>
    /// <param name="current">The key that bodies are written with.</param>
    /// <param name="others">Further keys for reading.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">A key is null, or two keys have the same id.</exception>
    public KeyRing(TKey current, params TKey[] others)
    {
        if (current is null)
            throw new ArgumentNullException(nameof(current));
        if (others is null)
            throw new ArgumentNullException(nameof(others));
        _keys = [current, .. others];
        for (int i = 1; i < _keys.Length; i++)
        {
            if (_keys[i] is null)
                throw new ArgumentException("A key is null.", nameof(others));
            for (int k = 0; k < i; k++)
            {
                if (_keys[k].KeyId == _keys[i].KeyId)
                    throw new ArgumentException($"Two keys have the id {_keys[i].KeyId}: a body could not say which of them it was made with.",
                        nameof(others));
            }
        }

        Keys = Array.AsReadOnly(_keys);
    }

    /// <summary>Gets the key for writing.</summary>
    public TKey Current => _keys[0];

    /// <summary>All keys, the current one first.</summary>
    public IReadOnlyList<TKey> Keys { get; }

    /// <summary>Creates a ring that writes with another key, and reads with all of this one.</summary>
    /// <param name="current">The key to write with; it may be one of this ring.</param>
    /// <returns>A new ring.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="current"/> is null.</exception>
    /// <exception cref="ArgumentException">Another key of this ring has the same id.</exception>
    public KeyRing<TKey> WithCurrent(TKey current) => new(current, Array.FindAll(_keys, key => !ReferenceEquals(key, current)));

    /// <summary>Creates a ring that reads with one more key.</summary>
    /// <param name="key">The key.</param>
    /// <returns>A new ring.</returns>
    /// <exception cref="ArgumentException"><paramref name="key"/> is null, or a key of this ring has the same id.</exception>
    public KeyRing<TKey> WithKey(TKey key) => new(Current, [.. _keys.AsSpan(1), key]);

    /// <summary>Creates a ring without one of the keys: bodies with that key are rejected from then on.</summary>
    /// <param name="keyId">The id; if no key has it, the new ring has the same keys.</param>
    /// <returns>A new ring.</returns>
    /// <exception cref="ArgumentException">It is the id of the current key.</exception>
    public KeyRing<TKey> Without(string keyId)
    {
        if (Current.KeyId == keyId)
            throw new ArgumentException("The current key cannot be removed: make another key the current one first.", nameof(keyId));
        return new(Current, Array.FindAll(_keys.AsSpan(1).ToArray(), key => key.KeyId != keyId));
    }

    /// <summary>Gets the ids for messages, the current key's first: at most five.</summary>
    internal string IdText
    {
        get
        {
            const int MaxCount = 5;
            TKey[] named = _keys.AsSpan(0, Math.Min(_keys.Length, MaxCount)).ToArray();
            string text = string.Join(", ", Array.ConvertAll(named, static key => $"'{key.KeyId}'"));
            return _keys.Length > MaxCount ? $"{text} and {_keys.Length - MaxCount} more" : text;
        }
    }

    /// <summary>Finds the key of a body.</summary>
    /// <param name="keyId">The id, in ASCII.</param>
    internal TKey? Find(ReadOnlySpan<byte> keyId)
    {
        foreach (TKey key in _keys)
        {
            if (keyId.SequenceEqual(key.KeyIdBytes))
                return key;
        }

        return null;
    }
}
