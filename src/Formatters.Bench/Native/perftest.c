/* The batches of "formatters-bench perftest" in C: over librabbitmq, or libpq and the table in which PostgreSqlQueueProvider keeps its queues.
 *
 * The tool starts it (--native) and tells it what to do through its standard input:
 *   eight lines          amqp or postgres, host, port, user, password, virtual host or database, queue, mode
 *   payload KIND N       and N bodies, each behind its length (4 bytes, little endian); KIND is empty, string or order
 *   send N               sends N messages, and waits until they are in the queue
 *   receive N WHOLE      receives N messages, and reads each into an object; compares all of it if WHOLE is 1
 *   purge                deletes what is in the queue
 * Each is answered by a line: "ok NUMBER" (seconds, or messages), "wrong TEXT" (a message is not the one that was sent) or "error TEXT".
 *
 * Bodies are those of the binary wire format (docs/wire/binary.md), as BinaryWriter writes them: for each message that is sent one is made of an object, and
 * each that is received is read into one. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <libpq-fe.h>

enum { WINDOW = 1000, PREFETCH = 200, MAX_VALUES = 16, MESSAGES_A_TRANSACTION = 500, MAX_BODY_IN_BATCH = 16 << 20 };

typedef enum { EXPRESS, RECOVERABLE, TRANSACTIONAL } mode_t_;
typedef enum { KIND_EMPTY, KIND_STRING, KIND_ORDER } kind_t;

static void answer(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

#define FAIL(...) do { answer("error " __VA_ARGS__); exit(1); } while (0)

static void *allocate(size_t byte_count)
{
    void *memory = malloc(byte_count ? byte_count : 1);
    if (!memory)
        FAIL("out of memory");
    return memory;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- The objects. ---- */

typedef struct { char *chars; uint32_t byte_count; } text_t;

typedef struct { text_t fields[8]; } address_t; /* first and last name, company, city, street, ZIP code, country, state */

typedef struct { int32_t article_id; text_t name; double price, quantity, line_total; } line_item_t;

typedef struct {
    int64_t date;
    int32_t customer_id;
    address_t shipping, billing;
    double total;
    int32_t count;
    line_item_t *items;
} order_t;

typedef struct { const uint8_t *bytes; size_t byte_count, position; int is_bad; } reader_t;

typedef struct { uint8_t *bytes; size_t byte_count; } writer_t;

static void read_bytes(reader_t *reader, void *target, size_t byte_count)
{
    if (reader->byte_count - reader->position < byte_count) {
        reader->is_bad = 1;
        memset(target, 0, byte_count);
        return;
    }
    memcpy(target, reader->bytes + reader->position, byte_count);
    reader->position += byte_count;
}

static text_t read_text(reader_t *reader)
{
    text_t text = {NULL, 0};
    int shift = 0;
    uint8_t byte;
    do {
        read_bytes(reader, &byte, 1);
        text.byte_count |= (uint32_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && shift < 35);
    if (reader->byte_count - reader->position < text.byte_count) {
        reader->is_bad = 1;
        text.byte_count = 0;
    }
    text.chars = allocate(text.byte_count);
    read_bytes(reader, text.chars, text.byte_count);
    return text;
}

static void write_bytes(writer_t *writer, const void *source, size_t byte_count)
{
    memcpy(writer->bytes + writer->byte_count, source, byte_count);
    writer->byte_count += byte_count;
}

static void write_text(writer_t *writer, const text_t *text)
{
    uint32_t rest = text->byte_count;
    do {
        uint8_t byte = (uint8_t)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        write_bytes(writer, &byte, 1);
        rest >>= 7;
    } while (rest);
    write_bytes(writer, text->chars, text->byte_count);
}

static order_t *load_order(reader_t *reader)
{
    order_t *order = allocate(sizeof *order);
    address_t *addresses[] = {&order->shipping, &order->billing};
    read_bytes(reader, &order->date, 8);
    read_bytes(reader, &order->customer_id, 4);
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < 8; i++)
            addresses[a]->fields[i] = read_text(reader);
    read_bytes(reader, &order->total, 8);
    read_bytes(reader, &order->count, 4);
    if (order->count < 0 || (size_t)order->count > (reader->byte_count - reader->position) / 29) {
        reader->is_bad = 1;
        order->count = 0;
    }
    order->items = allocate((size_t)order->count * sizeof *order->items);
    for (int i = 0; i < order->count; i++) {
        line_item_t *item = &order->items[i];
        read_bytes(reader, &item->article_id, 4);
        item->name = read_text(reader);
        read_bytes(reader, &item->price, 8);
        read_bytes(reader, &item->quantity, 8);
        read_bytes(reader, &item->line_total, 8);
    }
    return order;
}

static void save_order(writer_t *writer, const order_t *order)
{
    const address_t *addresses[] = {&order->shipping, &order->billing};
    write_bytes(writer, &order->date, 8);
    write_bytes(writer, &order->customer_id, 4);
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < 8; i++)
            write_text(writer, &addresses[a]->fields[i]);
    write_bytes(writer, &order->total, 8);
    write_bytes(writer, &order->count, 4);
    for (int i = 0; i < order->count; i++) {
        const line_item_t *item = &order->items[i];
        write_bytes(writer, &item->article_id, 4);
        write_text(writer, &item->name);
        write_bytes(writer, &item->price, 8);
        write_bytes(writer, &item->quantity, 8);
        write_bytes(writer, &item->line_total, 8);
    }
}

static void free_order(order_t *order)
{
    for (int i = 0; i < 8; i++) {
        free(order->shipping.fields[i].chars);
        free(order->billing.fields[i].chars);
    }
    for (int i = 0; i < order->count; i++)
        free(order->items[i].name.chars);
    free(order->items);
    free(order);
}

static kind_t kind;
static int value_count;
static struct { uint8_t *bytes; size_t byte_count; text_t text; order_t *order; } values[MAX_VALUES];
static writer_t body;

static void make_body(int64_t index)
{
    int which = (int)(index % value_count);
    body.byte_count = 0;
    if (kind == KIND_STRING)
        write_text(&body, &values[which].text);
    else if (kind == KIND_ORDER)
        save_order(&body, values[which].order);
}

/* Reads a body into an object, and says whether it is the one that was sent in its place. */
static int read_body(int64_t index, const void *bytes, size_t byte_count, int is_whole)
{
    int which = (int)(index % value_count);
    reader_t reader = {bytes, byte_count, 0, 0};
    int is_right = 1;
    if (kind == KIND_STRING) {
        text_t text = read_text(&reader);
        is_right = text.byte_count == values[which].text.byte_count && text.chars[0] == values[which].text.chars[0];
        free(text.chars);
    } else if (kind == KIND_ORDER) {
        order_t *order = load_order(&reader);
        is_right = order->date == values[which].order->date && order->count == values[which].order->count;
        free_order(order);
    }
    return is_right && !reader.is_bad && reader.position == byte_count && (!is_whole || (byte_count == values[which].byte_count && memcmp(bytes, values[which].bytes, byte_count) == 0));
}

static void take_payload(const char *name, int count)
{
    size_t largest = 0;
    if (count < 1 || count > MAX_VALUES)
        FAIL("a payload has 1 to %d values", MAX_VALUES);
    for (int i = 0; i < value_count; i++) {
        free(values[i].bytes);
        free(values[i].text.chars);
        if (values[i].order)
            free_order(values[i].order);
    }
    memset(values, 0, sizeof values);
    kind = strcmp(name, "string") == 0 ? KIND_STRING : strcmp(name, "order") == 0 ? KIND_ORDER : KIND_EMPTY;
    value_count = count;
    for (int i = 0; i < count; i++) {
        uint32_t byte_count;
        if (fread(&byte_count, 4, 1, stdin) != 1)
            FAIL("the payload ends too early");
        values[i].bytes = allocate(byte_count);
        values[i].byte_count = byte_count;
        if (byte_count && fread(values[i].bytes, byte_count, 1, stdin) != 1)
            FAIL("the payload ends too early");
        reader_t reader = {values[i].bytes, byte_count, 0, 0};
        if (kind == KIND_STRING)
            values[i].text = read_text(&reader);
        else if (kind == KIND_ORDER)
            values[i].order = load_order(&reader);
        if (reader.is_bad || reader.position != byte_count)
            FAIL("the payload is malformed");
        if (byte_count > largest)
            largest = byte_count;
    }
    free(body.bytes);
    body.bytes = allocate(largest);
}

static mode_t_ mode;
static char queue[4096];

/* ---- RabbitMQ. ---- */

static amqp_connection_state_t rabbit;
static int has_channel[3];

static void check_reply(amqp_rpc_reply_t reply, const char *what)
{
    if (reply.reply_type == AMQP_RESPONSE_NORMAL)
        return;
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION)
        FAIL("%s: %s", what, amqp_error_string2(reply.library_error));
    if (reply.reply.id == AMQP_CHANNEL_CLOSE_METHOD) {
        amqp_channel_close_t *close = reply.reply.decoded;
        FAIL("%s: %.*s", what, (int)close->reply_text.len, (char *)close->reply_text.bytes);
    }
    if (reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
        amqp_connection_close_t *close = reply.reply.decoded;
        FAIL("%s: %.*s", what, (int)close->reply_text.len, (char *)close->reply_text.bytes);
    }
    FAIL("%s: the broker has closed the connection", what);
}

static void rabbit_connect(const char *host, int port, const char *user, const char *password, const char *vhost)
{
    rabbit = amqp_new_connection();
    amqp_socket_t *socket = amqp_tcp_socket_new(rabbit);
    int status = amqp_socket_open(socket, host, port);
    if (status)
        FAIL("%s:%d: %s", host, port, amqp_error_string2(status));
    check_reply(amqp_login(rabbit, vhost, 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, user, password), "login");
    amqp_channel_open(rabbit, 1);
    check_reply(amqp_get_rpc_reply(rabbit), "open a channel");
    if (mode == RECOVERABLE)
        amqp_confirm_select(rabbit, 1);
    else if (mode == TRANSACTIONAL)
        amqp_tx_select(rabbit, 1);
    check_reply(amqp_get_rpc_reply(rabbit), "choose the mode");
}

static int64_t rabbit_count(void)
{
    amqp_queue_declare_ok_t *declared = amqp_queue_declare(rabbit, 1, amqp_cstring_bytes(queue), 1, 0, 0, 0, amqp_empty_table);
    check_reply(amqp_get_rpc_reply(rabbit), "look at the queue");
    return declared->message_count;
}

/* Waits for confirms until at most so many messages lack them; confirmed are all up to a number. */
static uint64_t rabbit_wait(uint64_t confirmed, uint64_t published, uint64_t most)
{
    while (published - confirmed > most) {
        amqp_frame_t frame;
        int status = amqp_simple_wait_frame(rabbit, &frame);
        if (status)
            FAIL("wait for confirms: %s", amqp_error_string2(status));
        if (frame.frame_type != AMQP_FRAME_METHOD)
            continue;
        if (frame.payload.method.id == AMQP_BASIC_ACK_METHOD) {
            amqp_basic_ack_t *ack = frame.payload.method.decoded;
            /* One queue: the broker confirms in the order of the messages, several at once. */
            confirmed = ack->multiple ? (ack->delivery_tag > confirmed ? ack->delivery_tag : confirmed) : confirmed + 1;
        } else if (frame.payload.method.id == AMQP_BASIC_NACK_METHOD) {
            FAIL("the broker has refused a message");
        }
        amqp_maybe_release_buffers(rabbit);
    }
    return confirmed;
}

static void rabbit_send(int64_t count)
{
    /* The broker counts what it confirms from the first message of the channel on. */
    static uint64_t published, confirmed;
    char id[40];
    for (int64_t i = 0; i < count; i++) {
        amqp_basic_properties_t properties;
        make_body(i);
        uint64_t window = body.byte_count ? MAX_BODY_IN_BATCH / body.byte_count : WINDOW;
        window = window > WINDOW ? WINDOW : window < 1 ? 1 : window;
        if (mode == RECOVERABLE)
            confirmed = rabbit_wait(confirmed, published, window - 1);
        snprintf(id, sizeof id, "%016llx%016llx", (unsigned long long)getpid(), (unsigned long long)published);
        properties._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG | AMQP_BASIC_TIMESTAMP_FLAG;
        properties.delivery_mode = mode == EXPRESS ? 1 : 2;
        properties.content_type = amqp_cstring_bytes("application/octet-stream");
        properties.message_id = amqp_cstring_bytes(id);
        properties.timestamp = (uint64_t)time(NULL);
        amqp_bytes_t bytes = {body.byte_count, body.bytes};
        int status = amqp_basic_publish(rabbit, 1, amqp_empty_bytes, amqp_cstring_bytes(queue), 0, 0, &properties, bytes);
        if (status)
            FAIL("publish: %s", amqp_error_string2(status));
        published++;
        if (mode == TRANSACTIONAL) {
            amqp_tx_commit(rabbit, 1);
            check_reply(amqp_get_rpc_reply(rabbit), "commit");
            amqp_maybe_release_buffers(rabbit);
        }
    }
    if (mode == RECOVERABLE)
        confirmed = rabbit_wait(confirmed, published, 0);
}

static const char *rabbit_receive(int64_t count, int is_whole, int64_t *wrong)
{
    int is_transactional = mode == TRANSACTIONAL;
    if (!has_channel[2]) {
        amqp_channel_open(rabbit, 2);
        check_reply(amqp_get_rpc_reply(rabbit), "open a channel");
        has_channel[2] = 1;
        amqp_basic_qos(rabbit, 2, 0, PREFETCH, 0);
        check_reply(amqp_get_rpc_reply(rabbit), "set the prefetch");
        if (is_transactional) {
            amqp_tx_select(rabbit, 2);
            check_reply(amqp_get_rpc_reply(rabbit), "begin a transaction");
        }
    }
    amqp_basic_consume(rabbit, 2, amqp_cstring_bytes(queue), amqp_cstring_bytes("c"), 0, !is_transactional, 0, amqp_empty_table);
    check_reply(amqp_get_rpc_reply(rabbit), "consume");
    const char *error = NULL;
    for (int64_t i = 0; i < count && !error; i++) {
        amqp_envelope_t envelope;
        struct timeval patience = {30, 0};
        amqp_maybe_release_buffers(rabbit);
        amqp_rpc_reply_t reply = amqp_consume_message(rabbit, &envelope, &patience, 0);
        if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION && reply.library_error == AMQP_STATUS_TIMEOUT)
            error = "a message did not come within 30 s";
        else
            check_reply(reply, "receive");
        if (error) {
            *wrong = i;
            break;
        }
        if (!read_body(i, envelope.message.body.bytes, envelope.message.body.len, is_whole || i == count - 1)) {
            *wrong = i;
            error = "a message is not the one that was sent in its place";
        }
        if (is_transactional) {
            amqp_basic_ack(rabbit, 2, envelope.delivery_tag, 0);
            amqp_tx_commit(rabbit, 2);
            check_reply(amqp_get_rpc_reply(rabbit), "commit");
        }
        amqp_destroy_envelope(&envelope);
    }
    amqp_basic_cancel(rabbit, 2, amqp_cstring_bytes("c"));
    check_reply(amqp_get_rpc_reply(rabbit), "cancel");
    amqp_maybe_release_buffers(rabbit);
    return error;
}

static int64_t rabbit_purge(void)
{
    amqp_queue_purge_ok_t *purged = amqp_queue_purge(rabbit, 1, amqp_cstring_bytes(queue));
    check_reply(amqp_get_rpc_reply(rabbit), "purge");
    return purged->message_count;
}

/* ---- PostgreSQL: the schema of PostgreSqlQueueOptions.Default. ---- */

static PGconn *postgres;
static char queue_id[32];

static PGresult *check_result(PGresult *result, ExecStatusType expected, const char *what)
{
    if (PQresultStatus(result) != expected) {
        char *text = PQresultErrorMessage(result);
        text[strcspn(text, "\n")] = 0;
        FAIL("%s: %s", what, text);
    }
    return result;
}

static void run(const char *statement)
{
    PQclear(check_result(PQexec(postgres, statement), PGRES_COMMAND_OK, statement));
}

static void postgres_connect(const char *host, const char *port, const char *user, const char *password, const char *database)
{
    const char *names[] = {"host", "port", "user", "password", "dbname", "application_name", NULL};
    const char *texts[] = {host, port, *user ? user : NULL, *password ? password : NULL, *database ? database : NULL, "formatters-bench perftest.c", NULL};
    postgres = PQconnectdbParams(names, texts, 0);
    if (PQstatus(postgres) != CONNECTION_OK) {
        char *text = PQerrorMessage(postgres);
        text[strcspn(text, "\n")] = 0;
        FAIL("%s", text);
    }
    const char *name[] = {queue};
    PGresult *found = check_result(
        PQexecParams(postgres, "SELECT id FROM formatters_queues.queue WHERE name = $1 AND deleted_at IS NULL", 1, NULL, name, NULL, NULL, 0), PGRES_TUPLES_OK, "find the queue");
    if (PQntuples(found) != 1)
        FAIL("the queue does not exist");
    snprintf(queue_id, sizeof queue_id, "%s", PQgetvalue(found, 0, 0));
    PQclear(found);
    char insert[512];
    snprintf(insert, sizeof insert,
        "INSERT INTO formatters_queues.%s (queue_id, is_recoverable, priority, body_type, sent_at, message_id, content_type, label, body) "
        "SELECT q.id, %s, 3, 0, statement_timestamp(), $2, 'application/octet-stream', 'Test', $3 FROM formatters_queues.queue q WHERE q.id = $1 AND q.deleted_at IS NULL",
        mode == EXPRESS ? "express_message" : "recoverable_message", mode == EXPRESS ? "false" : "true");
    Oid types[] = {23, 25, 17};
    PQclear(check_result(PQprepare(postgres, "send", insert, 3, types), PGRES_COMMAND_OK, "prepare"));
    PQclear(check_result(
        PQprepare(postgres, "receive",
            "WITH next AS (SELECT is_recoverable, priority, id FROM formatters_queues.message WHERE queue_id = $1 AND locked_by IS NULL AND (expires_at IS NULL OR expires_at > statement_timestamp()) "
            "ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED) "
            "DELETE FROM formatters_queues.message m USING next WHERE m.queue_id = $1 AND m.locked_by IS NULL AND m.is_recoverable = next.is_recoverable AND m.priority = next.priority AND m.id = next.id "
            "RETURNING m.id, m.body, m.message_id, m.label, m.sent_at, m.body_type, m.content_type", 1, types),
        PGRES_COMMAND_OK, "prepare"));
}

static int64_t postgres_count(void)
{
    const char *id[] = {queue_id};
    PGresult *result = check_result(
        PQexecParams(postgres, "SELECT count(*) FROM formatters_queues.message WHERE queue_id = $1 AND locked_by IS NULL", 1, NULL, id, NULL, NULL, 0), PGRES_TUPLES_OK, "count");
    int64_t count = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    return count;
}

/* Takes the results of a pipeline up to the end of its transaction. */
static void take_results(void)
{
    for (int nulls = 0; ;) {
        PGresult *result = PQgetResult(postgres);
        if (!result) {
            if (++nulls > 2)
                FAIL("send: the connection is lost");
            continue;
        }
        nulls = 0;
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            return;
        }
        if (status != PGRES_COMMAND_OK || strcmp(PQcmdTuples(result), "1") != 0)
            FAIL("send: %s", status == PGRES_COMMAND_OK ? "the queue was deleted" : PQresultErrorMessage(result));
        PQclear(result);
    }
}

static void postgres_send(int64_t count)
{
    char id[40];
    int in_transaction = 0;
    size_t byte_count = 0;
    if (mode == RECOVERABLE && !PQenterPipelineMode(postgres))
        FAIL("send: no pipeline");
    for (int64_t i = 0; i < count; i++) {
        make_body(i);
        snprintf(id, sizeof id, "%016llx%016llx", (unsigned long long)getpid(), (unsigned long long)i);
        const char *texts[] = {queue_id, id, (const char *)body.bytes};
        int lengths[] = {0, 0, (int)body.byte_count};
        int formats[] = {0, 0, 1};
        if (mode != RECOVERABLE) {
            if (mode == TRANSACTIONAL)
                run("BEGIN");
            PGresult *result = check_result(PQexecPrepared(postgres, "send", 3, texts, lengths, formats, 0), PGRES_COMMAND_OK, "send");
            if (strcmp(PQcmdTuples(result), "1") != 0)
                FAIL("send: the queue was deleted");
            PQclear(result);
            if (mode == TRANSACTIONAL)
                run("COMMIT");
            continue;
        }
        /* As the provider does of its own accord: what is under way shares a commit. */
        if (!PQsendQueryPrepared(postgres, "send", 3, texts, lengths, formats, 0))
            FAIL("send: %s", PQerrorMessage(postgres));
        byte_count += body.byte_count;
        if (++in_transaction == MESSAGES_A_TRANSACTION || byte_count > MAX_BODY_IN_BATCH || i == count - 1) {
            if (!PQpipelineSync(postgres))
                FAIL("send: %s", PQerrorMessage(postgres));
            take_results();
            in_transaction = 0;
            byte_count = 0;
        }
    }
    if (mode == RECOVERABLE && !PQexitPipelineMode(postgres))
        FAIL("send: %s", PQerrorMessage(postgres));
}

static const char *postgres_receive(int64_t count, int is_whole, int64_t *wrong)
{
    const char *id[] = {queue_id};
    for (int64_t i = 0; i < count; i++) {
        if (mode == TRANSACTIONAL)
            run("BEGIN");
        PGresult *result = check_result(PQexecPrepared(postgres, "receive", 1, id, NULL, NULL, 1), PGRES_TUPLES_OK, "receive");
        *wrong = i;
        if (PQntuples(result) != 1)
            return "a message is not there";
        if (!read_body(i, PQgetvalue(result, 0, 1), (size_t)PQgetlength(result, 0, 1), is_whole || i == count - 1))
            return "a message is not the one that was sent in its place";
        PQclear(result);
        if (mode == TRANSACTIONAL)
            run("COMMIT");
    }
    return NULL;
}

static int64_t postgres_purge(void)
{
    const char *id[] = {queue_id};
    PGresult *result = check_result(
        PQexecParams(postgres, "DELETE FROM formatters_queues.message WHERE queue_id = $1 AND locked_by IS NULL", 1, NULL, id, NULL, NULL, 0), PGRES_COMMAND_OK, "purge");
    int64_t count = atoll(PQcmdTuples(result));
    PQclear(result);
    return count;
}

/* ---- ---- */

static void read_line(char *line, size_t size)
{
    if (!fgets(line, (int)size, stdin))
        exit(0);
    line[strcspn(line, "\n")] = 0;
}

int main(void)
{
    char line[4096], product[16], host[1024], port[16], user[1024], password[1024], place[1024];
    read_line(product, sizeof product);
    read_line(host, sizeof host);
    read_line(port, sizeof port);
    read_line(user, sizeof user);
    read_line(password, sizeof password);
    read_line(place, sizeof place);
    read_line(queue, sizeof queue);
    read_line(line, sizeof line);
    mode = strcmp(line, "transactional") == 0 ? TRANSACTIONAL : strcmp(line, "recoverable") == 0 ? RECOVERABLE : EXPRESS;
    int is_rabbit = strcmp(product, "amqp") == 0;
    if (is_rabbit)
        rabbit_connect(host, atoi(port), user, password, place);
    else
        postgres_connect(host, port, user, password, place);
    answer("ok 0");
    for (;;) {
        char word[32] = "";
        int64_t count = 0;
        int is_whole = 0;
        read_line(line, sizeof line);
        if (sscanf(line, "payload %31s %d", word, &is_whole) == 2) {
            take_payload(word, is_whole);
            answer("ok %d", value_count);
        } else if (sscanf(line, "send %lld", (long long *)&count) == 1) {
            double start = now();
            if (is_rabbit)
                rabbit_send(count);
            else
                postgres_send(count);
            int64_t queued;
            for (int64_t tries = 0; (queued = is_rabbit ? rabbit_count() : postgres_count()) < count && tries < 30000; tries++)
                usleep(1000);
            double elapsed = now() - start;
            if (queued == count)
                answer("ok %.9f", elapsed);
            else
                answer("wrong %lld messages were sent, %lld are in the queue", (long long)count, (long long)queued);
        } else if (sscanf(line, "receive %lld %d", (long long *)&count, &is_whole) == 2) {
            int64_t wrong = 0;
            double start = now();
            const char *error = is_rabbit ? rabbit_receive(count, is_whole, &wrong) : postgres_receive(count, is_whole, &wrong);
            double elapsed = now() - start;
            if (error)
                answer("wrong message %lld: %s", (long long)wrong, error);
            else
                answer("ok %.9f", elapsed);
        } else if (strcmp(line, "purge") == 0) {
            answer("ok %lld", (long long)(is_rabbit ? rabbit_purge() : postgres_purge()));
        } else {
            FAIL("'%s' is not known", line);
        }
    }
}
