namespace Formatters.TradeEngine.CommandLine;

/// <summary>The examples below the help of each verb.</summary>
internal static class HelpTexts
{
    internal static string After(string verb) => verb switch
    {
        "run" =>
            """
            Examples:
              TradeEngine run --quick
                The whole network on the queues in a folder and SQLite, with bad, doubled,
                changed and missing messages and killed components.
              TradeEngine run --trades 250000 --json engine.json --csv queues.csv
                The study's smaller set; the CSV has the lengths of all queues over time.
              TradeEngine run --processes 4 --kills 20
                  --queues amqp://localhost/engine- --store postgres://u:p@host/db
                The components in four processes of their own, which are killed.
              TradeEngine run --rate 1000 --transfer file:outbox/
                1,000 messages a second, due one by one at random times, from queues of the
                driver's own: the time to the CLS counts from when a message was due.
              TradeEngine run --write-set trades.xml --trades 1000
              TradeEngine run --set trades.xml
                The messages in a text file, as the study stored them.

            Every trade and every bad message is checked. Exit code: 0 everything ended as
            it must, 1 a queue failed, or a CLS or an exception is missing, wrong or
            doubled, 2 usage, 130 Ctrl-C.
            """,
        "sweep" =>
            """
            Examples:
              TradeEngine sweep --of load --json load.json
                The response time at 10 to 100 % of full load, which is measured first.
              TradeEngine sweep --of inbound --inbound 1,2,4
                How soon the first CLS comes with 1, 2 and 4 in-bound queues.
              TradeEngine sweep --of inbound --inbound 1,1,1
                The same case three times: even or undecided, if the measurement is sound.
              TradeEngine sweep --of nodes --trades 3000
                  --queues amqp://localhost/engine- --store postgres://u:p@host/db
                Component processes by databases, each beside its simulation.

            Each round runs each case once: about 2 minutes with the defaults, and about
            20 with --of nodes. Exit code: 0 every trade ended as it must, 1 a queue
            failed, or a CLS or an exception is missing, wrong or doubled, 2 usage, or a
            queue that is not empty (--purge deletes what is in it), 130 Ctrl-C.
            """,
        "node" =>
            """
            Examples:
              TradeEngine node --queues amqp://broker/engine-
                  --store postgres://user:password@db/engine --key driver=key.bin
                All components, on as many machines as there are.
              TradeEngine node --component alc npr --instances 4
                  --queues amqp://broker/engine-
                  --store postgres://user:password@db/engine --key driver=key.bin
              TradeEngine run --processes 0 --key driver=key.bin
                  --queues amqp://broker/engine-
                  --store postgres://user:password@db/engine
                The driver, the sink and the monitor for them.

            Format, seed, in-bound queues and databases must be the same everywhere.
            Exit code: 0 ended by Ctrl-C, 1 a queue or the store failed, 2 usage.
            """,
        _ =>
            """
            Examples:
              TradeEngine run --quick
                The whole network in this process, with everything checked.
              TradeEngine run --trades 250000 --json engine.json
              formatters-bench report engine.json
                The study's smaller set, and its figures as a page.

            In this repository, TradeEngine is dotnet run --project samples/TradeEngine
            -c Release --. Queues: memory:PREFIX, file:FOLDER/PREFIX,
            amqp://HOST/PREFIX (RabbitMQ),
            postgres://USER:PASSWORD@HOST/DATABASE/PREFIX (PostgreSQL).
            """,
    };
}
