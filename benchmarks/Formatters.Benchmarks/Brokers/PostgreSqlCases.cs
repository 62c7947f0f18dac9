using System.ComponentModel;
using Formatters.Queues.PostgreSql;
using Npgsql;
using NpgsqlTypes;

namespace Formatters.Benchmarks.Brokers;

/// <summary>Queues over PostgreSQL beside pgbench, which runs the same inserts and deletes on the same tables.</summary>
/// <remarks>As a queue's send, the script's inserts only if the queue is not deleted, takes body and id as parameters, and wakes receivers that
/// wait.</remarks>
internal sealed class PostgreSqlCases : IAsyncDisposable
{
    private const string Peer = "pgbench";

    /// <summary>An insert of constants, which looks whether anybody waits for them as little as whether the queue is there.</summary>
    private const string InsertPeer = Peer + ", insert only";
    private const int SenderCount = 20;
    private const int BatchCount = 100;

    /// <summary>By hand, with Npgsql, into the queue's own table: which queue there is and whether anybody waits is not looked at.</summary>
    private const string CopyPeer = "Npgsql, binary COPY";
    private const string RowsPeer = "Npgsql, multi-row INSERT";

    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    // What the queue's own connections are told: the plans that it lets the server make.
    private const string ServerOptions =
        "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan";

    private readonly QueueConnector _connector = new(new PostgreSqlQueueProvider());
    private readonly string _scripts = Directory.CreateTempSubdirectory("formatters-brokers-").FullName;
    private readonly byte[] _body = BrokerCase.CreateBody();
    private readonly Uri _server;
    private readonly string _address;
    private int _queueId;
    private string _rows = "";
    private QueueClient _recoverable = null!;
    private QueueClient _express = null!;
    private QueueClient _transactional = null!;

    private PostgreSqlCases(string server)
    {
        _server = new Uri(server);
        _address = $"{server}/formatters-benchmark-{Guid.NewGuid():N}";
    }

    internal IReadOnlyList<BrokerCase> All =>
    [
        new("send recoverable, one after the other", Peer, time => BenchAsync("send", 1, time),
            time => RunAsync(1, time, () => SendAsync(_recoverable))),
        new($"send recoverable, {SenderCount} senders", Peer, time => BenchAsync("send", SenderCount, time),
            time => RunAsync(SenderCount, time, () => SendAsync(_recoverable))),
        new("send express, one after the other", Peer, time => BenchAsync("express", 1, time, "-c synchronous_commit=off"),
            time => RunAsync(1, time, () => SendAsync(_express))),
        new("send express, one after the other", InsertPeer, time => BenchAsync("insert", 1, time, "-c synchronous_commit=off"),
            time => RunAsync(1, time, () => SendAsync(_express))),
        new($"send express, {SenderCount} senders", Peer, time => BenchAsync("express", SenderCount, time, "-c synchronous_commit=off"),
            time => RunAsync(SenderCount, time, () => SendAsync(_express))),
        new("begin, send, commit", Peer, time => BenchAsync("transaction", 1, time), time => RunAsync(1, time, SendInTransactionAsync)),
        new($"send recoverable, batches of {BatchCount}", CopyPeer, time => BareAsync(time, CopyAsync), time => BatchesAsync(time)),
        new($"send recoverable, batches of {BatchCount}", RowsPeer, time => BareAsync(time, InsertRowsAsync), time => BatchesAsync(time)),
        new("receive and delete, one after the other", Peer, BenchReceiveAsync, ReceiveAsync),
    ];

    internal static async Task<PostgreSqlCases> CreateAsync(string server)
    {
        var cases = new PostgreSqlCases(server);
        cases._recoverable = await cases._connector.OpenAsync(cases._address, Recoverable);
        cases._express = await cases._connector.OpenAsync(cases._address, QueueOptions.Fastest);
        cases._transactional = await cases._connector.OpenAsync(cases._address, new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        await cases.WriteScriptsAsync();
        return cases;
    }

    public async ValueTask DisposeAsync()
    {
        await _transactional.DisposeAsync();
        await _express.DisposeAsync();
        await _recoverable.DisposeAsync();
        await _connector.DeleteAsync(_address);
        Directory.Delete(_scripts, recursive: true);
    }

    private string[] Credentials => Uri.UnescapeDataString(_server.UserInfo).Split(':', 2);
    private string Database => _server.AbsolutePath.Trim('/');

    private string ConnectionString() => new NpgsqlConnectionStringBuilder
    {
        Host = _server.Host,
        Port = _server.IsDefaultPort || _server.Port < 0 ? 5432 : _server.Port,
        Username = Credentials[0],
        Password = Credentials.ElementAtOrDefault(1),
        Database = Database,
    }.ConnectionString;

    private async Task WriteScriptsAsync()
    {
        await using var connection = new NpgsqlConnection(ConnectionString());
        await connection.OpenAsync();
        await using var find = new NpgsqlCommand("SELECT id FROM formatters_queues.queue WHERE name = $1 AND deleted_at IS NULL", connection)
        {
            Parameters = { new() { Value = _address[(_address.LastIndexOf('/') + 1)..] } },
        };
        int queue = _queueId = (int)(await find.ExecuteScalarAsync())!;
        _rows = RowsStatement();
        string send = Send(queue, "recoverable_message", "true");
        await File.WriteAllTextAsync(Script("send"), $"\\startpipeline\n{send}\\endpipeline\n");
        await File.WriteAllTextAsync(Script("express"), $"\\startpipeline\n{Send(queue, "express_message", "false")}\\endpipeline\n");
        await File.WriteAllTextAsync(Script("insert"), Insert(queue, "express_message", "false"));
        await File.WriteAllTextAsync(Script("transaction"), $"BEGIN;\n{send}COMMIT;\n");
        await File.WriteAllTextAsync(Script("receive"), Delete(queue));
    }

    private static string Send(int queue, string table, string isRecoverable) =>
        $"INSERT INTO formatters_queues.{table} (queue_id, is_recoverable, priority, body_type, sent_at, message_id, body) "
        + $"SELECT q.id, {isRecoverable}, 4, 0, statement_timestamp(), :id, :body FROM formatters_queues.queue q WHERE "
        + $"q.id = {queue} AND q.deleted_at IS NULL;\n"
        + $"SELECT pg_notify('formatters_queues', '{queue}') FROM formatters_queues.waiter WHERE queue_id = {queue} AND "
        + $"until > statement_timestamp() LIMIT 1;\n";

    private string Insert(int queue, string table, string isRecoverable) =>
        $"INSERT INTO formatters_queues.{table} (queue_id, is_recoverable, priority, body_type, sent_at, message_id, body) "
        + $"VALUES ({queue}, {isRecoverable}, 4, 0, statement_timestamp(), '{Guid.Empty}', decode('{Convert.ToHexString(_body)}', 'hex'));\n";

    private static string Delete(int queue) =>
        "WITH next AS (SELECT tableoid, ctid FROM formatters_queues.message "
        + $"WHERE queue_id = {queue} AND locked_by IS NULL AND (expires_at IS NULL OR expires_at > statement_timestamp()) ORDER BY priority "
        + $"DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED) "
        + "DELETE FROM formatters_queues.message m USING next WHERE m.tableoid = next.tableoid AND m.ctid = next.ctid RETURNING m.*;\n";

    private string Script(string name) => Path.Combine(_scripts, name + ".sql");

    private async Task<double> BenchAsync(string script, int clients, TimeSpan time, string options = "")
    {
        var start = new ProcessStartInfo(
            "pgbench", ["-n", "-M", "prepared", "-T", $"{Math.Ceiling(time.TotalSeconds)}", "-c", $"{clients}", "-j",
                $"{Math.Min(clients, Environment.ProcessorCount)}",
            "-D", $"id={Guid.NewGuid()}", "-D", $"body=\\x{Convert.ToHexString(_body)}", "-f", Script(script)])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment =
            {
                ["PGHOST"] = _server.Host,
                ["PGPORT"] = $"{(_server.Port > 0 ? _server.Port : 5432)}",
                ["PGUSER"] = Credentials[0],
                ["PGPASSWORD"] = Credentials.ElementAtOrDefault(1) ?? "",
                ["PGDATABASE"] = Database,
                ["PGOPTIONS"] = $"{ServerOptions} {options}",
            },
        };
        using Process process = StartTool(start);
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        const string Rate = "tps = ";
        int at = output.IndexOf(Rate, StringComparison.Ordinal);
        // On a busy machine a second may be over before the first transaction is: then there is no rate to print.
        if (process.ExitCode == 0 && at < 0 && time < TimeSpan.FromSeconds(16))
            return await BenchAsync(script, clients, 2 * time, options);
        if (process.ExitCode != 0 || at < 0)
            throw new PeerException($"pgbench ended with exit code {process.ExitCode}: {(await error).Trim()}");
        await _recoverable.PurgeAsync();
        return double.Parse(output[(at + Rate.Length)..].Split(' ')[0], CultureInfo.InvariantCulture);
    }

    private static Process StartTool(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            throw new PeerException("pgbench was not found: install postgresql-contrib with apt-get, or put its folder (such as "
                + "/usr/lib/postgresql/15/bin) on the PATH.");
        }
    }

    private async Task<double> RunAsync(int senderCount, TimeSpan time, Func<Task> once)
    {
        double rate = await BrokerCase.MeasureAsync(senderCount, time, once);
        await _recoverable.PurgeAsync();
        return rate;
    }

    private async Task<double> BatchesAsync(TimeSpan time)
    {
        QueueMessage[] batch = [.. Enumerable.Range(0, BatchCount).Select(_ => NewMessage())];
        return BatchCount * await RunAsync(1, time, () => _recoverable.SendBatchAsync(batch).AsTask());
    }

    private async Task<double> BareAsync(TimeSpan time, Func<NpgsqlConnection, Task> once)
    {
        var settings = new NpgsqlConnectionStringBuilder(ConnectionString()) { MaxAutoPrepare = 10, AutoPrepareMinUsages = 2 };
        await using var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync();
        return BatchCount * await RunAsync(1, time, () => once(connection));
    }

    private async Task CopyAsync(NpgsqlConnection connection)
    {
        await using NpgsqlBinaryImporter rows = await connection.BeginBinaryImportAsync(
            "COPY formatters_queues.recoverable_message (queue_id, is_recoverable, priority, body_type, sent_at, "
                + "message_id, body) FROM STDIN (FORMAT BINARY)");
        for (int i = 0; i < BatchCount; i++)
        {
            await rows.StartRowAsync();
            await rows.WriteAsync(_queueId, NpgsqlDbType.Integer);
            await rows.WriteAsync(true, NpgsqlDbType.Boolean);
            await rows.WriteAsync((short)4, NpgsqlDbType.Smallint);
            await rows.WriteAsync(0, NpgsqlDbType.Integer);
            await rows.WriteAsync(DateTime.UtcNow, NpgsqlDbType.TimestampTz);
            await rows.WriteAsync(Guid.NewGuid().ToString(), NpgsqlDbType.Text);
            await rows.WriteAsync(_body, NpgsqlDbType.Bytea);
        }

        await rows.CompleteAsync();
    }

    private async Task InsertRowsAsync(NpgsqlConnection connection)
    {
        await using var command = new NpgsqlCommand(_rows, connection);
        for (int i = 0; i < BatchCount; i++)
        {
            command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = Guid.NewGuid().ToString() });
            command.Parameters.Add(new NpgsqlParameter<byte[]> { TypedValue = _body });
        }

        await command.ExecuteNonQueryAsync();
    }

    private string RowsStatement() =>
        "INSERT INTO formatters_queues.recoverable_message (queue_id, is_recoverable, priority, body_type, sent_at, message_id, body) VALUES "
        + string.Join(", ", Enumerable.Range(0, BatchCount)
            .Select(
                i => string.Create(CultureInfo.InvariantCulture, $"({_queueId}, true, 4, 0, statement_timestamp(), ${2 * i + 1}, ${2 * i + 2})")));

    private Task SendAsync(QueueClient queue) => queue.SendAsync(NewMessage()).AsTask();

    private async Task SendInTransactionAsync()
    {
        await using QueueTransaction transaction = await _transactional.BeginTransactionAsync();
        await _transactional.SendAsync(NewMessage(), transaction);
        await transaction.CommitAsync();
    }

    private async Task<double> BenchReceiveAsync(TimeSpan time)
    {
        await FillAsync(time);
        return await BenchAsync("receive", 1, time);
    }

    private async Task<double> ReceiveAsync(TimeSpan time)
    {
        await FillAsync(time);
        await using QueueClient queue = await _connector.OpenAsync(_address, Recoverable);
        return await RunAsync(1, time, async () =>
        {
            if (await queue.ReceiveAsync(TimeSpan.Zero) is null)
                throw new PeerException("The queue became empty during the run.");
        });
    }

    /// <summary>Puts more into the queue than anybody takes out in the time.</summary>
    /// <remarks>The rows of the cases before it are removed: receives would pass over a million of them, which is another measurement.</remarks>
    private async Task FillAsync(TimeSpan time)
    {
        await using (var connection = new NpgsqlConnection(ConnectionString()))
        {
            await connection.OpenAsync();
            await using var vacuum = new NpgsqlCommand("VACUUM formatters_queues.recoverable_message, formatters_queues.express_message",
                connection) { CommandTimeout = 0 };
            await vacuum.ExecuteNonQueryAsync();
        }

        for (int thousand = 0; thousand < 5 * Math.Ceiling(time.TotalSeconds); thousand++)
            await Task.WhenAll(Enumerable.Range(0, 1000).Select(_ => SendAsync(_recoverable)));
    }

    private QueueMessage NewMessage() => new(new MessageBody(_body));
}
