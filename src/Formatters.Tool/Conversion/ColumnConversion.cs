using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Npgsql;

namespace Formatters.Tools.Conversion;

/// <summary>Converts the bodies in a column of a PostgreSQL table into another column of the same rows.</summary>
/// <remarks>Rows whose new column is not null are done already, so that a run that was ended can be repeated. Each page of rows is one
/// transaction.</remarks>
/// <param name="database">The database: <c>postgres://user:password@host/database</c>.</param>
/// <param name="table">The table, with its schema or without.</param>
/// <param name="key">A column whose value names a row in reports.</param>
/// <param name="column">The column with the bodies: <c>bytea</c>.</param>
/// <param name="toColumn">The column for the new bodies: <c>bytea</c>, or <c>text</c>, <c>json</c> or <c>jsonb</c> for formats that are text.</param>
/// <param name="isDryRun">Whether to read and convert only.</param>
internal sealed class ColumnConversion(QueueAddress database, string table, string key, string column, string toColumn, bool isDryRun)
{
    private const int PageCount = 500;

    /// <summary>To count and to scan a large table takes long; the run can be cancelled.</summary>
    private const string Settings = "Command Timeout=0;Application Name=formatters convert";

    private readonly string _table = string.Join('.', table.Split('.').Select(Quote));
    private readonly string _key = Quote(key);
    private readonly string _column = Quote(column);
    private readonly string _toColumn = Quote(toColumn);

    /// <summary>Gets or sets how many rows were left as they are, since another session has changed them during the run.</summary>
    internal long ChangedMeanwhileCount { get; private set; }

    /// <summary>Converts the rows.</summary>
    /// <exception cref="UsageException">A table or column does not exist or has another type.</exception>
    /// <exception cref="QueueException">The database cannot be reached or failed. The pages before that are converted.</exception>
    /// <exception cref="OperationCanceledException">The run was interrupted. The pages before that are converted.</exception>
    internal async Task RunAsync(BodyConversion conversion, IProgress<double> progress, CancellationToken cancellationToken)
    {
        try
        {
            await ConvertAsync(conversion, progress, cancellationToken);
        }
        catch (PostgresException e) when (e.SqlState is PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.UndefinedColumn or PostgresErrorCodes.InvalidCatalogName)
        {
            throw new UsageException(e.MessageText + ".");
        }
        catch (NpgsqlException e)
        {
            throw new QueueException($"The database failed: {e.Message}", e);
        }
    }

    private async Task ConvertAsync(BodyConversion conversion, IProgress<double> progress, CancellationToken cancellationToken)
    {
        await using NpgsqlDataSource source = NpgsqlDataSource.Create(Database.ConnectionStringOf(PostgreSqlAddress.ParseDatabase(database), Settings));
        await using NpgsqlConnection reading = await source.OpenConnectionAsync(cancellationToken);
        bool isText = await CheckTypesAsync(reading, conversion.WritesText, cancellationToken);
        await using NpgsqlTransaction snapshot = await reading.BeginTransactionAsync(System.Data.IsolationLevel.RepeatableRead, cancellationToken);
        string rows = $"FROM {_table} WHERE {_column} IS NOT NULL AND {_toColumn} IS NULL";
        long total = Math.Max(1, (long)(await ScalarAsync(reading, $"SELECT count(*) {rows}", cancellationToken))!);
        await ExecuteAsync(reading, $"DECLARE bodies NO SCROLL CURSOR FOR SELECT ctid::text, tableoid::bigint::text, {_key}::text, {_column} {rows}", cancellationToken);
        for (long done = 0; ;)
        {
            List<Row> page = await ReadPageAsync(reading, cancellationToken);
            if (page.Count == 0)
                break;
            var converted = new List<(Row Row, ConvertedBody Body)>();
            foreach (Row row in page)
            {
                if (conversion.Convert($"the row {key} = {row.Key}", row.Body) is { } body)
                    converted.Add((row, body));
            }

            if (isDryRun)
                converted.ForEach(pair => conversion.AddWritten(pair.Body));
            else if (converted.Count > 0)
                await WritePageAsync(source, conversion, converted, isText, cancellationToken);
            progress.Report(Math.Min(1, (double)(done += page.Count) / total));
        }
    }

    /// <summary>A row: its place in the table, which another session's update changes, its name, and its body.</summary>
    private sealed record Row(string Place, string Table, string? Key, byte[] Body);

    private static async Task<List<Row>> ReadPageAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(string.Create(CultureInfo.InvariantCulture, $"FETCH FORWARD {PageCount} FROM bodies"), connection);
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
        var page = new List<Row>();
        while (await reader.ReadAsync(cancellationToken))
            page.Add(new Row(reader.GetString(0), reader.GetString(1), reader.IsDBNull(2) ? null : reader.GetString(2), reader.GetFieldValue<byte[]>(3)));
        return page;
    }

    /// <summary>Writes a page in one transaction. If the database refuses a value, its rows are written one by one, so that only that row is
    /// refused.</summary>
    private async Task WritePageAsync(
        NpgsqlDataSource source, BodyConversion conversion, List<(Row Row, ConvertedBody Body)> page, bool isText, CancellationToken cancellationToken)
    {
        try
        {
            await WriteAsync(source, conversion, page, isText, cancellationToken);
        }
        catch (PostgresException e) when (IsOfValue(e))
        {
            foreach ((Row Row, ConvertedBody Body) pair in page)
            {
                try
                {
                    await WriteAsync(source, conversion, [pair], isText, cancellationToken);
                }
                catch (PostgresException refusal) when (IsOfValue(refusal))
                {
                    conversion.AddRefused(pair.Body, $"The column '{toColumn}' does not accept the new body: {refusal.MessageText}.");
                }
            }
        }

        // Data exceptions and violated constraints.
        static bool IsOfValue(PostgresException e) => e.SqlState.StartsWith("22", StringComparison.Ordinal) || e.SqlState.StartsWith("23", StringComparison.Ordinal);
    }

    private async Task WriteAsync(
        NpgsqlDataSource source, BodyConversion conversion, List<(Row Row, ConvertedBody Body)> page, bool isText, CancellationToken cancellationToken)
    {
        await using NpgsqlConnection connection = await source.OpenConnectionAsync(cancellationToken);
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken);
        await using var batch = new NpgsqlBatch(connection, transaction);
        foreach ((Row row, ConvertedBody body) in page)
        {
            batch.BatchCommands.Add(new NpgsqlBatchCommand($"UPDATE {_table} SET {_toColumn} = $1 WHERE ctid = $2 AND tableoid = $3 AND {_column} = $4 AND {_toColumn} IS NULL")
            {
                Parameters =
                {
                    // A string of unknown type takes the type of its column: text, json, jsonb; tid; oid.
                    isText ? Unknown(Encoding.UTF8.GetString(body.Body)) : new NpgsqlParameter { Value = body.Body },
                    Unknown(row.Place),
                    Unknown(row.Table),
                    new NpgsqlParameter { Value = row.Body },
                },
            });
        }

        await batch.ExecuteNonQueryAsync(cancellationToken);
        await transaction.CommitAsync(CancellationToken.None);
        for (int i = 0; i < page.Count; i++)
        {
            if (batch.BatchCommands[i].RecordsAffected == 0)
                ChangedMeanwhileCount++;
            else
                conversion.AddWritten(page[i].Body);
        }

        static NpgsqlParameter Unknown(string value) => new() { Value = value, NpgsqlDbType = NpgsqlTypes.NpgsqlDbType.Unknown };
    }

    /// <summary>Checks the types of the columns.</summary>
    /// <returns>Whether the new column is text.</returns>
    private async Task<bool> CheckTypesAsync(NpgsqlConnection connection, bool writesText, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand($"SELECT {_column}, {_toColumn}, {_key} FROM {_table} LIMIT 0", connection);
        await using NpgsqlDataReader reader = await command.ExecuteReaderAsync(cancellationToken);
        string from = reader.GetDataTypeName(0), to = reader.GetDataTypeName(1);
        if (from != "bytea")
            throw new UsageException($"The column '{column}' is of type {from}; bodies are in columns of type bytea.");
        bool isText = to is "text" or "json" or "jsonb" || to.StartsWith("character varying", StringComparison.Ordinal);
        if (to != "bytea" && !isText)
            throw new UsageException($"The column '{toColumn}' is of type {to}, not bytea, text, json or jsonb.");
        return !isText || writesText ? isText : throw new UsageException($"The column '{toColumn}' is of type {to}, and the new format is not text: name a column of type bytea.");
    }

    private static async Task<object?> ScalarAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        return await command.ExecuteScalarAsync(cancellationToken);
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    private static string Quote(string name) => $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
