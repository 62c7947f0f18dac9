using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>
/// Describes the difference between an existing queue's settings and the requested ones. AMQP cannot query the former, but the broker names one
/// difference for each declaration that it rejects.
/// </summary>
internal static partial class RabbitMqDifferences
{
    // More than the number of settings that the broker compares.
    private const int MaxQuestionCount = 20;

    /// <summary>
    /// Declares the queue repeatedly, each time corrected by the broker's last answer, until the broker accepts or reports nothing new.
    /// </summary>
    /// <returns>"The queue has: ... Asked for: ..."</returns>
    internal static async Task<string> DescribeAsync(
        RabbitMqConnection connection, string name, Dictionary<string, object?> asked, CancellationToken cancellationToken)
    {
        var found = new Settings(IsDurable: true, IsAutoDelete: false, new Dictionary<string, object?>(asked, StringComparer.Ordinal));
        bool isAll = false;
        for (int i = 0; i < MaxQuestionCount && !isAll; i++)
        {
            try
            {
                await RabbitMqTopology.OnChannelAsync(
                    connection,
                    (channel, token) => channel.QueueDeclareAsync(name, found.IsDurable, exclusive: false, found.IsAutoDelete, found.Arguments,
                        cancellationToken: token),
                    "compare the queue's settings",
                    cancellationToken).ConfigureAwait(false);
                isAll = true;
            }
            catch (QueueException e) when (
                e.InnerException is OperationInterruptedException { ShutdownReason: { ReplyCode: Constants.PreconditionFailed } reason })
            {
                if (Learn(reason.ReplyText, found) is not { } next)
                    break;
                found = next;
            }
            catch (QueueException)
            {
                break;
            }
        }

        return $"The queue has: {Text(found, isAll)}. Asked for: {Text(new Settings(IsDurable: true, IsAutoDelete: false, asked), isAll: true)}.";
    }

    /// <summary>
    /// Applies the difference that the broker has named to the settings; null if its message cannot be parsed (the broker truncates strings at 255
    /// bytes).
    /// </summary>
    private static Settings? Learn(string replyText, Settings settings)
    {
        if (Difference().Match(replyText) is not { Success: true } match)
            return null;
        string name = match.Groups["name"].Value;
        string current = match.Groups["current"].Value;
        if (current != "none" && !(current.Length >= 2 && current[0] == '\'' && current[^1] == '\'') && !TypedValue().IsMatch(current))
            return null;
        switch (name)
        {
            case "durable":
                return settings with { IsDurable = current == "'true'" };
            case "auto_delete":
                return settings with { IsAutoDelete = current == "'true'" };
        }

        var arguments = new Dictionary<string, object?>(settings.Arguments, StringComparer.Ordinal);
        bool hadOne = arguments.Remove(name, out object? before);
        if (current == "none")
            return hadOne ? settings with { Arguments = arguments } : null;
        Match typed = TypedValue().Match(current);
        string value = typed.Success ? typed.Groups["value"].Value : current[1..^1];
        // If the message does not give its type, the type is the requested one.
        string type = typed.Success ? typed.Groups["type"].Value : before is bool ? "bool" : before is string ? "longstr" : "long";
        arguments[name] = type switch
        {
            "bool" => value == "true",
            "longstr" => value,
            _ when long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) => number,
            _ => null,
        };
        return arguments[name] is { } learned && !learned.Equals(before) ? settings with { Arguments = arguments } : null;
    }

    private static string Text(Settings settings, bool isAll)
    {
        IEnumerable<string> arguments = settings.Arguments.OrderBy(static one => one.Key, StringComparer.Ordinal)
            .Select(static one => one.Value is string text
                ? $"{one.Key} = '{text}'"
                : string.Create(CultureInfo.InvariantCulture, $"{one.Key} = {one.Value}"));
        string[] parts = [settings.IsDurable ? "durable" : "not durable", .. settings.IsAutoDelete ? ["auto-delete"] : Array.Empty<string>(),
            .. arguments];
        return string.Join(", ", parts) + (settings.Arguments.Count > 0 ? "" : ", no arguments") + (isAll ? "" : ", as far as the broker tells");
    }

    // "received none but current is the value 'x' of type 'longstr'", "received '6' but current is '5'": a value may itself have quotes.
    [GeneratedRegex("inequivalent arg '(?<name>[^']+)' for queue .* in vhost .*: received .* but current is (?<current>.+)$",
        RegexOptions.CultureInvariant | RegexOptions.Singleline)]
    private static partial Regex Difference();

    [GeneratedRegex("^the value '(?<value>.*)' of type '(?<type>[a-z]+)'$", RegexOptions.CultureInvariant | RegexOptions.Singleline)]
    private static partial Regex TypedValue();

    private sealed record Settings(bool IsDurable, bool IsAutoDelete, Dictionary<string, object?> Arguments);
}
