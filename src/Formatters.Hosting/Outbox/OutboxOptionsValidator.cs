using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Validates the settings of the outbox when the host starts.</summary>
internal sealed partial class OutboxOptionsValidator : IValidateOptions<OutboxOptions>
{
    private const int MaxBatchSize = 10_000;

    private static readonly TimeSpan MinPollInterval = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan MaxPollInterval = TimeSpan.FromDays(1);
    private static readonly TimeSpan MinInboxRetention = TimeSpan.FromMinutes(1);

    public ValidateOptionsResult Validate(string? name, OutboxOptions options)
    {
        string[] failures = [.. FindFailures(options)];
        return failures.Length == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(failures);
    }

    private static IEnumerable<string> FindFailures(OutboxOptions options)
    {
        if (options.Dialect is { } dialect && !Enum.IsDefined(dialect))
            yield return Failure(nameof(options.Dialect), $"is {dialect}, which is not a {nameof(OutboxDialect)}");
        (string Setting, string Table)[] tables =
            [(nameof(options.OutboxTable), options.OutboxTable), (nameof(options.InboxTable), options.InboxTable)];
        foreach ((string setting, string table) in tables)
        {
            if (!TableName().IsMatch(table ?? ""))
                yield return Failure(setting, $"is '{table}': a name of letters, digits and underscores, also with a schema before a dot");
            else if (ReservedName().IsMatch(table!))
                yield return Failure(setting, $"is '{table}': such names are reserved, or end with the connection");
        }

        if (string.Equals(options.OutboxTable, options.InboxTable, StringComparison.OrdinalIgnoreCase))
            yield return Failure(nameof(options.InboxTable), $"must differ from {nameof(options.OutboxTable)}");
        else if (ClashesWithIndex(options))
        {
            yield return Failure(
                nameof(options.OutboxTable), $"is '{options.OutboxTable}', which is the name of the index of {nameof(options.InboxTable)}");
        }

        if (options.PollInterval < MinPollInterval || options.PollInterval > MaxPollInterval)
            yield return Failure(nameof(options.PollInterval), $"is {options.PollInterval}: from 10 milliseconds to 1 day");
        if (options.BatchSize is < 1 or > MaxBatchSize)
            yield return Failure(nameof(options.BatchSize), $"is {options.BatchSize}: from 1 to {MaxBatchSize}");
        if (options.DuplicateWindow <= TimeSpan.Zero)
            yield return Failure(nameof(options.DuplicateWindow), $"is {options.DuplicateWindow}: more than zero, or null");
        if (options.InboxRetention < MinInboxRetention)
            yield return Failure(nameof(options.InboxRetention), $"is {options.InboxRetention}: at least 1 minute");
        if (options.MaxRetryDelay < MinPollInterval)
            yield return Failure(nameof(options.MaxRetryDelay), $"is {options.MaxRetryDelay}: at least 10 milliseconds");
    }

    /// <summary>Determines whether the table of the outbox has the name of the inbox's index, and may be in its schema.</summary>
    private static bool ClashesWithIndex(OutboxOptions options)
    {
        string[] outbox = (options.OutboxTable ?? "").Split('.'), inbox = (options.InboxTable ?? "").Split('.');
        return string.Equals(outbox[^1], OutboxTables.IndexOf(inbox[^1]), StringComparison.OrdinalIgnoreCase)
            && (outbox.Length == 1 || inbox.Length == 1 || string.Equals(outbox[0], inbox[0], StringComparison.OrdinalIgnoreCase));
    }

    private static string Failure(string setting, string what) => $"{nameof(OutboxOptions)}.{setting} {what}.";

    [GeneratedRegex(@"\A[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?\z")]
    private static partial Regex TableName();

    [GeneratedRegex(@"\A(temp\.|pg_temp|pg_catalog\.|(.*\.)?sqlite_)", RegexOptions.IgnoreCase)]
    private static partial Regex ReservedName();
}
