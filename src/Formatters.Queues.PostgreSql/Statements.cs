using System;

namespace Formatters.Queues.PostgreSql;

/// <summary>The SQL statements for one schema. Every value is a parameter; the only external string is the schema's name, which is quoted.</summary>
internal sealed class Statements
{
    /// <summary>The columns of a received row, in the order in which <see cref="PostgreSqlMessage"/> reads them.</summary>
    private const string Returned =
        "m.id, m.priority, m.is_recoverable, m.delivery_count, m.sent_at, m.expires_at, m.body_type, m.message_id, m.content_type, m.label, "
        + "m.correlation_id, m.response_queue, "
        + "m.headers, m.header_types, m.dead_letter_reason, m.dead_letter_description, m.dead_letter_source, m.body, m.due_at, m.acknowledge_types, "
        + "m.administration_queue, m.acknowledgment";

    /// <summary>The columns that are copied when a message moves to another queue.</summary>
    private const string CopiedColumns =
        "is_recoverable, priority, body_type, sent_at, message_id, content_type, label, correlation_id, response_queue, headers, header_types, "
        + "acknowledgment, body";

    private const string Buried =
        "queue_id, is_recoverable, priority, body_type, sent_at, expires_at, message_id, content_type, label, correlation_id, response_queue, "
        + "headers, header_types, body";

    private const string Sent = Buried + ", due_at, locked_by, locked_until";

    /// <summary>The columns that an acknowledgement needs from its message; not the body, since many messages may be deleted together.</summary>
    private const string AcknowledgmentColumns = "queue_id, is_recoverable, priority, label, message_id, administration_queue, acknowledge_types";

    /// <summary>Whether the send time is usable as the start of a duration: another program may have written any value.</summary>
    private const string HasAge = "sent_at > '0001-01-01 UTC' AND sent_at < '9999-12-31 UTC'";

    private const string NotExpired = "(expires_at IS NULL OR expires_at > statement_timestamp())";

    /// <summary>
    /// Makes the commit of the current transaction wait for the disk, and for standbys if there are any, as by default. Stricter settings are not
    /// changed.
    /// </summary>
    internal const string WaitForDisk =
        "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

    /// <summary>
    /// Selects a description of the server settings with which a commit may be lost or the database damaged; null if there are none.
    /// </summary>
    internal const string DurabilityWarning =
        "SELECT string_agg(name || ' = off', ' and ' ORDER BY name) FROM unnest(ARRAY['fsync', 'full_page_writes']) name WHERE current_setting(name) "
        + "= 'off'";

    private readonly string _schema;
    private readonly string _notHeld;

    internal Statements(string schemaName)
    {
        SchemaName = schemaName;
        _schema = Quote(schemaName);
        Listen = $"LISTEN {_schema}";

        NewSession = $"SELECT nextval({Literal($"{_schema}.session_id")}::regclass)::int";
        CreateQueue = $"INSERT INTO {_schema}.queue (name) VALUES ($1) ON CONFLICT (name) WHERE deleted_at IS NULL DO NOTHING";
        FindQueue = $"SELECT id FROM {_schema}.queue WHERE name = $1 AND deleted_at IS NULL";
        HasQueue = $"SELECT EXISTS (SELECT 1 FROM {_schema}.queue WHERE id = $1 AND deleted_at IS NULL)";
        HasQueueWithKey =
            $"SELECT EXISTS (SELECT 1 FROM {_schema}.queue WHERE id = $1 AND deleted_at IS NULL AND $2 = (SELECT key FROM {_schema}.version)), "
            + "pg_current_xact_id()::text";
        DeleteQueue = $"UPDATE {_schema}.queue SET deleted_at = statement_timestamp() WHERE name = $1 AND deleted_at IS NULL RETURNING id";
        DeleteMessages =
            $"WITH ids AS (DELETE FROM {_schema}.sent_id WHERE queue_id = $1), {AcknowledgeAll("queue_id = $1", AcknowledgmentClass.QueueDeleted)} "
            + $"DELETE FROM {_schema}.message WHERE queue_id = $1 AND acknowledge_types IS NULL";
        NotifyAll = $"SELECT pg_notify({Literal(schemaName)}, $1::text)";
        // A queue stays marked as deleted for a while, so that messages of transactions in progress at its deletion are deleted with it.
        ForgetDeleted =
            $"WITH old AS (DELETE FROM {_schema}.queue WHERE deleted_at < statement_timestamp() - interval '1 day' RETURNING id), "
            + $"ids AS (DELETE FROM {_schema}.sent_id WHERE queue_id = ANY(ARRAY(SELECT id FROM old))) DELETE FROM {_schema}.message WHERE queue_id "
            + "= ANY(ARRAY(SELECT id FROM old))";

        Notify =
            $"SELECT pg_notify({Literal(schemaName)}, w.queue_id::text) FROM (SELECT DISTINCT queue_id FROM {_schema}.waiter WHERE queue_id = "
            + "ANY($1) AND until > statement_timestamp()) w";
        NotifyOne =
            $"SELECT pg_notify({Literal(schemaName)}, $1::text) FROM {_schema}.waiter WHERE queue_id = $1 AND until > statement_timestamp() LIMIT 1";
        NotifyByName =
            $"SELECT pg_notify({Literal(schemaName)}, w.queue_id::text) FROM (SELECT DISTINCT w.queue_id FROM {_schema}.waiter w JOIN "
            + $"{_schema}.queue q ON q.id = w.queue_id "
            + "WHERE q.name = ANY($1) AND q.deleted_at IS NULL AND w.until > statement_timestamp()) w";
        NotifyWaiters =
            $"SELECT pg_notify({Literal(schemaName)}, w.queue_id::text) FROM (SELECT DISTINCT queue_id FROM {_schema}.waiter WHERE until > "
            + "statement_timestamp()) w";
        IsSameDatabase = $"SELECT $1 = (SELECT key FROM {_schema}.version) AND current_user::text = $2";
        // Locks of ended sessions have no owner: each live session holds an advisory lock. $2 is the schema's lock class.
        const string LiveSessions =
            "ARRAY(SELECT l.objid::bigint FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid = $2::oid "
            + "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))";
        CreateTopic = $"INSERT INTO {_schema}.topic (name) VALUES ($1) ON CONFLICT (name) DO NOTHING";
        FindTopic = $"SELECT id FROM {_schema}.topic WHERE name = $1";
        // Every change of the subscriptions increments the counter, so that senders notice it.
        LockTopic = $"UPDATE {_schema}.topic SET change = change + 1 WHERE id = $1";
        TopicChange = $"SELECT change FROM {_schema}.topic WHERE id = $1";
        Subscriptions = $"SELECT queue_id, selector FROM {_schema}.subscription WHERE topic_id = $1";
        SubscriptionSelector = $"SELECT selector FROM {_schema}.subscription WHERE queue_id = $1 AND topic_id = $2";
        Subscribe =
            $"INSERT INTO {_schema}.subscription (queue_id, topic_id, selector, session_id) VALUES ($1, $2, $3, $4) ON CONFLICT (queue_id) DO UPDATE "
            + "SET selector = excluded.selector";
        Unsubscribe = $"DELETE FROM {_schema}.subscription WHERE queue_id = $1 AND topic_id = $2";
        EndedSubscriptions =
            $"DELETE FROM {_schema}.subscription WHERE topic_id = $1 AND session_id IS NOT NULL AND session_id::bigint <> ALL ({LiveSessions}) "
            + "RETURNING queue_id";
        DeleteQueueById = $"UPDATE {_schema}.queue SET deleted_at = statement_timestamp() WHERE id = $1 AND deleted_at IS NULL";

        StartWaiting =
            $"INSERT INTO {_schema}.waiter (queue_id, session_id, until) VALUES ($1, $2, statement_timestamp() + $3) ON CONFLICT (queue_id, "
            + "session_id) DO UPDATE SET until = excluded.until";
        StopWaiting = $"DELETE FROM {_schema}.waiter WHERE queue_id = $1 AND session_id = $2";

        // A row locked by session 0 waits for its due time.
        const string Orphaned = "locked_by IS NOT NULL AND (locked_until <= statement_timestamp() OR (locked_by <> 0 AND locked_by::bigint <> ALL ("
            + LiveSessions + ")))";
        const string NotHeld = "(locked_by = 0 OR (" + Orphaned + "))";
        _notHeld = NotHeld;
        // In two parts, each of which uses an index. $3 and $4 are the messages that the calling session has prefetched.
        Count =
            $"SELECT (SELECT count(*) FROM {_schema}.message WHERE queue_id = $1 AND locked_by IS NULL AND {NotExpired}) "
            + $"+ (SELECT count(*) FROM {_schema}.message WHERE queue_id = $1 AND locked_by IS NOT NULL AND ((locked_by = $3 AND id = ANY($4)) OR "
            + $"({NotHeld} AND {NotExpired})))";
        // For one queue or, if $1 is null, for all. Two parts, as above.
        List =
            "SELECT q.name, ready.number + locked.free, locked.held, least(ready.oldest, locked.oldest), statement_timestamp() - least(ready.oldest, "
            + "locked.oldest) "
            + $"FROM {_schema}.queue q, "
            + $"LATERAL (SELECT count(*) AS number, min(sent_at) FILTER (WHERE {HasAge}) AS oldest FROM {_schema}.message WHERE queue_id = q.id AND "
            + $"locked_by IS NULL AND {NotExpired}) ready, "
            + $"LATERAL (SELECT count(*) FILTER (WHERE {NotHeld} AND {NotExpired}) AS free, count(*) FILTER (WHERE NOT {NotHeld}) AS held, "
            + $"min(sent_at) FILTER (WHERE {Orphaned} AND {NotExpired} AND {HasAge}) AS oldest FROM {_schema}.message WHERE queue_id = q.id AND "
            + "locked_by IS NOT NULL) locked "
            + "WHERE q.deleted_at IS NULL AND ($1::text IS NULL OR q.name = $1)";
        CountAll = $"SELECT count(*) FROM {_schema}.message WHERE queue_id = $1 AND {NotExpired}";
        Measure = $"SELECT count(*), coalesce(sum(octet_length(body)), 0)::bigint FROM {_schema}.message WHERE queue_id = $1";
        LockQueue = "SELECT pg_advisory_xact_lock($1)";
        PurgeOrphans = $"DELETE FROM {_schema}.message WHERE queue_id = $1 AND locked_by IS NOT NULL AND {NotHeld}";
        PurgeReady = $"DELETE FROM {_schema}.message WHERE queue_id = $1 AND locked_by IS NULL";
        PurgeUnseen = $"DELETE FROM {_schema}.message WHERE queue_id = $1 AND locked_by = $2 AND id = ANY($3)";
        PurgeWithAcknowledgments =
            $"WITH {AcknowledgeAll(
                $"queue_id = $1 AND (locked_by IS NULL OR (locked_by = $3 AND id = ANY($4)) OR (locked_by IS NOT NULL AND {NotHeld}))",
                AcknowledgmentClass.QueuePurged)} SELECT count(*) FROM gone";
        StillLocked = $"SELECT id FROM {_schema}.message WHERE queue_id = $1 AND locked_by = $2 AND id = ANY($3)";

        const string Locked = "queue_id = $1 AND locked_by = $2 AND id = ANY($3) AND locked_until > statement_timestamp()";
        Acknowledge = $"DELETE FROM {_schema}.message WHERE {Locked} RETURNING id";
        AcknowledgeAndCopy =
            $"WITH gone AS (DELETE FROM {_schema}.message WHERE {Locked} RETURNING *), copied AS ({CopyTo("$4", "gone")}) SELECT id FROM gone";
        AcknowledgeAsking =
            $"WITH gone AS (DELETE FROM {_schema}.message WHERE {Locked} RETURNING *), acknowledged AS "
            + $"({AcknowledgeFrom("gone", AcknowledgmentClass.Receive)}) SELECT id FROM gone";
        AcknowledgeAndCopyAsking =
            $"WITH gone AS (DELETE FROM {_schema}.message WHERE {Locked} RETURNING *), copied AS ({CopyTo("$4", "gone")}), "
            + $"acknowledged AS ({AcknowledgeFrom("gone", AcknowledgmentClass.Receive)}) SELECT id FROM gone";
        DeadLetter =
            $"WITH gone AS (DELETE FROM {_schema}.message WHERE {Locked} RETURNING *), moved AS ({MoveTo("$4", "gone", "$5", "$6", "$7")}), "
            + $"acknowledged AS ({AcknowledgeDead("gone", "$5", "$6")}) SELECT id FROM gone";
        Return = $"UPDATE {_schema}.message SET locked_by = NULL, locked_until = NULL WHERE {Locked} RETURNING id";
        ReturnLater = $"UPDATE {_schema}.message SET locked_by = 0, locked_until = statement_timestamp() + $4 WHERE {Locked} RETURNING id";
        // In parts, each of which uses an index. What has already expired was swept, or is held by another session.
        const string Now = "statement_timestamp()";
        NextDue =
            $"SELECT least((SELECT min(locked_until) FROM {_schema}.message WHERE queue_id = $1 AND locked_by = 0), "
            + $"(SELECT min(locked_until) FROM {_schema}.message WHERE queue_id = $1 AND locked_by > 0 AND locked_until > {Now}), "
            + $"(SELECT min(expires_at) FROM {_schema}.message WHERE queue_id = $1 AND expires_at > {Now} AND locked_by IS NULL), {Now} + interval "
            + $"'1 hour') - {Now}";
        // Ordered by id, so that two senders block but do not deadlock. $3 is the window.
        NoteIds =
            $"INSERT INTO {_schema}.sent_id AS s (queue_id, message_id, sent_at, kept_until) SELECT $1, u.id, statement_timestamp(), "
            + "statement_timestamp() + $3 FROM unnest($2::text[]) AS u (id) ORDER BY u.id "
            + "ON CONFLICT (queue_id, message_id) DO UPDATE SET sent_at = excluded.sent_at, kept_until = excluded.kept_until WHERE s.sent_at <= "
            + "statement_timestamp() - $3 RETURNING message_id";
        ForgetIds = $"DELETE FROM {_schema}.sent_id WHERE queue_id = $1 AND message_id = ANY($2)";
        // Skips a table that another vacuum is processing. Also cleans the indexes, although dead rows are few beside waiting ones; does not
        // truncate, which needs an exclusive lock.
        Vacuum = $"VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE OFF) {_schema}.message";
        ForgetOldIds = $"DELETE FROM {_schema}.sent_id WHERE queue_id = $1 AND kept_until <= statement_timestamp()";
        Renew = $"UPDATE {_schema}.message SET locked_until = statement_timestamp() + $4 WHERE {Locked} RETURNING id";
        // Prefetched messages ($3) that were never delivered do not count as delivered.
        ReturnUnseen =
            $"UPDATE {_schema}.message SET locked_by = NULL, locked_until = NULL, delivery_count = delivery_count - 1 WHERE queue_id = $1 AND "
            + "locked_by = $2 AND id = ANY($3) RETURNING id";
        // $3 is the session that holds it: until that ends, no other session sees the message.
        Hold = $"UPDATE {_schema}.message SET locked_by = $3, locked_until = 'infinity' WHERE queue_id = $1 AND id = $2";
        ReturnAll = $"UPDATE {_schema}.message SET locked_by = NULL, locked_until = NULL WHERE queue_id = $1 AND locked_by = $2";
        InsertReceivedInto =
            $"INSERT INTO {_schema}.message (id, delivery_count, dead_letter_reason, dead_letter_description, dead_letter_source, {Buried}, "
            + "acknowledgment) "
            + "SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bool[], $8::smallint[], $9::int[], "
            + "$10::timestamptz[], $11::timestamptz[], "
            + "$12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::jsonb[], $18::jsonb[], $19::bytea[], $20::jsonb[])";
        InsertAcknowledgments =
            $"INSERT INTO {_schema}.message (queue_id, is_recoverable, priority, body_type, sent_at, message_id, label, correlation_id, "
            + "acknowledgment, body) "
            + "SELECT a.id, $1, u.priority, 0, statement_timestamp(), gen_random_uuid()::text, u.label, u.correlation_id, $2, ''::bytea "
            + $"FROM unnest($3::text[], $4::smallint[], $5::text[], $6::text[]) AS u (administration_queue, priority, label, correlation_id) "
            + $"JOIN {_schema}.queue a ON a.name = u.administration_queue AND a.deleted_at IS NULL";
        // The newest one: inserted by the transaction in which the message was received, if any.
        TakeBackReceipts =
            $"DELETE FROM {_schema}.message WHERE id = ANY(SELECT max(m.id) FROM {_schema}.message m JOIN {_schema}.queue a ON a.id = m.queue_id AND "
            + "a.name = $1 AND a.deleted_at IS NULL "
            + $"WHERE m.correlation_id = $2 AND m.acknowledgment ->> 0 = '{(int)AcknowledgmentClass.Receive}' AND m.acknowledgment ->> 1 = $3)";

        // Separate statements, because each uses its own index and there may be many delayed messages. The condition on locked_by selects the index.
        ReturnOrphans = Free($"locked_by > 0 AND {Orphaned}");
        ReturnDue = Free("locked_by = 0 AND locked_until <= statement_timestamp()");
        string Free(string condition) =>
            $"UPDATE {_schema}.message SET locked_by = NULL, locked_until = NULL WHERE queue_id = $1 AND locked_by IS NOT NULL AND (locked_by, id) "
            + $"IN (SELECT locked_by, id FROM {_schema}.message "
            + $"WHERE queue_id = $1 AND {condition} FOR UPDATE SKIP LOCKED)";
        const string Expired = "queue_id = $1 AND locked_by IS NULL AND expires_at <= statement_timestamp()";
        DropExpired =
            $"WITH {AcknowledgeAll(Expired, AcknowledgmentClass.ReceiveTimeout, $"'{DeadLetterReasons.Expired}'")} DELETE FROM {_schema}.message "
            + $"WHERE {Expired} AND acknowledge_types IS NULL";
        MoveExpired =
            $"WITH gone AS (DELETE FROM {_schema}.message WHERE {Expired} RETURNING *), "
            + $"acknowledged AS ({AcknowledgeFrom("gone", AcknowledgmentClass.ReceiveTimeout, "$3")}) {MoveTo("$2", "gone", "$3", "NULL", "$4")}";

        InsertOne = new Insert(InsertOneInto);
        InsertMany = new Insert((table, isRecoverable) => InsertManyInto(table, isRecoverable, isAsking: false));
        InsertWithAcknowledgments = new Insert((table, isRecoverable) => InsertManyInto(table, isRecoverable, isAsking: true));
    }

    internal string SchemaName { get; }

    internal string Listen { get; }

    internal string NewSession { get; }

    internal string CreateQueue { get; }

    internal string FindQueue { get; }

    internal string HasQueue { get; }

    internal string HasQueueWithKey { get; }

    internal string DeleteQueue { get; }

    internal string DeleteMessages { get; }

    internal string ForgetDeleted { get; }

    internal string NotifyAll { get; }

    /// <summary>
    /// Gets the statement that notifies receivers, if any wait: $1 the queues. Notifying in every transaction would serialize their commits.
    /// </summary>
    internal string Notify { get; }

    /// <summary>Gets <see cref="Notify"/> for a single queue, $1: in pgbench, a send takes 6 % less time with it.</summary>
    internal string NotifyOne { get; }

    /// <summary>Gets <see cref="Notify"/> for queues by name, $1.</summary>
    internal string NotifyByName { get; }

    /// <summary>Gets the statement that notifies the receivers of all queues.</summary>
    internal string NotifyWaiters { get; }

    internal string IsSameDatabase { get; }

    internal string CreateTopic { get; }

    internal string FindTopic { get; }

    internal string LockTopic { get; }

    internal string TopicChange { get; }

    internal string Subscriptions { get; }

    internal string SubscriptionSelector { get; }

    internal string Subscribe { get; }

    internal string Unsubscribe { get; }

    internal string EndedSubscriptions { get; }

    internal string DeleteQueueById { get; }

    internal string StartWaiting { get; }

    internal string StopWaiting { get; }

    internal string Count { get; }

    /// <summary>Gets the statement that returns the status of queues: $1 the name, or null for all.</summary>
    internal string List { get; }

    /// <summary>Gets the statement that counts messages including locked ones.</summary>
    internal string CountAll { get; }

    internal string Measure { get; }

    internal string LockQueue { get; }

    internal string PurgeOrphans { get; }

    internal string PurgeReady { get; }

    internal string PurgeUnseen { get; }

    /// <summary>
    /// Gets the statement that purges and acknowledges the messages that request acknowledgements, and returns their number: $2 the lock class, $3
    /// and $4 the prefetched messages of the session.
    /// </summary>
    internal string PurgeWithAcknowledgments { get; }

    internal string StillLocked { get; }

    internal string Acknowledge { get; }

    internal string AcknowledgeAndCopy { get; }

    internal string AcknowledgeAsking { get; }

    internal string AcknowledgeAndCopyAsking { get; }

    internal string DeadLetter { get; }

    /// <summary>
    /// Gets the statement that inserts acknowledgements for messages not deleted by a statement: $1 whether recoverable, $2 the content; then arrays
    /// of the messages' columns.
    /// </summary>
    internal string InsertAcknowledgments { get; }

    /// <summary>
    /// Gets the statement that deletes the acknowledgement of a receipt: $1 the administration queue, $2 the message's id, $3 its queue.
    /// </summary>
    internal string TakeBackReceipts { get; }

    internal string Return { get; }

    /// <summary>Gets the statement that returns locked messages with a delay, $4.</summary>
    internal string ReturnLater { get; }

    /// <summary>Gets the statement that computes the time until the next due time, expiration or lease end: an hour at most.</summary>
    internal string NextDue { get; }

    /// <summary>Gets the statement that inserts sent ids, $2, and returns those that were not yet within the window.</summary>
    internal string NoteIds { get; }

    internal string ForgetIds { get; }

    internal string ForgetOldIds { get; }

    internal string Vacuum { get; }

    internal string Renew { get; }

    internal string ReturnUnseen { get; }

    internal string ReturnAll { get; }

    /// <summary>Gets the statement that locks a message for a session: $1 the queue, $2 the id, $3 the session.</summary>
    internal string Hold { get; }

    internal string InsertReceivedInto { get; }

    internal string ReturnOrphans { get; }

    internal string ReturnDue { get; }

    internal string DropExpired { get; }

    internal string MoveExpired { get; }

    internal Insert InsertOne { get; }

    internal Insert InsertMany { get; }

    /// <summary>
    /// Gets the insert statement for messages of which some request acknowledgements, or are acknowledgements; it also inserts the acknowledgements
    /// of arrival.
    /// </summary>
    internal Insert InsertWithAcknowledgments { get; }

    internal static string Quote(string name) => $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";

    /// <summary>Quotes a string constant. With standard_conforming_strings, the default, only the quote is special.</summary>
    internal static string Literal(string text) => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'";

    /// <summary>Returns the statement that deletes messages on receipt: $1 the queue, $2 how many; with $3 the journal queue.</summary>
    internal string Delete(string selector, bool copies) =>
        $"WITH next AS ({Next(selector)}), gone AS (DELETE FROM {_schema}.message m USING next WHERE {IsNext} RETURNING m.*)"
        + (copies ? $", copied AS ({CopyTo("$3", "gone")})" : "")
        + $", acknowledged AS ({AcknowledgeFrom("gone", AcknowledgmentClass.Receive)})"
        + $" SELECT {Returned} FROM gone m";

    /// <summary>Returns the statement that locks messages: $1 the queue, $2 how many, $3 the session, $4 for how long.</summary>
    internal string Lock(string selector) =>
        $"WITH next AS ({Next(selector)}) UPDATE {_schema}.message m SET locked_by = $3, locked_until = coalesce(statement_timestamp() + $4, "
        + "'infinity'), delivery_count = m.delivery_count + 1 "
        + $"FROM next WHERE {IsNext} RETURNING {Returned}";

    /// <summary>
    /// Returns the statement that peeks at messages: $1 the queue, $2 the lock class, $3 how many, $4 and $5 the priority and id after which to
    /// start, $6 and $7 whether to include locked and delayed ones; $8 and $9 the prefetched messages of the session.
    /// </summary>
    /// <remarks>
    /// In three parts, each of which uses an index: available messages of the priority, those of lower priorities, and unavailable ones, which are
    /// not in the receivers' index.
    /// </remarks>
    internal string Peek(string selector)
    {
        string unseen = "(m.locked_by = $8 AND m.id = ANY($9))";
        string locked = $"(m.locked_by IS NOT NULL AND NOT {_notHeld} AND NOT {unseen})";
        string from = $"SELECT m.* FROM {_schema}.message m WHERE m.queue_id = $1";
        string ready = $" AND m.locked_by IS NULL AND {NotExpired}{selector}";
        return $"SELECT {Returned}, CASE WHEN m.locked_by = 0 AND m.locked_until > statement_timestamp() THEN m.locked_until END, "
            + $"nullif(m.locked_until, 'infinity') - statement_timestamp(), {locked}, coalesce({unseen}, false) FROM ("
            + $"({from}{ready} AND m.priority = $4 AND m.id > $5 ORDER BY m.priority DESC, m.id LIMIT $3) UNION ALL "
            + $"({from}{ready} AND m.priority < $4 ORDER BY m.priority DESC, m.id LIMIT $3) UNION ALL "
            + $"({from} AND m.locked_by IS NOT NULL AND (m.priority < $4 OR (m.priority = $4 AND m.id > $5)) AND ({locked} OR "
            + $"{NotExpired}){selector} "
            + $"AND CASE WHEN {locked} THEN $6 WHEN m.locked_by = 0 AND m.locked_until > statement_timestamp() THEN $7 ELSE true END ORDER BY "
            + "m.priority DESC, m.id LIMIT $3)"
            + ") m ORDER BY m.priority DESC, m.id LIMIT $3";
    }

    /// <summary>Returns the statement that deletes messages that a selector does not match: $1 the queue.</summary>
    internal string DropUnselected(string condition)
    {
        string unselected = $"queue_id = $1 AND (locked_by IS NULL OR locked_by = 0) AND ({condition}) IS NOT TRUE";
        return $"WITH {AcknowledgeAll(unselected, AcknowledgmentClass.QueuePurged)} DELETE FROM {_schema}.message WHERE {unselected} AND "
            + "acknowledge_types IS NULL";
    }

    /// <summary>Acknowledges rows that request it; those whose administration queue no longer exists are skipped.</summary>
    private string AcknowledgeFrom(string from, AcknowledgmentClass acknowledgment, string reason = "NULL") =>
        AcknowledgeFrom(from, $"{(int)acknowledgment}", (int)Acknowledgments.TypeOf(acknowledgment), reason, "NULL");

    private string AcknowledgeDead(string from, string reason, string description) => AcknowledgeFrom(
        from,
        $"CASE {reason} WHEN '{DeadLetterReasons.Expired}' THEN {(int)AcknowledgmentClass.ReceiveTimeout} ELSE "
        + $"{(int)AcknowledgmentClass.ReceiveRejected} END",
        (int)AcknowledgeTypes.NegativeReceive,
        reason,
        description);

    private string AcknowledgeFrom(string from, string acknowledgment, int type, string reason, string description) =>
        $"INSERT INTO {_schema}.message (queue_id, is_recoverable, priority, body_type, sent_at, message_id, label, correlation_id, acknowledgment, "
        + "body) "
        + $"SELECT a.id, g.is_recoverable, g.priority, 0, statement_timestamp(), gen_random_uuid()::text, g.label, g.message_id, "
        + $"jsonb_build_array({acknowledgment}, s.name, {reason}::text, {description}::text), ''::bytea FROM {from} g JOIN {_schema}.queue a ON "
        + "a.name = g.administration_queue AND a.deleted_at IS NULL "
        + $"JOIN {_schema}.queue s ON s.id = g.queue_id WHERE g.acknowledge_types & {type} <> 0";

    /// <summary>Deletes and acknowledges the messages that request acknowledgements, as parts of a statement that deletes the rest.</summary>
    private string AcknowledgeAll(string condition, AcknowledgmentClass acknowledgment, string reason = "NULL") =>
        $"gone AS (DELETE FROM {_schema}.message WHERE {condition} AND acknowledge_types IS NOT NULL RETURNING {AcknowledgmentColumns}), "
        + $"acknowledged AS ({AcknowledgeFrom("gone", acknowledgment, reason)})";

    // By the row's ctid, which cannot change while it is locked. With queue, priority and id, the planner may compare all pairs of rows, and does for
    // a table that was empty when it was vacuumed or planned for: 28 s for 1,000 of 50,000.
    private const string IsNext = "m.tableoid = next.tableoid AND m.ctid = next.ctid";

    private string Next(string selector) =>
        $"SELECT tableoid, ctid FROM {_schema}.message WHERE queue_id = $1 AND locked_by IS NULL AND {NotExpired}{selector} "
        + "ORDER BY priority DESC, id LIMIT $2 FOR UPDATE SKIP LOCKED";

    private string CopyTo(string queue, string from) =>
        $"INSERT INTO {_schema}.message (queue_id, {CopiedColumns}) SELECT {queue}, {CopiedColumns} FROM {from} ORDER BY priority DESC, id";

    private string MoveTo(string queue, string from, string reason, string description, string source) =>
        $"INSERT INTO {_schema}.message (queue_id, dead_letter_reason, dead_letter_description, dead_letter_source, {CopiedColumns}) "
        + $"SELECT {queue}, {reason}, {description}, {source}, {CopiedColumns} FROM {from} ORDER BY priority DESC, id";

    // Into the partition itself, so that nothing has to be routed. No row is inserted if the queue is deleted.
    private string InsertOneInto(string table, string isRecoverable) =>
        $"INSERT INTO {_schema}.{table} ({Sent}) SELECT q.id, {isRecoverable}, $2, $3, statement_timestamp(), greatest($13, statement_timestamp()) + "
        + "$4, $5, $6, $7, $8, $9, $10, $11, $12, "
        + "$13::timestamptz, CASE WHEN $13 > statement_timestamp() THEN 0 END, CASE WHEN $13 > statement_timestamp() THEN $13 END "
        + $"FROM {_schema}.queue q WHERE q.id = $1 AND q.deleted_at IS NULL";

    private string InsertManyInto(string table, string isRecoverable, bool isAsking)
    {
        string columns = isAsking ? ", acknowledge_types, administration_queue, acknowledgment" : "";
        string values = isAsking ? ", u.acknowledge_types, u.administration_queue, u.acknowledgment" : "";
        string arrays = isAsking ? ", $14::int[], $15::text[], $16::jsonb[]" : "";
        string arrivals = isAsking
            ? $"WITH arrived AS (INSERT INTO {_schema}.message (queue_id, is_recoverable, priority, body_type, sent_at, message_id, label, "
                + "correlation_id, acknowledgment, body) "
                + $"SELECT a.id, {isRecoverable}, u.priority, 0, statement_timestamp(), gen_random_uuid()::text, u.label, u.message_id, "
                + $"jsonb_build_array({(int)AcknowledgmentClass.ReachQueue}, q.name, NULL::text, NULL::text), ''::bytea "
                + $"FROM {_schema}.queue q, unnest($2::smallint[], $5::text[], $7::text[], $14::int[], $15::text[]) AS u (priority, message_id, "
                + "label, acknowledge_types, administration_queue) "
                + $"JOIN {_schema}.queue a ON a.name = u.administration_queue AND a.deleted_at IS NULL "
                + $"WHERE q.id = $1 AND q.deleted_at IS NULL AND u.acknowledge_types & {(int)AcknowledgeTypes.PositiveArrival} <> 0) "
            : "";
        return $"{arrivals}INSERT INTO {_schema}.{table} ({Sent}{columns}) SELECT q.id, {isRecoverable}, u.priority, u.body_type, "
            + "statement_timestamp(), greatest(u.due_at, statement_timestamp()) + u.time_to_live, u.message_id, u.content_type, "
        + "u.label, u.correlation_id, u.response_queue, u.headers, u.header_types, u.body, "
        + "u.due_at, CASE WHEN u.due_at > statement_timestamp() THEN 0 END, CASE WHEN u.due_at > statement_timestamp() THEN u.due_at END" + values
        + " "
        + $"FROM {_schema}.queue q, unnest($2::smallint[], $3::int[], $4::interval[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], "
        + $"$10::jsonb[], $11::jsonb[], $12::bytea[], $13::timestamptz[]{arrays}) "
        + "AS u (priority, body_type, time_to_live, message_id, content_type, label, correlation_id, response_queue, headers, header_types, body, "
        + "due_at" + columns + ") WHERE q.id = $1 AND q.deleted_at IS NULL";
    }

    /// <summary>An insert statement, for either table.</summary>
    internal sealed class Insert(Func<string, string, string> make)
    {
        private readonly string _recoverable = make("recoverable_message", "true");
        private readonly string _express = make("express_message", "false");

        internal string For(bool isRecoverable) => isRecoverable ? _recoverable : _express;
    }
}
