using Formatters.Queues.PostgreSql;

namespace Formatters.Queues.Tests;

[NeedsPostgres]
public sealed class PostgreSqlExpressTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

[NeedsPostgres]
public sealed class PostgreSqlRecoverableTests : QueueConformance
{
    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

[NeedsPostgres]
public sealed class PostgreSqlTransactionTests : TransactionConformance
{
    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";
}

[NeedsPostgres]
public sealed class PostgreSqlExpressTopicTests : TopicConformance
{
    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Express;
}

[NeedsPostgres]
public sealed class PostgreSqlRecoverableTopicTests : TopicConformance
{
    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}
