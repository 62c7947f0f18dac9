using System;

namespace Formatters.Tools.Migrate;

/// <summary>The step in which a message was refused.</summary>
internal enum MigrateStep
{
    /// <summary>Reading the body from the source.</summary>
    Read,

    /// <summary>Writing the new body, or reading it back.</summary>
    Write,

    /// <summary>Comparing what the new body holds with what the old one did.</summary>
    Compare,

    /// <summary>Sending the message: a property that the other queue does not have.</summary>
    Send,
}

/// <summary>A message cannot be moved as it is asked: it stays, or goes to the error queue.</summary>
internal sealed class RefusedException : Exception
{
    /// <summary>The code of a new body that would change a value.</summary>
    internal const string WouldChange = "WouldChange";

    /// <summary>The code of a new body that is too large.</summary>
    internal const string TooLarge = "TooLarge";

    internal RefusedException(MigrateStep step, string code, string message, MessageFormatException? cause = null)
        : base(message, cause)
    {
        Step = step;
        Code = code;
        ByteOffset = cause?.ByteOffset ?? -1;
        MemberPath = cause?.MemberPath;
    }

    internal MigrateStep Step { get; }

    internal string Code { get; }

    internal long ByteOffset { get; }

    internal string? MemberPath { get; init; }

    /// <summary>Gets whether it was read, and its new body is not what is asked for.</summary>
    internal bool IsOfNewBody => Step is MigrateStep.Write or MigrateStep.Compare;

    /// <summary>Gets the reason in a few words: <c>cannot be written: UnexpectedNull</c>.</summary>
    internal string Reason => Step switch
    {
        MigrateStep.Read => $"cannot be read: {Code}",
        MigrateStep.Send => $"cannot be sent: {Code}",
        MigrateStep.Write when Code != TooLarge => $"cannot be written: {Code}",
        _ => $"refused: {Code}",
    };
}

/// <summary>A run has ended at a message that was refused, since there is no error queue.</summary>
internal sealed class RefusedMessageException(string message, RefusedException cause) : Exception(message, cause)
{
    /// <summary>See <see cref="RefusedException.IsOfNewBody"/>.</summary>
    internal bool IsOfNewBody => cause.IsOfNewBody;
}
