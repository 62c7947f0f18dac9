using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The server the tests run against: the one that <c>eng/postgres start</c> prints.</summary>
internal static class Postgres
{
    internal const string Variable = "FORMATTERS_POSTGRES";

    internal const string Hint = $"No server: {Variable} is not set. Start one: eval \"$(eng/postgres start)\"";

    /// <summary>Why tests that need a server are skipped, or null. In continuous integration they are not skipped but fail.</summary>
    internal static string? SkipReason => TestScale.SkipReason(Variable, Hint);

    /// <summary>The server's address with the database, without a queue: <c>postgres://postgres:formatters@127.0.0.1:5432/postgres</c>.</summary>
    internal static string Address =>
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } address ? address.TrimEnd('/') : throw new InvalidOperationException(Hint);

    /// <summary>A connection as an application has one.</summary>
    internal static async Task<NpgsqlConnection> ConnectAsync(string address, string? database = null)
    {
        var uri = new Uri(address);
        string[] user = uri.UserInfo.Split(':');
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder
        {
            Host = uri.Host,
            Port = uri.Port,
            Username = user[0],
            Password = user[1],
            Database = database ?? uri.AbsolutePath.Trim('/'),
            Pooling = false,
        }.ConnectionString);
        await connection.OpenAsync();
        return connection;
    }

    internal static async Task<T?> ScalarAsync<T>(this NpgsqlConnection connection, string statement)
    {
        await using var command = new NpgsqlCommand(statement, connection);
        return (T?)await command.ExecuteScalarAsync();
    }

    internal static async Task RunAsync(this NpgsqlConnection connection, string statement)
    {
        await using var command = new NpgsqlCommand(statement, connection);
        await command.ExecuteNonQueryAsync();
    }
}

/// <summary>A test that needs PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PostgresFactAttribute : FactAttribute
{
    public PostgresFactAttribute() => Skip = Postgres.SkipReason;
}

/// <summary>A theory that needs PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PostgresTheoryAttribute : TheoryAttribute
{
    public PostgresTheoryAttribute() => Skip = Postgres.SkipReason;
}

/// <summary>A server of the test's own, in a scratch folder: to be killed.</summary>
internal sealed class PrivatePostgres : IAsyncDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("formatters-postgres-").FullName;

    /// <summary>The address with the database.</summary>
    internal string Address { get; private set; } = "";

    private int? _maxPreparedTransactions;
    private int _owner;

    /// <summary>Starts one.</summary>
    /// <param name="maxPreparedTransactions">The setting of that name, or null for that of <c>eng/postgres</c>.</param>
    /// <param name="owner">The process without which the server is stopped, or null for this one.</param>
    internal static async Task<PrivatePostgres> StartAsync(int? maxPreparedTransactions = null, int? owner = null)
    {
        var server = new PrivatePostgres { _maxPreparedTransactions = maxPreparedTransactions, _owner = owner ?? Environment.ProcessId };
        await server.RestartAsync();
        return server;
    }

    /// <summary>Starts the server again over the same data.</summary>
    internal async Task RestartAsync() => Address = (await RunAsync("start")).Trim().Split(Postgres.Variable + "=")[1];

    /// <summary>Ends all the server's processes without a word, as a power switch would.</summary>
    internal async Task KillAsync()
    {
        using Process server = FindProcess();
        // So that it makes no further ones meanwhile.
        using Process stop = Process.Start("kill", ["-STOP", $"{server.Id}"]);
        await stop.WaitForExitAsync();
        int[] children = [.. Children(server.Id)];
        server.Kill();
        foreach (int child in children)
            Kill(child);
        await server.WaitForExitAsync();
        foreach (int child in children)
        {
            // Not a child of this process: no event, only the process's end.
            while (Directory.Exists($"/proc/{child}"))
                await Task.Delay(5);
        }
    }

    /// <summary>Stops the server's processes without ending them: connections stay, nothing is answered.</summary>
    internal Task PauseAsync() => SignalAsync("-STOP");

    internal Task ContinueAsync() => SignalAsync("-CONT");

    public async ValueTask DisposeAsync()
    {
        await RunAsync("stop");
        Directory.Delete(_directory, recursive: true);
    }

    private static IEnumerable<int> Children(int parent) => Directory.EnumerateDirectories("/proc")
        .Where(folder => int.TryParse(Path.GetFileName(folder), out _) && ParentOf(folder) == parent)
        .Select(folder => int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture));

    private static void Kill(int pid)
    {
        try
        {
            using Process process = Process.GetProcessById(pid);
            process.Kill();
        }
        catch (ArgumentException)
        {
            // It has ended by itself.
        }
    }

    private static int ParentOf(string folder)
    {
        try
        {
            // pid (name) state parent ...: the name may have spaces and parentheses.
            string stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return -1;
        }
    }

    /// <summary>Whether the server's process runs.</summary>
    internal async Task<bool> IsRunningAsync()
    {
        try
        {
            await RunAsync("status");
            return true;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }

    private Process FindProcess() =>
        Process.GetProcessById(int.Parse(File.ReadLines(Path.Combine(_directory, "data", "postmaster.pid")).First(), CultureInfo.InvariantCulture));

    private async Task SignalAsync(string signal)
    {
        using Process server = FindProcess();
        string[] pids = [$"{server.Id}", .. Children(server.Id).Select(child => $"{child}")];
        using Process kill = Process.Start("kill", [signal, .. pids]);
        await kill.WaitForExitAsync();
    }

    private async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo(Path.Combine(RepositoryFolder.Path, "eng", "postgres"), [command, _directory]) { RedirectStandardOutput = true };
        start.Environment.Remove("PGPORT");
        // Whoever kills the tests is rid of their servers, too.
        start.Environment["POSTGRES_OWNER"] = _owner.ToString(CultureInfo.InvariantCulture);
        if (_maxPreparedTransactions is { } count)
            start.Environment["PGPREPARED"] = count.ToString(CultureInfo.InvariantCulture);
        using Process process = Process.Start(start)!;
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? output : throw new InvalidOperationException($"eng/postgres {command} failed: {output}");
    }
}
