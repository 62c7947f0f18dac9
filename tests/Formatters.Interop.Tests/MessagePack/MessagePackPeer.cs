using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Interop.Tests.MessagePack;

/// <summary>What a library read of a body, as text, and what it wrote for it; or its error.</summary>
internal sealed record PeerAnswer(string? Text, string? Hex, string? Error);

/// <summary>The npm packages @msgpack/msgpack and msgpackr in one node process, for as long as a class of tests runs.</summary>
public sealed class MessagePackPeer : IDisposable
{
    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web);

    private readonly Process _node;

    public MessagePackPeer()
    {
        var start = new ProcessStartInfo("node", [Path.Combine(Folder(), "peer.js")])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        _node = Process.Start(start) ?? throw new InvalidOperationException("node does not start.");
    }

    /// <summary>Why the tests are skipped: the packages are not installed. In CI they fail instead.</summary>
    public static string? SkipReason { get; } =
        TestScale.SkipReason(() => Directory.Exists(Path.Combine(Folder(), "node_modules", "msgpackr"))
            ? null
            : "The npm packages are not installed: npm ci --ignore-scripts --omit=optional in tests/Formatters.Interop.Tests/node.");

    public void Dispose()
    {
        _node.StandardInput.Close();
        _node.WaitForExit();
        _node.Dispose();
    }

    internal Dictionary<string, PeerAnswer[]> Ask(IEnumerable<byte[]> bodies)
    {
        _node.StandardInput.WriteLine(JsonSerializer.Serialize(bodies.Select(Convert.ToHexString)));
        _node.StandardInput.Flush();
        string line = _node.StandardOutput.ReadLine() ?? throw new InvalidOperationException("node has ended.");
        return JsonSerializer.Deserialize<Dictionary<string, PeerAnswer[]>>(line, Options)!;
    }

    private static string Folder() => Path.GetFullPath(Path.Combine(Golden.Directory("."), "..", "Formatters.Interop.Tests", "node"));
}

/// <summary>A test that needs the npm packages.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NodeFactAttribute : FactAttribute
{
    public NodeFactAttribute() => Skip = MessagePackPeer.SkipReason;
}
