using System;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The tables of the queues: created on first use, by one process at a time, with their version.</summary>
internal static class Schema
{
    /// <summary>The version of the layout that this library writes and reads.</summary>
    private const int Version = 3;

    /// <summary>The key of the advisory lock held while a schema is created: the letters FMTQ and a number.</summary>
    private const long CreationLock = 0x464D_5451_0000_0001;

    /// <summary>Opens the schema, and creates it if it does not exist.</summary>
    /// <exception cref="QueueException">The schema has a newer version.</exception>
    /// <returns>The class of this schema's advisory locks, unique in the database, and its id, unique among databases.</returns>
    internal static async Task<(int LockClass, Guid Key)> OpenAsync(NpgsqlConnection connection, Statements statements,
        CancellationToken cancellationToken)
    {
        string schema = Statements.Quote(statements.SchemaName);
        if (await ReadVersionAsync(connection, schema, cancellationToken).ConfigureAwait(false) is null or < Version and > 0)
            await MakeAsync(connection, schema, cancellationToken).ConfigureAwait(false);
        int version = (await ReadVersionAsync(connection, schema, cancellationToken).ConfigureAwait(false)).GetValueOrDefault();
        if (version != Version)
        {
            throw new QueueException(
                $"The schema {schema} of the database '{connection.Database}' has version {version}; this library knows version {Version}. "
                + (version > Version ? "It was created by a newer one: use that." : "This library did not create it."));
        }

        await using var command = new NpgsqlCommand($"SELECT oid::bigint, key FROM pg_namespace, {schema}.version WHERE nspname = $1", connection)
        {
            Parameters = { new() { Value = statements.SchemaName } },
        };
        await using NpgsqlDataReader row = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await row.ReadAsync(cancellationToken).ConfigureAwait(false);
        return (0x464D_5451 ^ (int)row.GetInt64(0), row.GetGuid(1));
    }

    private static async Task<int?> ReadVersionAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken)
    {
        try
        {
            await using var command = new NpgsqlCommand($"SELECT max(version) FROM {schema}.version", connection);
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) as int?;
        }
        catch (PostgresException e) when (e.SqlState is PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.InvalidSchemaName)
        {
            return null;
        }
    }

    private static async Task MakeAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken)
    {
        await using NpgsqlTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await RunAsync($"SELECT pg_advisory_xact_lock({CreationLock})").ConfigureAwait(false);
        bool exists;
        await using (var command = new NpgsqlCommand(
            "SELECT to_regclass($1) IS NOT NULL", connection, transaction) { Parameters = { new() { Value = schema + ".version" } } })
            exists = (bool)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
        // Another process may have created or upgraded it meanwhile.
        int version = exists ? (await ReadVersionAsync(connection, schema, cancellationToken).ConfigureAwait(false)).GetValueOrDefault() : 0;
        if (version >= Version)
            return;
        if (!exists)
            await RunAsync(Definition(schema)).ConfigureAwait(false);
        await UpgradeAsync().ConfigureAwait(false);
        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);

        // A new schema is created as version 1 and upgraded, so that there is one path to each version.
        async Task UpgradeAsync()
        {
            try
            {
                if (version < 2)
                    await RunAsync(ToVersion2(schema)).ConfigureAwait(false);
                await RunAsync(ToVersion3(schema)).ConfigureAwait(false);
            }
            catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.InsufficientPrivilege)
            {
                throw new QueueException(
                    $"The schema {schema} of the database '{connection.Database}' has version {version}, and the user is not allowed to upgrade it "
                    + $"to version {Version} ({e.MessageText}): let a program whose user owns it open it once.", e);
            }
        }

        async Task RunAsync(string text)
        {
            await using var command = new NpgsqlCommand(text, connection, transaction);
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    // Bodies are not compressed: many already are, and for the others compression costs more time than it saves. Partial indexes contain only rows
    // that are looked up by them, so a plain message is in one index. Rows are short-lived, so vacuum by their number, not by their share.
    private static string Definition(string schema) =>
        $"""
        CREATE SCHEMA IF NOT EXISTS {schema};
        CREATE TABLE {schema}.version (version int NOT NULL, key uuid NOT NULL DEFAULT gen_random_uuid());
        CREATE TABLE {schema}.queue (
            id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL,
            deleted_at timestamptz);
        CREATE UNIQUE INDEX queue_name ON {schema}.queue (name) WHERE deleted_at IS NULL;
        CREATE TABLE {schema}.topic (
            id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            change int NOT NULL DEFAULT 0);
        CREATE TABLE {schema}.subscription (
            queue_id int PRIMARY KEY,
            topic_id int NOT NULL REFERENCES {schema}.topic,
            selector text,
            session_id int);
        CREATE SEQUENCE {schema}.message_id;
        CREATE SEQUENCE {schema}.session_id AS int CYCLE;
        CREATE TABLE {schema}.message (
            id bigint NOT NULL DEFAULT nextval('{schema.Replace("'", "''", StringComparison.Ordinal)}.message_id'),
            sent_at timestamptz NOT NULL,
            expires_at timestamptz,
            locked_until timestamptz,
            queue_id int NOT NULL,
            locked_by int,
            delivery_count int NOT NULL DEFAULT 0,
            body_type int NOT NULL,
            priority smallint NOT NULL,
            is_recoverable bool NOT NULL,
            message_id text,
            content_type text,
            label text,
            correlation_id text,
            response_queue text,
            headers jsonb,
            header_types jsonb,
            dead_letter_reason text,
            dead_letter_description text,
            dead_letter_source text,
            body bytea NOT NULL) PARTITION BY LIST (is_recoverable);
        ALTER TABLE {schema}.message ALTER body SET STORAGE EXTERNAL;
        CREATE TABLE {schema}.recoverable_message PARTITION OF {schema}.message FOR VALUES IN (true)
            WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1);
        CREATE UNLOGGED TABLE {schema}.express_message PARTITION OF {schema}.message FOR VALUES IN (false)
            WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_threshold = -1);
        CREATE INDEX message_ready ON {schema}.message (queue_id, priority DESC, id) WHERE locked_by IS NULL;
        CREATE INDEX message_locked ON {schema}.message (queue_id, locked_by, id) WHERE locked_by IS NOT NULL;
        CREATE INDEX message_expiry ON {schema}.message (queue_id, expires_at) WHERE expires_at IS NOT NULL;
        CREATE UNLOGGED TABLE {schema}.waiter (
            queue_id int,
            session_id int,
            until timestamptz NOT NULL,
            PRIMARY KEY (queue_id, session_id));
        INSERT INTO {schema}.version (version) VALUES (1);
        """;

    // A delayed message is a row locked by session 0 until its time, so that it is in no receiver's index; due_at is the sender's value. Ids sent
    // within a duplicate detection window are kept.
    private static string ToVersion2(string schema) =>
        $"""
        ALTER TABLE {schema}.message ADD COLUMN due_at timestamptz;
        CREATE INDEX message_due ON {schema}.message (queue_id, locked_until) WHERE locked_by = 0;
        CREATE INDEX message_correlation ON {schema}.message (queue_id, correlation_id) WHERE correlation_id IS NOT NULL;
        CREATE TABLE {schema}.sent_id (
            queue_id int NOT NULL,
            message_id text NOT NULL,
            sent_at timestamptz NOT NULL,
            kept_until timestamptz NOT NULL,
            PRIMARY KEY (queue_id, message_id));
        CREATE INDEX sent_id_end ON {schema}.sent_id (queue_id, kept_until);
        UPDATE {schema}.version SET version = 2;
        """;

    // Messages that request acknowledgements are few; an index finds them when a queue is purged.
    private static string ToVersion3(string schema) =>
        $"""
        ALTER TABLE {schema}.message ADD COLUMN acknowledge_types int, ADD COLUMN administration_queue text, ADD COLUMN acknowledgment jsonb;
        CREATE INDEX message_asking ON {schema}.message (queue_id) WHERE acknowledge_types IS NOT NULL;
        UPDATE {schema}.version SET version = 3;
        """;
}
