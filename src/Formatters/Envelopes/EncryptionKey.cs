// AES-GCM is not part of netstandard2.0.
#if NET
using System;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Threading;

namespace Formatters.Envelopes;

/// <summary>A key that encrypts and decrypts bodies with AES-GCM; see <see cref="EncryptedFormatter{T}"/>. Not supported on netstandard2.0.</summary>
/// <remarks>
/// <para>Bodies are not encrypted with the key itself but with a key derived from it and a random salt (HKDF-SHA256), which a process uses for many
/// bodies. A key may therefore serve any number of bodies from any number of processes; with AES-GCM and random nonces alone it would have to be
/// changed after 4,294,967,296 bodies.</para>
/// <para>Thread-safe: each thread takes a cipher object from a pool, and returns it after the message.</para>
/// </remarks>
public sealed class EncryptionKey : BodyKey
{
    internal const int SaltByteCount = 16;
    internal const int NonceByteCount = 12;
    internal const int TagByteCount = 16;

    /// <summary>The number of cached derived keys, one for each salt of a sending process.</summary>
    private const int KeptKeyCount = 64;

    /// <summary>The maximum number of messages of one key with random 96-bit nonces: NIST SP 800-38D, 8.3.</summary>
    private const long MaxBodyCount = 1L << 32;

    private readonly byte[] _key;
    private readonly SaltedKey?[] _kept = new SaltedKey?[KeptKeyCount];
    private int _nextKept;
    private SaltedKey? _writing;

    private EncryptionKey(string keyId, byte[] key)
        : base(keyId) => _key = key;

    /// <summary>Gets the purpose of the derived keys: the info of RFC 5869.</summary>
    private static ReadOnlySpan<byte> Purpose => "formatters encrypted body 1"u8;

    /// <summary>Creates a key for AES-GCM.</summary>
    /// <param name="keyId">The name of the key: 1 to 64 ASCII characters.</param>
    /// <param name="key">16, 24 or 32 bytes from a random number generator (AES-128, AES-192, AES-256); they are copied.</param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="keyId"/> is null.</exception>
    /// <exception cref="ArgumentException">The id is not a valid key id, or the key has a different length.</exception>
    /// <exception cref="PlatformNotSupportedException">The platform has no AES-GCM.</exception>
    public static EncryptionKey AesGcm(string keyId, ReadOnlySpan<byte> key)
    {
        if (key.Length is not (16 or 24 or 32))
            throw new ArgumentException("An AES key must have 16, 24 or 32 bytes.", nameof(key));
        if (!System.Security.Cryptography.AesGcm.IsSupported)
            throw new PlatformNotSupportedException("This platform has no AES-GCM, which EncryptedFormatter needs.");
        return new EncryptionKey(keyId, key.ToArray());
    }

    /// <summary>Encrypts in place.</summary>
    /// <param name="salt">Receives the salt.</param>
    /// <param name="nonce">Receives the nonce.</param>
    /// <param name="associated">The associated data; it contains salt and nonce.</param>
    /// <param name="body">The body; becomes the same number of encrypted bytes.</param>
    /// <param name="tag">Receives the tag.</param>
    internal void Encrypt(Span<byte> salt, Span<byte> nonce, ReadOnlySpan<byte> associated, Span<byte> body, Span<byte> tag)
    {
        SaltedKey key = GetWritingKey();
        key.Salt.CopyTo(salt);
        RandomNumberGenerator.Fill(nonce);
        AesGcm cipher = key.Rent();
        cipher.Encrypt(nonce, body, body, tag, associated);
        key.Return(cipher);
    }

    /// <summary>Decrypts, if the tag is valid.</summary>
    internal bool TryDecrypt(
        ReadOnlySpan<byte> salt, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associated, ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> tag,
            Span<byte> body)
    {
        SaltedKey? key = FindKept(salt);
        bool isNew = key is null;
        key ??= new SaltedKey(_key, salt);
        AesGcm cipher = key.Rent();
        try
        {
            cipher.Decrypt(nonce, encrypted, tag, body, associated);
        }
        catch (AuthenticationTagMismatchException)
        {
            if (isNew)
                cipher.Dispose();
            else
                key.Return(cipher);
            return false;
        }

        key.Return(cipher);
        if (isNew) // a salt not from a holder of the key is not cached
            _kept[((Interlocked.Increment(ref _nextKept) - 1) & int.MaxValue) % KeptKeyCount] = key;
        return true;
    }

    private SaltedKey GetWritingKey()
    {
        while (true)
        {
            SaltedKey? key = Volatile.Read(ref _writing);
            if (key is not null && key.CountBody() <= MaxBodyCount)
                return key;
            Interlocked.CompareExchange(ref _writing, new SaltedKey(_key, RandomNumberGenerator.GetBytes(SaltByteCount)), key);
        }
    }

    private SaltedKey? FindKept(ReadOnlySpan<byte> salt)
    {
        SaltedKey? writing = Volatile.Read(ref _writing);
        if (writing is not null && salt.SequenceEqual(writing.Salt))
            return writing;
        foreach (SaltedKey? key in _kept)
        {
            if (key is null)
                return null;
            if (salt.SequenceEqual(key.Salt))
                return key;
        }

        return null;
    }

    /// <summary>The derived key of one salt, and its unused cipher objects.</summary>
    private sealed class SaltedKey
    {
        private readonly byte[] _derived;
        private readonly ConcurrentBag<AesGcm> _ciphers = [];
        private long _bodyCount;

        internal SaltedKey(byte[] key, ReadOnlySpan<byte> salt)
        {
            Salt = salt.ToArray();
            _derived = new byte[key.Length];
            HKDF.DeriveKey(HashAlgorithmName.SHA256, key, _derived, salt, Purpose);
        }

        internal byte[] Salt { get; }

        internal long CountBody() => Interlocked.Increment(ref _bodyCount);

        internal AesGcm Rent() => _ciphers.TryTake(out AesGcm? spare) ? spare : new AesGcm(_derived, TagByteCount);

        internal void Return(AesGcm cipher) => _ciphers.Add(cipher);
    }
}
#endif
