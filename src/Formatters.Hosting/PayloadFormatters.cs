using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Text.Json;
using Formatters.Contracts;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Finds the formatter of a type on a queue.</summary>
internal sealed class PayloadFormatters(
    IServiceProvider services, IOptionsMonitor<HostedQueueOptions> options, IEnumerable<GeneratedContracts> contracts)
{
    /// <summary>Gets the registered formatter of a type, or else one for the format of the queue or of the type's contract.</summary>
    /// <exception cref="InvalidOperationException">The type has no contract in the format, or contracts in several and the queue has no
    /// format.</exception>
    internal IMessageFormatter Get<T>(string queueName)
    {
        if (services.GetService<RegisteredFormatter<T>>() is { } registered)
            return registered.Formatter;
        string? name = options.Get(queueName).Format;
        try
        {
            WireFormat format = name is null ? FormatOf(typeof(T)) : WireFormat.Find(name)!;
            return contracts.Select(set => set.Find<T>()).FirstOrDefault(contract => contract?.Formats.HasFlag(format.ContractFormat) == true
                && format.ContractFormat != ContractFormats.None)?.CreateFormatter(format) ?? CreateByReflection<T>(format);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            throw new InvalidOperationException($"Queue '{queueName}' cannot carry {typeof(T)}: {e.Message}", e);
        }
    }

    /// <summary>Reads the payload of a message.</summary>
    /// <exception cref="MessageFormatException">The body cannot be read, or contains null.</exception>
    internal static T Read<T>(QueueMessage message, IMessageFormatter formatter)
    {
        object? payload = formatter switch
        {
            MessageFormatter<T> typed => message.Read(typed),
            FormatterRegistry registry => message.Read<T>(registry),
            _ => message.Read(formatter),
        };
        return payload switch
        {
            T value => value,
            null => throw new MessageFormatException(
                MessageFormatErrorCode.UnexpectedNull, $"The body contains null, which is not a {typeof(T)}.", isPoison: true),
            _ => throw new MessageFormatException(
                MessageFormatErrorCode.TypeNotAllowed, $"The body contains a {payload.GetType()}, which is not a {typeof(T)}."),
        };
    }

    // A program that is trimmed or compiled ahead of time turns reflection off for System.Text.Json, too.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Not reached in a program that is trimmed.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Not reached in a program that is compiled ahead of time.")]
    private static MessageFormatter<T> CreateByReflection<T>(WireFormat format) => JsonSerializer.IsReflectionEnabledByDefault
        ? MessageFormatter.Create<T>(format)
        : throw new NotSupportedException(
            $"The program is published without reflection, and no generated contract of the type in the format {format} was added. Add it with "
            + $"{nameof(QueuesBuilder)}.{nameof(QueuesBuilder.AddContracts)}, or a formatter with {nameof(QueuesBuilder.AddFormatter)}.");

    private static WireFormat FormatOf(Type type)
    {
        ContractFormats formats = type.GetCustomAttribute<MessageContractAttribute>(inherit: false)?.Formats ?? ContractFormats.None;
        if (formats == ContractFormats.None)
            return WireFormat.Json;
        return BitOperations.PopCount((uint)formats) == 1
            ? WireFormat.All.First(format => format.ContractFormat == formats)
            : throw new NotSupportedException(
                $"Its contract has several formats ({formats}). Set {nameof(HostedQueueOptions.Format)} of the queue to one of them.");
    }
}

/// <summary>The generated contracts that the application has added, by their types.</summary>
internal sealed class GeneratedContracts(IEnumerable<NamedContract> contracts)
{
    private readonly Dictionary<Type, NamedContract> _byType = contracts.ToDictionary(static contract => contract.PayloadType);

    internal NamedContract? Find<T>() => _byType.GetValueOrDefault(typeof(T));
}

/// <summary>A formatter that the application has registered for a type, on all queues.</summary>
internal sealed record RegisteredFormatter<T>(IMessageFormatter Formatter);
