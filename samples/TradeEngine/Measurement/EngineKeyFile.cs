using System.Security.Cryptography;
using Formatters.Envelopes;
using Formatters.TradeEngine.CommandLine;

namespace Formatters.TradeEngine.Measurement;

/// <summary>The key of a run with component processes: that of the user, or a new one in a file that is deleted with this object.</summary>
internal sealed class EngineKeyFile : IDisposable
{
    private readonly DirectoryInfo? _folder;

    private EngineKeyFile(SigningKey key, string nodeEntry, DirectoryInfo? folder)
    {
        Key = key;
        NodeEntry = nodeEntry;
        _folder = folder;
    }

    /// <summary>The driver signs with it.</summary>
    internal SigningKey Key { get; }

    /// <summary>For <c>--key</c> of the component processes.</summary>
    internal string NodeEntry { get; }

    internal static EngineKeyFile Create(string? entry, SignatureAlgorithm algorithm)
    {
        if (entry is not null)
            return new EngineKeyFile(NodeCommand.ReadKey(entry, signs: true), entry, null);
        // A folder that only this user can open.
        DirectoryInfo folder = Directory.CreateTempSubdirectory("formatters-engine-key-");
        string path = Path.Combine(folder.FullName, "driver");
        if (algorithm == SignatureAlgorithm.EcdsaP256)
        {
            using var pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
            File.WriteAllText(path, pair.ExportSubjectPublicKeyInfoPem());
            return new EngineKeyFile(SigningKey.EcdsaP256("driver", pair.ExportParameters(includePrivateParameters: true)), "driver=" + path, folder);
        }

        byte[] secret = RandomNumberGenerator.GetBytes(32);
        File.WriteAllBytes(path, secret);
        return new EngineKeyFile(SigningKey.HmacSha256("driver", secret), "driver=" + path, folder);
    }

    public void Dispose() => _folder?.Delete(recursive: true);
}
