using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Messaging;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.SystemMessaging.Tests;

/// <summary>Compares the API, member by member, with Mono's System.Messaging, which is read as metadata.</summary>
public class MonoTests(ITestOutputHelper output)
{
    internal const string AssemblyPath = "/usr/lib/mono/4.5/System.Messaging.dll";

    /// <summary>Members that neither Mono nor .NET Framework has, or that .NET Framework inherits from types that .NET does not have.</summary>
    private static readonly Dictionary<string, string> Additions = new(StringComparer.Ordinal)
    {
        ["BinaryMessageFormatter.Allow(Type[]): Void"] = "declares the types of bodies",
        ["BinaryMessageFormatter.AllowSerializable(Assembly): Void"] = "declares the types of bodies",
        ["BinaryMessageFormatter.AllowedTypes: IReadOnlyCollection<Type> { get; }"] = "declares the types of bodies",
        ["MessageQueue.PeekAsync(TimeSpan, CancellationToken): Task<Message>"] = "does not block a thread",
        ["MessageQueue.ReceiveAsync(TimeSpan, MessageQueueTransaction, CancellationToken): Task<Message>"] = "does not block a thread",
        ["MessageQueue.SendAsync(Object, MessageQueueTransaction, CancellationToken): Task"] = "does not block a thread",
        ["MessageQueue.ToString(): String"] = "the path, for debuggers and logs",
        ["MessageQueuePermission.Assert(): Void"] = "CodeAccessPermission",
        ["MessageQueuePermission.Demand(): Void"] = "CodeAccessPermission",
        ["MessageQueuePermission.Deny(): Void"] = "CodeAccessPermission",
        ["MessageQueuePermission.PermitOnly(): Void"] = "CodeAccessPermission",
    };

    [MonoFact]
    public void Every_difference_from_Mono_is_explained()
    {
        using var mono = new ApiReader(AssemblyPath);
        using var own = new ApiReader(typeof(MessageQueue).Assembly.Location);
        using var framework = new ApiReader(CoverageTests.ReferenceAssembly);
        SortedSet<string> theirs = Members(mono), ours = Members(own), reference = Members(framework);

        // All that Mono has is here, except dialogs of Windows Forms.
        Assert.All(theirs.Except(ours), static member => Assert.StartsWith("Design.", member, StringComparison.Ordinal));
        // What is here, and not in Mono, is in .NET Framework, or one of the additions.
        Assert.Equal(Additions.Keys.Order(StringComparer.Ordinal), ours.Except(theirs).Except(reference).Order(StringComparer.Ordinal));
        output.WriteLine($"Mono {theirs.Count}, of .NET Framework only {reference.Except(theirs).Count(ours.Contains)}, additions {Additions.Count}.");
    }

    private static SortedSet<string> Members(ApiReader reader) => new(
        reader.Types("System.Messaging").SelectMany(static type => type.Members.Keys.Select(member => $"{type.Name}.{member}")), StringComparer.Ordinal);
}

/// <summary>A test that needs Mono's System.Messaging.</summary>
public sealed class MonoFactAttribute : FactAttribute
{
    public MonoFactAttribute() =>
        Skip = TestScale.SkipReason(static () => File.Exists(MonoTests.AssemblyPath) ? null : "Install libmono-system-messaging4.0-cil.");
}
