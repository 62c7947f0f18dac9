using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Binds the options of a named queue to the section of its name. Keys that are not settings are rejected.</summary>
internal sealed class HostedQueueOptionsSetup(QueuesConfiguration configuration) : IConfigureNamedOptions<HostedQueueOptions>
{
    public void Configure(HostedQueueOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, HostedQueueOptions options)
    {
        if (configuration.Section is null || string.IsNullOrEmpty(name))
            return;
        IConfigurationSection section = configuration.Section.GetSection(name);
        string[] failures = [.. FindUnknownKeys(section, SettingsOf(typeof(HostedQueueOptions)))];
        if (failures.Length > 0)
            throw new OptionsValidationException(name, typeof(HostedQueueOptions), failures);
        try
        {
            section.Bind(options);
        }
        catch (InvalidOperationException e)
        {
            // "Failed to convert configuration value 'x' at 'Queues:orders:Concurrency' to type 'System.Int32'."
            throw new OptionsValidationException(name, typeof(HostedQueueOptions), [e.Message]);
        }
    }

    private static Dictionary<string, Type> SettingsOf([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] Type type) =>
        type.GetProperties().Where(static property => !property.PropertyType.IsSubclassOf(typeof(Delegate)))
            .ToDictionary(static property => property.Name, static property => property.PropertyType, StringComparer.OrdinalIgnoreCase);

    private static IEnumerable<string> FindUnknownKeys(IConfigurationSection section, Dictionary<string, Type> settings)
    {
        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (!settings.TryGetValue(child.Key, out Type? type))
            {
                string known = string.Join(", ", settings.Keys.Order(StringComparer.Ordinal));
                yield return known.Length == 0
                    ? $"'{child.Path}' is not a setting. '{section.Path}' is a value and has no settings."
                    : $"'{child.Path}' is not a setting. The settings of '{section.Path}' are {known}.";
                continue;
            }

            Dictionary<string, Type> nested = type == typeof(RetryOptions) ? SettingsOf(typeof(RetryOptions))
                : type == typeof(CircuitBreakerOptions) ? SettingsOf(typeof(CircuitBreakerOptions))
                : [];
            if (nested.Count > 0 && child.Value is { Length: > 0 })
            {
                yield return $"'{child.Path}' is '{child.Value}', which would be ignored. It is a section with the settings "
                    + $"{string.Join(", ", nested.Keys.Order(StringComparer.Ordinal))}.";
            }

            foreach (string failure in FindUnknownKeys(child, nested))
                yield return failure;
        }
    }
}

/// <summary>The section of the configuration that holds the queues by their names.</summary>
/// <param name="Section">Null if the application is configured in code only.</param>
internal sealed record QueuesConfiguration(IConfigurationSection? Section)
{
    /// <summary>Gets the names of the queues in the section.</summary>
    internal IEnumerable<string> Names => Section?.GetChildren().Select(static child => child.Key) ?? [];

    /// <summary>Gets the path of a setting, for messages.</summary>
    internal string PathOf(string queueName, string setting) =>
        Section is null ? $"{setting} of queue '{queueName}'" : $"{Section.Path}:{queueName}:{setting}";
}
