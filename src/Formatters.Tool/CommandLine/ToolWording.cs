using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace Formatters.Tools.CommandLine;

/// <summary>Says errors of the library in the words of the command line: a user of the tool knows its options, not properties and types.</summary>
internal static partial class ToolWording
{
    private const string ManagementInterface = "say where the broker's management interface is (RabbitMqOptions.ManagementAddress)";

    /// <summary>Phrases of the library, each with the phrase of the tool that replaces it.</summary>
    private static readonly (string Library, string Tool)[] Phrases =
    [
        (ManagementInterface, "list all of them with 'queue list' and --management, the address of the broker's management interface"),
        ("a program for .NET Framework with MsmqQueueProvider (package Formatters.Msmq)", "formatters-bench.exe for .NET Framework (src/Formatters.Bench.NetFramework), whose verb is perftest"),
        ("(DeadLetterQueue, MaxDeliveryCount, MaxMessageCount, MaxByteCount, RabbitMqOptions)", "(dead-letter queue, limits, type)"),
        ("; RabbitMqOptions.DeadLetters = ByReceiver lets a receiver have dead letters of any queue", ""),
        ("PeekAsync is not supported", "messages cannot be shown without a delivery ('inspect --queue' with --return receives them and gives them back): not supported"),
    ];

    private static readonly Dictionary<string, string> Names = new(StringComparer.Ordinal)
    {
        ["MaxMessageCount"] = "the maximum number of messages",
        ["MaxByteCount"] = "the maximum number of bytes",
        ["MaxDeliveryCount"] = "the maximum number of deliveries",
        ["HoldBackByteCount"] = "the limit for messages that wait",
        ["OperationTimeout"] = "the timeout of an operation",
        ["DuplicateWindow"] = "the time within which duplicates are refused",
        ["DeadLetterQueue"] = "the dead-letter queue",
        ["JournalQueue"] = "the journal queue",
        ["MaxBodyByteCount"] = "the maximum length of a body",
        ["MaxElementCount"] = "the maximum number of elements",
        ["MaxDepth"] = "the maximum depth",
        ["FormatterRegistry"] = "the format auto",
        ["WithUntaggedReader"] = "--from-format",
    };

    /// <summary>The message of an error, for the error output.</summary>
    internal static string Of(string message)
    {
        foreach ((string library, string tool) in Phrases)
            message = message.Replace(library, tool, StringComparison.Ordinal);
        message = MemberInParentheses().Replace(message, "");
        return AnyName().Replace(message, match => Names.GetValueOrDefault(match.Groups["member"].Value, match.Value));
    }

    /// <summary>A member of a type that says for programs what the sentence has said already.</summary>
    [GeneratedRegex(@" \(((it does|they do) not have )?(Queue|RabbitMq|PostgreSql|FileQueue|Formatter|Forwarder)[A-Za-z]+\.[A-Za-z]+\)", RegexOptions.CultureInvariant)]
    private static partial Regex MemberInParentheses();

    /// <summary>A name in a sentence: not a part of an address, a path, or what stands in quotes.</summary>
    [GeneratedRegex(@"(?<![\w/:.\\'-])((Queue|FormatterLimits|Formatter)[A-Za-z]*\.)?(?<member>[A-Z][a-z]+([A-Z][a-z]+)+)(?![\w/\\'.-]*['/\\])", RegexOptions.CultureInvariant)]
    private static partial Regex AnyName();
}
