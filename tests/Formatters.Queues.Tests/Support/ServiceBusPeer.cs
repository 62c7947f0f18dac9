using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Formatters.Queues.ServiceBus;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The broker that speaks the AMQP of Service Bus: the one that <c>eng/service-bus start</c> prints.</summary>
internal static class ServiceBusPeer
{
    internal const string Variable = "FORMATTERS_SERVICEBUS";

    internal const string Hint = $"No peer of Service Bus: {Variable} is not set. Start one: eval \"$(eng/service-bus start)\"";

    private static readonly HttpClient Http = new();

    /// <summary>Why tests that need it are skipped, or null. In continuous integration they are not skipped but fail.</summary>
    internal static string? SkipReason => TestScale.SkipReason(Variable, Hint);

    /// <summary>The connection string.</summary>
    internal static string ConnectionString => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } text ? text : throw new InvalidOperationException(Hint);

    /// <summary>The host and the port.</summary>
    internal static string Host => new Uri(Parts["Endpoint"]).Authority;

    /// <summary>The address without an entity, with the key.</summary>
    internal static string Address => $"sb-emulator://{Parts["SharedAccessKeyName"]}:{Uri.EscapeDataString(Parts["SharedAccessKey"])}@{Host}";

    private static Dictionary<string, string> Parts => ConnectionString.Split(';').Select(part => part.Split('=', 2)).ToDictionary(part => part[0], part => part[1]);

    /// <summary>A provider for <c>servicebus:entity</c>; one for each test class, so that it has a connection of its own.</summary>
    internal static ServiceBusQueueProvider Provider(Func<ServiceBusOptions, ServiceBusOptions>? with = null)
    {
        var options = new ServiceBusOptions { ConnectionString = SkipReason is null ? ConnectionString : null };
        return new ServiceBusQueueProvider(with?.Invoke(options) ?? options);
    }

    /// <summary>Lets something go wrong a number of times: <c>busy</c>, <c>lose</c>, <c>silence</c>, <c>lock-lost</c>.</summary>
    internal static async Task SetFaultAsync(string fault, string entity, int count)
    {
        using HttpResponseMessage response = await Http.PostAsync(new Uri($"http://{Host}/$faults/{fault}/{entity}?count={count}"), null);
        response.EnsureSuccessStatusCode();
    }
}

/// <summary>A test that needs the peer of Service Bus.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ServiceBusFactAttribute : FactAttribute
{
    public ServiceBusFactAttribute() => Skip = ServiceBusPeer.SkipReason;
}
