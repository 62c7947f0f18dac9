using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Messaging;
using System.Reflection;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

/// <summary>Compares the API with the reference assembly of .NET Framework 4.7.2, and keeps docs/system-messaging-coverage.md true.</summary>
public class CoverageTests
{
    private const string Update = "UPDATE_COVERAGE";

    /// <summary>Members that are there, and have no effect or do not do what MSMQ does.</summary>
    private static readonly Dictionary<string, string> Differences = new(StringComparer.Ordinal)
    {
        ["MessageQueue.EnableConnectionCache"] = "has no effect: queues stay open",
        ["MessageQueue.ClearConnectionCache"] = "has no effect: queues stay open",
        ["MessageQueue.BasePriority"] = "kept, not used",
        ["MessageQueue.MaximumJournalSize"] = "kept, not used",
        ["MessageQueue.GetMachineId"] = "an id that follows from the machine's name",
        ["MessageQueue.ResetPermissions"] = "throws, unless IgnoreAccessControl is set",
        ["MessageQueue.SetPermissions"] = "throws, unless IgnoreAccessControl is set",
        ["Message.UseAuthentication"] = "sending throws, unless IgnoreMessageSecurity is set",
        ["Message.UseEncryption"] = "sending throws, unless IgnoreMessageSecurity is set",
        ["Message.UseTracing"] = "carried, not used",
    };

    private static readonly string[] Unsupported = ["AccessControl", "Security", "Component", "Handle"];

    /// <summary>Gets the path of .NET Framework's System.Messaging.</summary>
    internal static string ReferenceAssembly { get; } = typeof(CoverageTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "ReferenceAssembly").Value!;

    [Fact]
    public void The_coverage_page_is_true_and_at_least_nine_of_ten_members_work()
    {
        using var framework = new ApiReader(ReferenceAssembly);
        IReadOnlyList<ApiReader.ApiType> reference = framework.Types("System.Messaging");
        using var own = new ApiReader(typeof(MessageQueue).Assembly.Location);
        Dictionary<string, ApiReader.ApiType> ownTypes = own.Types("System.Messaging").ToDictionary(static type => type.Name);

        var rows = new List<string>();
        var missing = new List<string>();
        (int all, int working, int throwing) = (0, 0, 0);
        foreach (ApiReader.ApiType type in reference)
        {
            if (!ownTypes.TryGetValue(type.Name, out ApiReader.ApiType? ownType))
            {
                all += type.Members.Count;
                rows.Add($"| `{type.Name}` | not here: a dialog of Windows Forms |");
                if (!type.Name.StartsWith("Design.", StringComparison.Ordinal))
                    missing.Add(type.Name);
                continue;
            }

            if (type.IsEnum)
            {
                all += type.Members.Count;
                foreach ((string name, long value) in type.Constants)
                {
                    if (ownType.Constants.TryGetValue(name, out long ownValue) && ownValue == value)
                        working++;
                    else
                        missing.Add($"{type.Name}.{name} = {value}");
                }

                continue;
            }

            foreach (string member in type.Members.Keys)
            {
                all++;
                string? status = null;
                if (!ownType.Members.TryGetValue(member, out System.Reflection.Metadata.MethodDefinitionHandle method))
                {
                    missing.Add($"{type.Name}.{member}");
                }
                else if (Unsupported.Any(helper => own.Throws(method, "NotHere", helper)))
                {
                    status = "throws `PlatformNotSupportedException`";
                    throwing++;
                }
                else
                {
                    working++;
                    status = Differences.FirstOrDefault(entry => (type.Name + "." + member).StartsWith(entry.Key, StringComparison.Ordinal)).Value;
                }

                if (status is not null)
                    rows.Add($"| `{type.Name}.{member.Split('(', ':')[0]}` | {status} |");
            }
        }

        Assert.Empty(missing);
        Assert.True(working * 10 >= all * 9, $"{working} of {all} members work.");

        string page = FormattableString.Invariant($"""
            # Coverage of System.Messaging

            This page lists the public members of System.Messaging in .NET Framework 4.7.2 that do something else in
            [Formatters.SystemMessaging](../src/Formatters.SystemMessaging/README.md). All others work. A test compares the two assemblies and generates the page:
            `UPDATE_COVERAGE=1 dotnet test tests/Formatters.SystemMessaging.Tests`.

            | | members |
            |---|---:|
            | in .NET Framework | {all} |
            | that work here | {working} ({100.0 * working / all:0.0} %) |
            | that throw `PlatformNotSupportedException`, saying what to do instead | {throwing} |
            | that are not here: dialogs of Windows Forms | {all - working - throwing} |

            | member | here |
            |---|---|
            {string.Join('\n', rows.Distinct())}

            Inherited members count with the type that declares them. `MessageQueuePermission` does not derive from `CodeAccessPermission`, which .NET does not
            have. `GetMessageEnumerator` returns the enumerator of `GetMessageEnumerator2`, whose `RemoveCurrent` is correct.

            """);
        page = page.Replace("\r\n", "\n", StringComparison.Ordinal);
        string file = Path.Combine(RepositoryFolder.Path, "docs", "system-messaging-coverage.md");
        if (Environment.GetEnvironmentVariable(Update) == "1")
            File.WriteAllText(file, page);
        Assert.True(File.Exists(file) && File.ReadAllText(file) == page, $"docs/system-messaging-coverage.md is not true: run the tests with {Update}=1.");
    }
}
