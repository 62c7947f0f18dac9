using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Formatters.Queues;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Validates the options of a named queue when the host starts.</summary>
internal sealed class HostedQueueOptionsValidator(QueuesConfiguration configuration, IEnumerable<QueueRegistration> registrations)
    : IValidateOptions<HostedQueueOptions>
{
    public ValidateOptionsResult Validate(string? name, HostedQueueOptions options)
    {
        string[] failures = [.. FindFailures(name ?? "", options)];
        return failures.Length == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(failures);
    }

    private IEnumerable<string> FindFailures(string name, HostedQueueOptions options)
    {
        if (options.Address.Length == 0)
        {
            string known = string.Join(", ", configuration.Names.Concat(registrations.Select(static registration => registration.Name))
                .Where(other => other != name).Distinct(StringComparer.OrdinalIgnoreCase).Order(StringComparer.Ordinal));
            yield return $"{Path(nameof(options.Address))} is missing: where is queue '{name}'?"
                + (known.Length == 0 ? "" : $" Known queues: {known}.");
            yield break;
        }

        if (Fails(() => QueueAddress.ParseList(options.Address)) is { } address)
        {
            yield return $"{Path(nameof(options.Address))}: {address}";
            yield break;
        }

        if (options.Format is not null && WireFormat.Find(options.Format) is null)
            yield return $"{Path(nameof(options.Format))} is '{options.Format}', which is not one of {string.Join(", ", WireFormat.All)}.";
        if (options.DeliveryMode == DeliveryMode.Transactional)
            yield return $"{Path(nameof(options.DeliveryMode))} cannot be {options.DeliveryMode}: consumers and senders do not use transactions.";
        if (options.AcknowledgeMode == AcknowledgeMode.Cumulative)
            yield return $"{Path(nameof(options.AcknowledgeMode))} cannot be {options.AcknowledgeMode}: handlers finish in any order.";
        if (options.Concurrency < 1)
            yield return $"{Path(nameof(options.Concurrency))} must be at least 1.";
        if (options.PrefetchCount < options.Concurrency)
            yield return $"{Path(nameof(options.PrefetchCount))} must be at least {nameof(options.Concurrency)} ({options.Concurrency}).";
        if (options.Subscription is not null && !options.IsTopic)
            yield return $"{Path(nameof(options.Subscription))} needs {nameof(options.IsTopic)}: only topics have subscriptions.";
        if (options.HandlerTimeout <= TimeSpan.Zero && options.HandlerTimeout != Timeout.InfiniteTimeSpan)
            yield return $"{Path(nameof(options.HandlerTimeout))} must be more than zero, or -00:00:00.0010000 for no limit.";
        if (options.SessionIdleTimeout <= TimeSpan.Zero)
            yield return $"{Path(nameof(options.SessionIdleTimeout))} must be more than zero.";
        if (options.ReconnectDelay <= TimeSpan.Zero || options.MaxReconnectDelay < options.ReconnectDelay)
            yield return $"{Path(nameof(options.ReconnectDelay))} must be more than zero, and at most {nameof(options.MaxReconnectDelay)}.";
        if (options.Retry.Mode is { } mode && !Enum.IsDefined(mode))
            yield return $"{Path("Retry:Mode")} is {mode}, which is not one of {string.Join(", ", Enum.GetNames<RetryMode>())}.";
        if (options.Retry.MaxAttempts < 1)
            yield return $"{Path("Retry:MaxAttempts")} must be at least 1.";
        if (options.Retry.Delay < TimeSpan.Zero || options.Retry.MaxDelay < options.Retry.Delay)
            yield return $"{Path("Retry:Delay")} must be zero or more, and at most MaxDelay.";
        if (options.CircuitBreaker.FailureCount < 0)
            yield return $"{Path("CircuitBreaker:FailureCount")} must be zero or more.";
        if (options.CircuitBreaker.BreakDuration <= TimeSpan.Zero)
            yield return $"{Path("CircuitBreaker:BreakDuration")} must be more than zero.";
        if (options.PrefetchCount < 1 || options.Concurrency < 1)
            yield break;
        // What the queue's own options reject: MaxDeliveryCount, LeaseDuration, OperationTimeout, Selector.
        QueueOptions? queueOptions = null;
        if (Fails(() => queueOptions = options.ToQueueOptions()) is { } failure)
            yield return $"Queue '{name}': {failure}";
        else if (queueOptions!.DeliveryMode == DeliveryMode.Transactional || queueOptions.ReceiveMode != ReceiveMode.PeekLock)
        {
            yield return
                $"Queue '{name}': {nameof(options.ConfigureQueue)} cannot change {nameof(DeliveryMode)} and {nameof(ReceiveMode)} in this way.";
        }

        string Path(string setting) => configuration.PathOf(name, setting);
    }

    private static string? Fails(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception e) when (e is FormatException or ArgumentException)
        {
            return e.Message;
        }
    }
}
