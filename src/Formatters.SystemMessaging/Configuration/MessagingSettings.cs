using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace Formatters.SystemMessaging;

/// <summary>Reads the section <c>Messaging</c> of a settings file.</summary>
internal static class MessagingSettings
{
    private const string Section = "Messaging";

    private static readonly JsonDocumentOptions Options = new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };

    internal static MessagingConfiguration Read(MessagingConfiguration configuration, string path)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path), Options);
            if (document.RootElement.ValueKind != JsonValueKind.Object || !document.RootElement.TryGetProperty(Section, out JsonElement section))
                return configuration;
            foreach (JsonProperty setting in section.EnumerateObject())
            {
                try
                {
                    configuration = Set(configuration, setting.Name, setting.Value, path);
                }
                catch (InvalidOperationException e)
                {
                    throw new InvalidDataException($"'{path}': {Section}:{setting.Name} has the wrong type: {e.Message}", e);
                }
            }

            return configuration;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            throw new InvalidDataException($"The settings in '{path}' are not valid: {e.Message}", e);
        }
    }

    private static MessagingConfiguration Set(MessagingConfiguration configuration, string name, JsonElement value, string path) => name switch
    {
        nameof(MessagingConfiguration.Folder) => configuration with { Folder = value.GetString()! },
        nameof(MessagingConfiguration.LocalAddress) => configuration with { LocalAddress = value.GetString() },
        nameof(MessagingConfiguration.Queues) => configuration with { Queues = Table(value) },
        nameof(MessagingConfiguration.Machines) => configuration with { Machines = Table(value) },
        nameof(MessagingConfiguration.AllowedTypes) => configuration with { AllowedTypes = List(value) },
        nameof(MessagingConfiguration.AllowedAssemblies) => configuration with { AllowedAssemblies = List(value) },
        nameof(MessagingConfiguration.IgnoreAccessControl) => configuration with { IgnoreAccessControl = value.GetBoolean() },
        nameof(MessagingConfiguration.IgnoreMessageSecurity) => configuration with { IgnoreMessageSecurity = value.GetBoolean() },
        nameof(MessagingConfiguration.UseOutgoingQueue) => configuration with { UseOutgoingQueue = value.GetBoolean() },
        nameof(MessagingConfiguration.OperationTimeout) => configuration with
        {
            OperationTimeout = TimeSpan.TryParse(value.GetString(), Globalization(), out TimeSpan time) && time > TimeSpan.Zero
                ? time
                : throw new InvalidDataException($"'{path}': {Section}:{name} is '{value}'; the form is 00:00:30."),
        },
        _ => throw new InvalidDataException($"'{path}': there is no setting {Section}:{name}."),
    };

    private static System.Globalization.CultureInfo Globalization() => System.Globalization.CultureInfo.InvariantCulture;

    private static Dictionary<string, string> Table(JsonElement value) =>
        value.EnumerateObject().ToDictionary(static entry => entry.Name, static entry => entry.Value.GetString()!);

    private static string[] List(JsonElement value) => [.. value.EnumerateArray().Select(static entry => entry.GetString()!)];
}
