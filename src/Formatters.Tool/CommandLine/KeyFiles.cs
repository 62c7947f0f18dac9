using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using Formatters.Envelopes;

namespace Formatters.Tools.CommandLine;

/// <summary>Keys from files: a key on a command line could be read by others.</summary>
internal static class KeyFiles
{
    private const int MaxByteCount = 64 * 1024;

    /// <summary>Reads keys given as <c>id=file</c>.</summary>
    /// <returns>Null if there are none.</returns>
    /// <exception cref="UsageException">One of them is not a key.</exception>
    internal static KeyRing<TKey>? Read<TKey>(string[]? entries, string option, Func<string, byte[], TKey> create)
        where TKey : BodyKey
    {
        if (entries is not { Length: > 0 })
            return null;
        try
        {
            TKey[] keys = Array.ConvertAll(entries, entry => Read(entry, option, create));
            return new KeyRing<TKey>(keys[0], keys[1..]);
        }
        catch (Exception e) when (e is ArgumentException or CryptographicException or IOException or UnauthorizedAccessException or PlatformNotSupportedException)
        {
            throw new UsageException($"{option}: {e.Message}");
        }
    }

    /// <summary>Makes a key of a file's bytes: of a public key in PEM, or of a secret.</summary>
    internal static SigningKey ToSigningKey(string id, byte[] bytes)
    {
        if (!bytes.AsSpan().StartsWith("-----BEGIN"u8))
            return SigningKey.HmacSha256(id, bytes);
        using var key = ECDsa.Create();
        key.ImportFromPem(Encoding.ASCII.GetString(bytes));
        return SigningKey.EcdsaP256(id, key.ExportParameters(includePrivateParameters: false));
    }

    private static TKey Read<TKey>(string entry, string option, Func<string, byte[], TKey> create)
    {
        int equals = entry.IndexOf('=', StringComparison.Ordinal);
        if (equals <= 0)
            throw new UsageException($"{option}: '{entry}' is not of the form id=file.");
        var file = new FileInfo(entry[(equals + 1)..]);
        if (!file.Exists)
            throw CommonOptions.Missing(file, $"{option}: ");
        if (file.Length > MaxByteCount)
            throw new UsageException($"{option}: '{file.FullName}' has more than {MaxByteCount} bytes: it is not a key.");
        return create(entry[..equals], File.ReadAllBytes(file.FullName));
    }
}
