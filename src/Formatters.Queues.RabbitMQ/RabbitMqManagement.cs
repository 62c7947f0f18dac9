using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Queries the broker's management interface over HTTP.</summary>
internal static class RabbitMqManagement
{
    /// <summary>
    /// Returns the queues of the address's virtual host, or the one it names, with the number of locked messages if the broker has counted it.
    /// </summary>
    /// <exception cref="QueueException">The interface cannot be reached, or refused.</exception>
    internal static async Task<IReadOnlyList<(string Name, long? LockedCount)>> ListAsync(Uri management, RabbitMqAddress address, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        string virtualHost = Uri.EscapeDataString(address.VirtualHost);
        // Without a user, which must not appear in an exception.
        string place = management.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped).TrimEnd('/');
        var uri = new Uri($"{place}/api/queues/{virtualHost}?columns=name,messages_unacknowledged");
        using var client = new HttpClient { Timeout = timeout };
        using var request = new HttpRequestMessage(HttpMethod.Get, uri);
        request.Headers.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{address.User}:{address.Password}")));
        try
        {
            using HttpResponseMessage response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken)
                .ConfigureAwait(false);
            if (!response.IsSuccessStatusCode)
            {
                string because = response.StatusCode switch
                {
                    System.Net.HttpStatusCode.Unauthorized =>
                        $"user '{address.User}' or its password was refused, or the user does not have the tag 'management'",
                    System.Net.HttpStatusCode.NotFound =>
                        $"there is no virtual host '{address.VirtualHost}', or this is not the management interface",
                    _ => $"it answered {(int)response.StatusCode} {response.ReasonPhrase}",
                };
                throw new QueueException($"Could not list the queues of '{address.Text}' by {place}: {because}.");
            }

            Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            await using (stream.ConfigureAwait(false))
            {
                using JsonDocument document = await JsonDocument.ParseAsync(stream, cancellationToken: cancellationToken).ConfigureAwait(false);
                var queues = new List<(string, long?)>();
                foreach (JsonElement queue in document.RootElement.EnumerateArray())
                {
                    string name = queue.GetProperty("name").GetString()!;
                    if (address.QueueName.Length > 0 && name != address.QueueName)
                        continue;
                    // A new queue has not been counted yet.
                    queues.Add((name, queue.TryGetProperty("messages_unacknowledged", out JsonElement count)
                        && count.ValueKind == JsonValueKind.Number ? count.GetInt64() : null));
                }

                // If the interface does not list the queue yet, AMQP is asked instead.
                if (queues.Count == 0 && address.QueueName.Length > 0)
                    queues.Add((address.QueueName, null));
                return queues;
            }
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            throw new QueueException(FormattableString.Invariant(
                $"Could not list the queues of '{address.Text}': {place} did not answer within {timeout.TotalSeconds:0.###} s."), e);
        }
        catch (Exception e) when (e is HttpRequestException or IOException or JsonException or InvalidOperationException or KeyNotFoundException)
        {
            throw new QueueException($"Could not list the queues of '{address.Text}' by {place}: {e.Message}", e);
        }
    }
}
