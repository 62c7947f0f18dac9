namespace Formatters.Tools.Commands;

/// <summary>The examples below the generated help of each command.</summary>
internal static class HelpTexts
{
    /// <summary>Returns the examples of a command, or of the tool for any other name.</summary>
    internal static string After(string command) => command switch
    {
        "inspect" =>
            """
            Examples:
              formatters inspect body.bin
              formatters inspect body.bin --offsets
                Each line begins with the offset of its value, as a comment.
              formatters inspect body.bin --body-type 768
                A body of System.Messaging, by the number its message had.
              formatters inspect body.bin --format versioned
              curl http://host/body | formatters inspect -
              formatters inspect --queue file:queues/orders --count 5
                The messages that wait in a queue; nothing is received or counted.
              formatters inspect --queue postgres://host/db/orders --id 4711
              formatters inspect --queue amqp://localhost/orders --return

            Without a format, content type or body type, those in the properties beside the
            file count (queue receive writes them); without any, the format is guessed from
            the bytes, and a line on the error output says which it is.
            A body of more than --max-bytes is an error; output of more than --max-chars
            is truncated. Both are reported. The file may be a pipe.
            Exit code: 0 done, 1 the body is invalid or exceeds a limit: the part before
            the error is printed, and the error says where it is; 2 usage.
            """,
        "migrate" =>
            """
            Examples:
              formatters migrate amqp://localhost/old amqp://localhost/new
                  --type Shop.Order --assembly Shop.dll --to-format binary
                  --error-queue amqp://localhost/errors --dry-run
                Which messages are in the queue, which can be read, and what would change
                in the new bodies? Then run it without --dry-run.
              ... --allow Order.OrderDate:kind
                Moves messages that would lose the kind of this date, and counts them.
              ... --type Shop.Order --type Shop.LineItem --legacy-assembly OldShop
                Bodies of BinaryMessageFormatter: the types of objects in members of type
                object, and the assembly in which the types were.
              formatters migrate amqp://localhost/errors amqp://localhost/old
                  --to-format unchanged
                Sends them back unchanged.

            A message leaves its queue when the other queue has confirmed it. You can
            repeat a run that was ended by Ctrl-C, a failure or a kill: no message is lost,
            some may arrive twice. Exit code: 0 done, 1 a queue failed or a message cannot
            be read and there is no error queue, 2 usage, 3 messages were not moved because
            they would change, would grow too much or cannot be written, 130 Ctrl-C.
            """,
        "forward" =>
            """
            Examples:
              formatters forward file:outbox/orders amqp://localhost/orders
                Moves the messages that a program has sent to a folder to RabbitMQ, and new
                ones as they arrive. The order is kept; a message may arrive twice, with
                the same id.
              formatters forward file:outbox/orders
                  postgres://user:password@host/db/orders --until-empty
                Exactly once, by transactions over the folder and the database.

            While a queue cannot be reached, it waits, and says so. A folder belongs to one
            process at a time: use this while no program sends to the folder. In a program
            that does, use QueueForwarder. Exit code: 0 done, 1 messages became dead
            letters, 2 usage, 130 Ctrl-C: messages that were not forwarded are in their
            queue.
            """,
        "convert" =>
            """
            Examples:
              formatters convert old/ new/ --to-format json --type Shop.Order
                  --assembly Shop.dll --legacy-assembly OldShop
                Files with bodies of BinaryFormatter become JSON, with every value checked.
              formatters convert old/ new/ --to-format json
                Without types: JSON as 'inspect' prints it.
              formatters convert postgres://user:password@host/db --table orders --key id
                  --column body --to-column body_json --to-format json
                  --type Shop.Order --assembly Shop.dll --dry-run

            The source is only read. Each new body is read back and compared; what would
            change is refused, counted and named. Files that exist and rows that have a new
            body are left out, so that a run can be repeated. Exit code: 0 done, 1 bodies
            cannot be read or the database failed, 2 usage, 3 bodies were refused because
            they would change, 130 Ctrl-C.
            """,
        "types" =>
            """
            Examples:
              formatters types bodies/ > Types.cs
                C# types for the bodies of BinaryFormatter in a folder.
              formatters types file:queues/orders --count 10000 --output Types.cs
                For the messages that wait in a queue; they stay there.

            A type has the fields and auto-properties that the bodies have, with the types
            of their values; a reference that was null in a body is nullable. The more
            bodies, the more is known. Compiled, they are the --assembly of migrate and
            convert, with --type and --legacy-assembly. Exit code: 0 done, 1 no body is
            legacy binary, or a queue cannot be reached, 2 usage, 130 Ctrl-C.
            """,
        "queue" or "queue list" =>
            """
            Examples:
              formatters queue list postgres://user:password@host/db/
                Every queue of the database: how many messages wait, how many are locked,
                how old the oldest one is.
              formatters queue list file:queues/ --json queues.json
              formatters queue list amqp://localhost/orders,invoices
                RabbitMQ: by name, or all with --management http://localhost:15672.

            The other processes that have a folder open are listed, too. A folder that one
            of them keeps for itself, or that is damaged, is shown as its log has it:
            locked messages count as waiting, express ones are missing. Exit code: 0 done,
            1 a queue does not exist, has stopped or cannot be reached, or a log is
            damaged, 2 usage.
            """,
        "queue peek" =>
            """
            Examples:
              formatters queue peek postgres://user:password@host/db/dead --body
                The first 20 dead letters, with their reasons and their bodies.
              formatters queue peek file:queues/orders --selector "region = 'north'"
                  --count 1000 --json orders.json

            Nothing is received, locked or counted as a delivery. A folder that another
            process has open, or that is damaged, is shown as its log has it: without
            locks and express messages. Exit code: 0 done, 1 the queue does not exist or
            cannot be reached, or a log is damaged, 2 usage, or a queue that shows no
            messages (RabbitMQ).
            """,
        "queue send" =>
            """
            Examples:
              formatters queue send file:queues/orders order.json
                  --content-type application/json --label "order 4711"
              formatters queue send amqp://localhost/orders saved/
                Every message that 'queue receive --to saved/' wrote, with its properties.
              cat body.bin | formatters queue send file:queues/orders -

            Messages are recoverable where the queue offers that. Exit code: 0 done,
            1 the queue cannot be reached or refused a message: those before it are sent,
            2 usage, 130 Ctrl-C.
            """,
        "queue receive" =>
            """
            Examples:
              formatters queue receive postgres://user:password@host/db/orders
                  --to order.bin
                One message: its body, and its properties in order.bin.properties.json.
              formatters queue receive amqp://localhost/orders.dead --all --to saved/
                All messages, each in two files of the folder.
              formatters queue receive file:queues/orders --to - | formatters inspect -

            A message leaves its queue when its files are on the disk: a run that is killed
            loses none, and may leave one in both places, with the same id. Files that
            exist are not overwritten. Exit code: 0 done, 1 the queue does not exist, has
            no message, or cannot be reached, 2 usage, 130 Ctrl-C.
            """,
        "queue purge" =>
            """
            Examples:
              formatters queue purge postgres://user:password@host/db/orders
                Warning: deletes every message in the queue, except those that are locked.

            Exit code: 0 done, 1 a queue does not exist or cannot be reached, 2 usage,
            130 Ctrl-C.
            """,
        "queue requeue" =>
            """
            Examples:
              formatters queue requeue postgres://user:password@host/db/dead
                Sends each dead letter back to the queue from which it came.
              formatters queue requeue amqp://localhost/dead --reason expired
                  --to amqp://localhost/again --limit 100

            Messages that arrive after the start are left in the queue, and so are messages
            that are not dead letters, unless --to names a queue. In memory, in a folder
            and in PostgreSQL a message is moved in a transaction. Over RabbitMQ, and with
            --to another location, it leaves its queue when the other has confirmed it: a
            run that is killed may leave it in both, with the same id. Exit code: 0 done, 1
            a queue does not exist or cannot be reached, or messages were left, 2 usage,
            130 Ctrl-C.
            """,
        "queue verify" =>
            """
            Examples:
              formatters queue verify file:queues/ --json queues.json
                Lists the damaged files of the log, where they are damaged, what is lost,
                and how many messages wait in which queue.

            Takes no lock and changes nothing: it also works on a read-only disk, and while
            another process has the folder. Exit code: 0 the log is whole, 1 it is damaged,
            2 it cannot be read, is not a folder of queues, or usage, 130 Ctrl-C.
            """,
        "queue salvage" =>
            """
            Examples:
              formatters queue salvage file:queues/ file:salvaged/
                Every message that can be read, with all its properties, in its order.

            The folder itself is only read. What one flush wrote is kept or lost together.
            A received message is back if the part of the log that records the receipt is
            lost. Exit code: 0 everything is copied, 1 something is lost, 2 the log cannot
            be read, the new folder is not empty, or usage, 130 Ctrl-C.
            """,
        _ =>
            """
            Examples:
              formatters queue list file:queues/
                Which queues are in this folder, and how many messages wait in each?
              formatters queue peek postgres://user:password@host/db/orders.dead --body
                Why were these messages set aside, and what is in them?
              formatters inspect body.bin
                A message body as JSON; its .NET type is not needed.
              formatters migrate amqp://localhost/old amqp://localhost/new
                  --type Shop.Order --assembly Shop.dll --to-format versioned --dry-run
                Would all messages survive in another format?

            Queues: file:FOLDER/NAME (on this disk), amqp://HOST/NAME (RabbitMQ),
              postgres://USER:PASSWORD@HOST/DATABASE/NAME (PostgreSQL).
            """,
    };
}
