using System;
using System.IO;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Certificates of the broker and of the client, and credentials that stand in no address; against a broker that asks for certificates.</summary>
public sealed class RabbitMqTlsTests
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, OperationTimeout = TimeSpan.FromSeconds(20) };

    [BrokerFact]
    public async Task Certificates()
    {
        using X509Certificate2 ca = CertificateAuthority("CN=our own");
        using X509Certificate2 otherCa = CertificateAuthority("CN=somebody else's");
        using X509Certificate2 server = Certificate("CN=broker", ca, "1.3.6.1.5.5.7.3.1", "localhost");
        using X509Certificate2 client = Certificate("CN=guest", ca, "1.3.6.1.5.5.7.3.2");
        using X509Certificate2 stranger = Certificate("CN=stranger", otherCa, "1.3.6.1.5.5.7.3.2");
        string folder = Directory.CreateTempSubdirectory("formatters-tls-").FullName;
        try
        {
            File.WriteAllText(Path.Combine(folder, "ca.pem"), ca.ExportCertificatePem());
            File.WriteAllText(Path.Combine(folder, "server.pem"), server.ExportCertificatePem());
            File.WriteAllText(Path.Combine(folder, "server-key.pem"), server.GetRSAPrivateKey()!.ExportPkcs8PrivateKeyPem());
            await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_TLS", folder), ("RABBITMQ_PLUGINS", "rabbitmq_auth_mechanism_ssl"));
            int port = new Uri(broker.TlsAddress!).Port;
            string address = $"amqps://localhost:{port}/secured";
            var ours = new RabbitMqOptions { TrustedCertificates = [ca], ClientCertificates = [client], ReconnectTimeout = TimeSpan.Zero };

            await ExchangesAsync(ours, address);
            await ExchangesAsync(ours with { AuthenticatesByCertificate = true, Credentials = new NetworkCredential("nobody", "wrong") }, address);
            await ExchangesAsync(ours with { Credentials = new NetworkCredential("guest", "guest") }, address);
            // The address has the first word.
            await ExchangesAsync(ours with { Credentials = new NetworkCredential("guest", "wrong") }, broker.TlsAddress + "/secured");

            Assert.Contains("user 'app'", await RefusedAsync(ours with { Credentials = new NetworkCredential("app", "s3cret") }, address), StringComparison.Ordinal);
            Assert.Contains("root certificates that this machine trusts", await RefusedAsync(ours with { TrustedCertificates = null }, address), StringComparison.Ordinal);
            string untrusted = await RefusedAsync(ours with { TrustedCertificates = [otherCa] }, address);
            Assert.Contains("'CN=broker', issued by 'CN=our own', cannot be validated with the root certificates of RabbitMqOptions.TrustedCertificates", untrusted, StringComparison.Ordinal);
            Assert.Contains("'CN=broker' is not for the name '127.0.0.1'", await RefusedAsync(ours, $"amqps://127.0.0.1:{port}/secured"), StringComparison.Ordinal);
            foreach (X509Certificate2Collection? certificates in new[] { null, new X509Certificate2Collection(stranger) })
            {
                string refused = await RefusedAsync(ours with { ClientCertificates = certificates }, address);
                Assert.True(refused.Contains("may ask for a client certificate that it trusts (RabbitMqOptions.ClientCertificates)", StringComparison.Ordinal), refused);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [BrokerFact]
    public async Task Credentials_are_read_for_every_connection_and_never_printed()
    {
        var credentials = new NetworkCredential("guest", "not yet");
        var options = new RabbitMqOptions { Credentials = credentials };
        var connector = new QueueConnector(new RabbitMqQueueProvider(options));
        string address = $"amqp://{new Uri(Broker.Address).Authority}/formatters-tests-{Guid.NewGuid():N}";

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => connector.OpenAsync(address).AsTask());
        Assert.DoesNotContain("not yet", e.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("not yet", options.ToString(), StringComparison.Ordinal);
        credentials.Password = "guest";
        await using QueueClient queue = await connector.OpenAsync(address);
        await connector.DeleteAsync(address);
    }

    private static async Task ExchangesAsync(RabbitMqOptions options, string address)
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(options));
        await using QueueClient queue = await connector.OpenAsync(address, Recoverable);
        await queue.SendAsync(new QueueMessage { Label = "secret" });
        Assert.Equal("secret", (await queue.ReceiveAsync(TimeSpan.FromSeconds(20)))!.Label);
    }

    private static async Task<string> RefusedAsync(RabbitMqOptions options, string address)
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(options));
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => connector.OpenAsync(address, Recoverable).AsTask());
        Assert.DoesNotContain("s3cret", e.ToString(), StringComparison.Ordinal);
        return e.Message;
    }

    private static X509Certificate2 CertificateAuthority(string name)
    {
        using RSA key = RSA.Create(2048);
        var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, critical: true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(2));
    }

    private static X509Certificate2 Certificate(string name, X509Certificate2 issuer, string purpose, string? host = null)
    {
        using RSA key = RSA.Create(2048);
        var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        if (host is not null)
        {
            var names = new SubjectAlternativeNameBuilder();
            names.AddDnsName(host);
            request.CertificateExtensions.Add(names.Build());
        }

        using X509Certificate2 certificate = request.Create(issuer, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddDays(1), RandomNumberGenerator.GetBytes(8));
        return certificate.CopyWithPrivateKey(key);
    }
}
