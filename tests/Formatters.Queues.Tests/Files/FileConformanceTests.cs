using System.IO;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A folder of its own for each test, deleted after it.</summary>
public sealed class TestFolder
{
    public string Path { get; } = Directory.CreateTempSubdirectory("formatters-queue-").FullName;

    public void Delete() => Directory.Delete(Path, recursive: true);
}

public sealed class FileExpressTests : QueueConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.SmallSegments);

    protected override string Place => $"file://{_folder.Path}/";

    protected override DeliveryMode Mode => DeliveryMode.Express;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

public sealed class FileRecoverableTests : QueueConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.SmallSegments);

    protected override string Place => $"file://{_folder.Path}/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

public sealed class FileCallingThreadTests : QueueConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.SmallSegments with { WritesOnCallingThread = true });

    protected override string Place => $"file://{_folder.Path}/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

public sealed class FileTransactionTests : TransactionConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.SmallSegments);

    protected override string Place => $"file://{_folder.Path}/";

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

/// <summary>The same with nearly all messages that wait taken out of memory at once.</summary>
public sealed class FileParkedTests : QueueConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.Parked);

    protected override string Place => $"file://{_folder.Path}/";

    protected override DeliveryMode Mode => DeliveryMode.Recoverable;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

public sealed class FileParkedTransactionTests : TransactionConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.Parked);

    protected override string Place => $"file://{_folder.Path}/";

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

internal static class FileTests
{
    /// <summary>Messages beyond the first one of a queue and priority are parked, one by one.</summary>
    internal static FileQueueOptions Parked { get; } = new() { SegmentByteCount = 1 << 16, CachedByteCount = 1 << 10, CachedMessageCount = 0, ParkedTogether = 1 };

    /// <summary>Segments so small that every test passes from one to the next.</summary>
    internal static FileQueueOptions SmallSegments { get; } = new() { SegmentByteCount = 1 << 16, CachedByteCount = 1 << 14 };
}
