using System;

namespace Formatters.Tools.CommandLine;

/// <summary>The command line asks for something that does not exist: exit code 2.</summary>
internal sealed class UsageException(string message) : Exception(message)
{
    /// <summary>What a method refused; the name of its parameter says nothing to who types a command.</summary>
    internal UsageException(ArgumentException refusal, string prefix = "")
        : this(prefix + MessageOf(refusal))
    {
    }

    private static string MessageOf(ArgumentException refusal)
    {
        // .NET puts it behind the message, .NET Framework on a line of its own.
        int name = refusal.ParamName is { Length: > 0 } parameter ? refusal.Message.LastIndexOf(parameter, StringComparison.Ordinal) : -1;
        int end = name < 0 ? -1 : Math.Max(refusal.Message.LastIndexOf(" (", name, StringComparison.Ordinal), refusal.Message.LastIndexOf('\n', name));
        return end <= 0 ? refusal.Message : refusal.Message.Substring(0, end).TrimEnd();
    }
}
