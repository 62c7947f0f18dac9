using System;
using System.Linq;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>The certificates of one connection: selects the client's, and validates the broker's.</summary>
internal sealed class RabbitMqTls(RabbitMqOptions options)
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";

    /// <summary>Gets what is wrong with the broker's certificate; null if it is valid.</summary>
    internal string? Problem { get; private set; }

    internal SslOption OptionFor(string hostName) => new(hostName, enabled: true)
    {
        Certs = options.ClientCertificates,
        CertificateValidationCallback = (_, certificate, chain, errors) =>
        {
            Problem = ProblemOf(certificate, chain, errors, hostName);
            return Problem is null;
        },
    };

    private string? ProblemOf(X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors, string hostName)
    {
        if (certificate is null || errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable))
            return "the broker shows no certificate.";
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
            return $"the broker's certificate '{certificate.Subject}' is not for the name '{hostName}'.";
        if (options.TrustedCertificates is null)
            return errors == SslPolicyErrors.None ? null : Untrusted(certificate, chain, "that this machine trusts");

        using var own = new X509Chain();
        own.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        own.ChainPolicy.CustomTrustStore.AddRange(options.TrustedCertificates);
        own.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        own.ChainPolicy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        if (chain is not null)
            own.ChainPolicy.ExtraStore.AddRange(chain.ChainElements.Select(static element => element.Certificate).ToArray());
        using var presented = new X509Certificate2(certificate);
        return own.Build(presented) ? null : Untrusted(
            certificate, own, $"of {nameof(RabbitMqOptions)}.{nameof(RabbitMqOptions.TrustedCertificates)}");
    }

    private static string Untrusted(X509Certificate certificate, X509Chain? chain, string roots) =>
        $"the broker's certificate '{certificate.Subject}', issued by '{certificate.Issuer}', cannot be validated with the root certificates "
        + $"{roots}: "
        + string.Join(", ", chain?.ChainStatus.Select(static status => status.Status.ToString()).Distinct(StringComparer.Ordinal) ?? []) + ".";
}
