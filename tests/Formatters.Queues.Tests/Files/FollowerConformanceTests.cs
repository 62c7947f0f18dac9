using System;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A folder that one provider owns, and a second provider, which has it open through the first as another process would.</summary>
internal sealed class SharedFolder
{
    private readonly TestFolder _folder = new();
    private readonly FileQueueProvider[] _providers;

    internal SharedFolder(FileQueueOptions options)
    {
        _providers = [new FileQueueProvider(options), new FileQueueProvider(options)];
        // Opened first, and so the owner.
        Assert.NotEmpty(_providers[0].GetProcessesAsync(Place).AsTask().GetAwaiter().GetResult());
    }

    internal FileQueueProvider Follower => _providers[1];

    internal string Place => $"file://{_folder.Path}/";

    internal async Task CloseAsync()
    {
        await Follower.DisposeAsync();
        await _providers[0].DisposeAsync();
        _folder.Delete();
    }
}

public abstract class FollowerConformance : QueueConformance, IAsyncLifetime
{
    private readonly SharedFolder _folder = new(FileTests.SmallSegments);

    protected override QueueProvider Provider => _folder.Follower;

    protected override string Place => _folder.Place;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await _folder.CloseAsync();
    }
}

public sealed class FollowerExpressTests : FollowerConformance
{
    protected override DeliveryMode Mode => DeliveryMode.Express;
}

public sealed class FollowerRecoverableTests : FollowerConformance
{
    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

public sealed class FollowerTransactionTests : TransactionConformance, IAsyncLifetime
{
    private readonly SharedFolder _folder = new(FileTests.SmallSegments);

    protected override QueueProvider Provider => _folder.Follower;

    protected override string Place => _folder.Place;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await _folder.CloseAsync();
    }
}

public abstract class FollowerTopicConformance : TopicConformance, IAsyncLifetime
{
    private readonly SharedFolder _folder = new(FileTests.SmallSegments);

    protected override QueueProvider Provider => _folder.Follower;

    protected override string Place => _folder.Place;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await _folder.CloseAsync();
    }
}

public sealed class FollowerExpressTopicTests : FollowerTopicConformance
{
    protected override DeliveryMode Mode => DeliveryMode.Express;
}

public sealed class FollowerRecoverableTopicTests : FollowerTopicConformance
{
    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}
