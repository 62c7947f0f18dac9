namespace Formatters.Bench.CommandLine;

/// <summary>The text below the generated help.</summary>
internal static class HelpTexts
{
    /// <summary>The examples of a verb, or of the tool for any other name.</summary>
    internal static string After(string verb) => verb switch
    {
        "compare" =>
            """
            Examples:
              formatters-bench compare
                Every formatter over a queue in memory, in about a minute.
              formatters-bench compare --study
                The findings of the study System.Messaging Performance (2004), and here.
              formatters-bench compare --quick --json compare.json
                Coarser, in about 20 seconds; also as JSON.
              formatters-bench compare --queue amqp://localhost/bench --mode recoverable
                Over RabbitMQ: durable queue, persistent messages, publisher confirms.
              formatters-bench compare --queue postgres://host/db/q --mode transactional
                Over PostgreSQL: each message in a transaction of its own.
              formatters-bench compare --formatter hand-coded --formatter BinaryFormatter
              formatters-bench compare --assembly bin/Shop.Formats.dll
                Also your formatters, classes NameFormatter<T>, over the same orders.

            Every message is checked when it comes out of the queue. Exit code: 0 done,
            1 the queue failed or a message was lost or changed, 2 usage, or a queue
            that is not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "doctor" =>
            """
            Examples:
              formatters-bench doctor
                This machine, the brokers on localhost if there are any, and the disk
                of the folder for temporary files.
              formatters-bench doctor amqp://localhost /var/lib/queues
                  postgres://postgres:PASSWORD@host/db --json doctor.json
              formatters-bench doctor amqp://localhost/orders
                Also whether that queue can be measured.

            Sends and receives nothing, and creates no queue. Exit code: 0 nothing found,
            1 something that was named cannot be reached or used, 2 usage, 4 warnings:
            something would spoil a measurement, 130 Ctrl-C.
            """,
        "own" =>
            """
            Examples:
              formatters-bench own --assembly bin/Shop.dll --type Shop.Order
                  --sample order.json
                Every formatter that supports the type, over a queue in memory.
              formatters-bench own --assembly bin/Shop.dll --type Shop.Order
                  --samples Shop.Tests.Orders.Create --queue amqp://localhost/own
                A static method makes the samples; over RabbitMQ.
              formatters-bench own --assembly bin/Shop.dll --type Shop.Order
                  --sample order.json --formatter JSON --formatter Shop.Formats.Mine

            For each formatter, the output lists what a round trip loses or changes. A
            formatter that changes something is not recommended. The code of the
            assembly is run: name only your own. Exit code: 0 done, 1 the queue failed
            or a message was lost or changed, 2 usage, no formatter supports the type,
            or a queue that is not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "matrix" =>
            """
            Examples:
              formatters-bench matrix
                Every formatter over a queue in memory and one in a folder, in every mode.
              formatters-bench matrix memory:q file:/mnt/data/test/q amqp://localhost/q
                  postgres://postgres:PASSWORD@localhost/postgres/q --json matrix.json
              formatters-bench matrix amqp://localhost/q --mode recoverable
                  --formatter generated --formatter JSON

            Every message is checked when it comes out of its queue. Exit code: 0 done,
            1 a queue failed or a message was lost, doubled or changed, 2 usage, or a
            queue that is not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "perftest" =>
            """
            Examples:
              formatters-bench perftest NOTX SENDANDPURGE memory:test
              formatters-bench perftest TX SENDANDRECEIVE amqp://localhost/test
              formatters-bench perftest NOTX SENDANDRECEIVE memory:a,b,c --payload order
                One send to three queues; the body is written once.

              formatters-bench perftest NOTX SERVER amqp://localhost/a amqp://localhost/b
              formatters-bench perftest NOTX CLIENT amqp://localhost/a amqp://localhost/b
                A matching pair: the same two queues for both, the SERVER first. Over a
                queue in memory the CLIENT runs its SERVER beside it.

              ... SENDANDRECEIVE amqp://localhost/a --payload string --remote --delay 2
                Also as if the broker were on another machine.
              ... SENDANDPURGE amqp://localhost/a --fan-out 2,5,10
                One send to n queues (a-1, a-2, ...) against n sends.
              ... SENDANDPURGE amqp://localhost/a --payload empty --native ./perftest-c
                Also by a program in C; src/Formatters.Bench/Native/build makes it.

            Every message is checked when it comes out of the queue. Exit code: 0 done
            (also Ctrl-C on a SERVER), 1 the queue failed or a message was lost or
            changed, 2 usage, or a queue that is not empty (--purge deletes what is in
            it), 130 Ctrl-C.
            """,
        "throughput" =>
            """
            Examples:
              formatters-bench throughput -C amqp://localhost -S myQueue
                Sends to and receives from a queue.
              formatters-bench throughput -C memory: -S orders
                  -R orders/subscriptions/a orders/subscriptions/b
                Sends to a topic and receives from two subscriptions.
              formatters-bench throughput -C amqp://localhost -S myQueue -r 0
              formatters-bench throughput -C amqp://localhost -S myQueue -s 0
                Only sends (the messages stay); only receives.
              ... -t 100 -v 100 -i 10
                Batches of 100, ten of them in progress.
              ... --rate 1000 --seconds 60
                Latency from end to end at 1,000 messages a second.
              ... --ramp
                Which in-flight, batch and prefetch are enough?

            Every message is checked when it comes out. Exit code: 0 done, 1 the queue
            failed or a message was lost, doubled or changed, 2 usage, or a queue that
            is not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "factors" =>
            """
            Examples:
              formatters-bench factors --seconds 10
                All claims over queues and topics in memory.
              formatters-bench factors amqp://localhost/factors --json factors.json
              formatters-bench factors postgres://host/db/factors --profile reliable
              formatters-bench factors file:test/factors --kill
                What is delivered again after a consumer's process was killed.
              formatters-bench factors amqp://localhost/factors --kill
                  --restart "systemctl start rabbitmq-server"
                The same after the broker was killed. Never use a shared broker.

            Every message is checked. Exit code: 0 done, whatever the verdicts, 1 the
            queue failed or a message was lost or changed, 2 usage, or a queue that is
            not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "limits" =>
            """
            Examples:
              formatters-bench limits
                A queue in memory and one in a folder: express with a sender and a receiver,
                recoverable with 1 to 50 senders, and the flushes of the disk itself.
              formatters-bench limits file:/mnt/data/test/a --flush-delay 8
                Another disk, as if each of its flushes took 8 ms longer.
              formatters-bench limits amqp://localhost/test --senders 1,10
              formatters-bench limits file:queues/a --senders 1,2,10 --processes
                Each sender of recoverable messages a process of its own.

            Exit code: 0 done, 1 the queue failed or a message was lost or changed,
            2 usage, or a queue that is not empty (--purge deletes what is in it),
            130 Ctrl-C.
            """,
        "senders" =>
            """
            Examples:
              formatters-bench senders
                The tables of the study of 1998 over a queue in memory and one in a folder.
              formatters-bench senders file:queues/a --database postgres://host/db
                Also external transactions: over the folder and the database.
              formatters-bench senders amqp://localhost/test --mode recoverable
                --sizes 100,10000 --senders 1,10 --processes
                Each sender a process of its own.
              formatters-bench senders postgres://host/db/test --part headers,memory
                --part network
                What a message needs in addition to its body, and tables 8 and 9.

            Every message is checked when it comes out of the queue. Exit code: 0 done,
            1 the queue failed or a message was lost or came twice, 2 usage, or a queue
            that is not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "diff" =>
            """
            Examples:
              for i in 1 2 3 4 5; do formatters-bench compare --json now/$i.json; done
              formatters-bench diff baseline now --fail-above 5%
                In continuous integration: exit code 4 if a figure is worse in the runs
                of the folder "now" than in those of the folder "baseline".
              formatters-bench diff before.json after.json
                Two single runs: the ratios. Verdicts need four runs a side.

            The files are written by --json of any verb; all must be of the same verb.
            Exit code: 0 done, 2 usage, or a file that is not a result, 4 with
            --fail-above: a figure is worse by more than that, or missing.
            """,
        "report" =>
            """
            Examples:
              formatters-bench compare --json compare.json
              formatters-bench senders --json senders.json
              formatters-bench report compare.json senders.json --output report.html
                One page: charts, their figures, the points of the studies beside them.
              formatters-bench report compare.json --png images
                Also an image of each chart, by Chromium.
              formatters-bench report compare.json MyBenchmarks-report-full.json
                  --json now/1.json
                BenchmarkDotNet's results, too; all figures in one file, for diff.

            The page has no script and loads nothing. Exit code: 0 done, 2 usage, a file
            that is not a result, or no browser for --png, 130 Ctrl-C.
            """,
        _ =>
            """
            Examples:
              formatters-bench compare
                Which formatter sends and receives orders fastest here?
              formatters-bench perftest NOTX SENDANDRECEIVE memory:test
                The classic test of the 2004 study, payload by payload.
              formatters-bench throughput -C amqp://localhost -S test -i 100 -e 100
                How many messages does this queue carry at full speed?
              formatters-bench limits
                How fast are the queues without formatters, and what would the disk allow?

            Queues: memory:NAME (in this process), file:FOLDER/NAME (on this disk),
            amqp://HOST/NAME (RabbitMQ),
            postgres://USER:PASSWORD@HOST/DATABASE/NAME (PostgreSQL).
            """,
    };
}
