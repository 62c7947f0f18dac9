using System;

namespace Formatters.Tools.CommandLine;

/// <summary>The command line asks for something that does not exist: exit code 2.</summary>
internal sealed class UsageException(string message) : Exception(message)
{
    /// <summary>Creates an exception from an argument exception, without the name of its parameter, which a user of the command line does not know.</summary>
    internal UsageException(ArgumentException refusal, string prefix = "")
        : this(prefix + MessageOf(refusal))
    {
    }

    private static string MessageOf(ArgumentException refusal)
    {
        // .NET appends it to the message, .NET Framework puts it on a separate line.
        int name = refusal.ParamName is { Length: > 0 } parameter ? refusal.Message.LastIndexOf(parameter, StringComparison.Ordinal) : -1;
        int end = name < 0 ? -1 : Math.Max(refusal.Message.LastIndexOf(" (", name, StringComparison.Ordinal), refusal.Message.LastIndexOf('\n', name));
        return end <= 0 ? refusal.Message : refusal.Message.Substring(0, end).TrimEnd();
    }
}
