using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Bench.Migrate;
using Formatters.Bench.Reports;
using Formatters.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>migrate</c>.</summary>
internal static class MigrateCommand
{
    internal const string Name = "migrate";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector)
    {
        var source = new Argument<string>("from") { Description = "The queue from which messages are taken." };
        var destination = new Argument<string>("to") { Description = "The queue to which they are sent." };
        var fromFormat = new Option<string>("--from-format")
        {
            Description = $"How bodies are read: {BodyFormats.Auto} (by content type, body type, first bytes), {BodyFormats.Names}, or a static member Namespace.Type.Member that is a formatter.",
            HelpName = "name",
            DefaultValueFactory = _ => BodyFormats.Auto,
        };
        var toFormat = new Option<string>("--to-format")
        {
            Description = $"How bodies are written: {BodyFormats.Names}, {BodyFormats.Unchanged}, or a static member that is a formatter.",
            HelpName = "name",
            Required = true,
        };
        var types = new Option<string[]>("--type") { Description = "The full name of the payload's type; further types are those of objects in its members of type object.", HelpName = "name" };
        var assemblies = new Option<FileInfo[]>("--assembly") { Description = "An assembly with these types; may be repeated.", HelpName = "file" };
        var legacyNames = new Option<string[]>("--legacy-name")
        {
            Description = "The name of a type in legacy binary bodies: New.Name=Old.Name or New.Name=Old.Name,OldAssembly; for a generic type its open name, New.Name`1; may be repeated.",
            HelpName = "names",
        };
        var legacyAssembly = new Option<string?>("--legacy-assembly") { Description = "The name of the types' assembly in legacy binary bodies.", HelpName = "name" };
        var unannotatedNull = new Option<bool>("--unannotated-null")
        {
            Description = "Also in binary and protobuf, allow null in members of types without nullable annotations, as if they were declared with ?. Readers need the same.",
        };
        var allow = new Option<string[]>("--allow")
        {
            Description = "A change to allow in the new bodies: Type.Member:change, with * for any part of a name; may be repeated. "
                + $"Changes: {string.Join(", ", AllowedChanges.KindNames)}.",
            HelpName = "change",
        };
        Option<double> maxGrowth = CommonOptions.CreateNumber("--max-growth", "Refuse a message whose new body is larger than this many times the old one plus 4 KiB.", 1, 1_000_000, 32, helpName: "factor");
        var errorQueue = new Option<string?>("--error-queue")
        {
            Description = "The queue for messages that cannot be read or would change: unchanged, with the reason in their headers. Without it, the first such message ends the run.",
            HelpName = "address",
        };
        var dryRun = new Option<bool>("--dry-run") { Description = "Read, write and compare all messages that are there now, but move none." };
        var limit = new Option<long?>("--limit") { Description = "The maximum number of messages to take.", HelpName = "number" };
        limit.Validators.Add(CommonOptions.InRange(limit, 1, long.MaxValue));
        Option<double> wait = CommonOptions.CreateNumber("--wait", "End when the source has been empty for so many seconds.", 0, 86_400, 1, helpName: "seconds");
        var command = new Command(Name, "Moves the messages of a queue to another and re-encodes their bodies, losing none.")
        {
            source, destination, fromFormat, toFormat, types, assemblies, legacyNames, legacyAssembly, unannotatedNull, allow, maxGrowth, errorQueue, dryRun, limit, wait,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            PayloadTypes payloadTypes = FindTypes(
                result.GetValue(types) ?? [], result.GetValue(assemblies) ?? [], result.GetValue(legacyNames) ?? [], result.GetValue(legacyAssembly)) with { UnannotatedAllowsNull = result.GetValue(unannotatedNull) };
            var options = new MigrateOptions
            {
                Source = result.GetValue(source)!,
                Destination = result.GetValue(destination)!,
                ErrorQueue = result.GetValue(errorQueue),
                IsDryRun = result.GetValue(dryRun),
                Limit = result.GetValue(limit),
                Wait = TimeSpan.FromSeconds(result.GetValue(wait)),
                Reencoding = FindFormats(
                    result.GetValue(fromFormat)!, result.GetValue(toFormat)!, payloadTypes, new AllowedChanges(result.GetValue(allow) ?? []), result.GetValue(maxGrowth)),
            };
            var run = new MigrateRun(connector, options);
            long start = Stopwatch.GetTimestamp();
            bool isWhole = false;
            try
            {
                isWhole = await RunProgress.RunAsync(error, progress => run.RunAsync(progress, cancellationToken));
            }
            finally
            {
                if (isWhole || run.Report.Count > 0)
                    run.Report.Print(output, options, options.ErrorQueue is not null, Stopwatch.GetElapsedTime(start));
            }

            if (!isWhole)
                return ExitCodes.Interrupted;
            // A dry run ends as the run would: without an error queue at the first message that is not moved.
            if (options.ErrorQueue is null && run.Report.RefusedCount > 0)
                return run.Report.IsFirstOfNewBody ? ExitCodes.Refused : ExitCodes.Failure;
            return run.Report.NewBodyRefusedCount > 0 ? ExitCodes.Refused : ExitCodes.Success;
        });
        return command;
    }

    private static Reencoding FindFormats(string fromFormat, string toFormat, PayloadTypes types, AllowedChanges allowed, double maxGrowth)
    {
        // To move bodies as they are, nothing need be known of them; to read them all the same is a way to sort out the bad ones.
        bool isRead = toFormat != BodyFormats.Unchanged || fromFormat != BodyFormats.Auto || types.Types.Count > 0;
        return new Reencoding(isRead ? BodyFormats.Readers(fromFormat, types) : [], BodyFormats.Writer(toFormat, types), isRead) 
        {
            PayloadType = types.Types.Count > 0 ? types.Types[0] : null,
            Allowed = allowed,
            MaxGrowth = maxGrowth,
        };
    }

    private static PayloadTypes FindTypes(string[] names, FileInfo[] files, string[] legacyNames, string? legacyAssembly)
    {
        var assemblies = new UserAssemblies(files);
        Type[] types = [.. names.Select(assemblies.GetType)];
        if (types.FirstOrDefault(static type => type.ContainsGenericParameters) is Type open)
            throw new UsageException($"'{open}' is an open generic type: give its type arguments, as in 'Shop.Page`1[[Shop.Order]]'.");
        LegacyBinaryOptions legacy = types.Skip(1).Aggregate(LegacyBinaryOptions.Default, (options, type) => options.WithType(type));
        if (legacyAssembly is not null)
            legacy = types.Select(type => type.Assembly).Distinct().Aggregate(legacy, (options, assembly) => options.WithAssembly(assembly, legacyAssembly));
        foreach (string pair in legacyNames)
        {
            if (pair.Split('=', 2, StringSplitOptions.TrimEntries) is not [{ Length: > 0 } name, { Length: > 0 } old])
                throw new UsageException($"'{pair}' is not of the form New.Name=Old.Name,OldAssembly.");
            // The arguments of a generic type have commas of their own.
            int comma = old.IndexOf(',', old.LastIndexOf(']') + 1);
            try
            {
                legacy = legacy.WithType(assemblies.GetType(name), comma < 0 ? old : old[..comma].TrimEnd(), comma < 0 ? null : old[(comma + 1)..].TrimStart());
            }
            catch (ArgumentException e)
            {
                throw new UsageException(e, $"'{pair}': ");
            }
        }

        return new PayloadTypes { Types = types, LegacyBinary = legacy, Assemblies = assemblies };
    }
}
