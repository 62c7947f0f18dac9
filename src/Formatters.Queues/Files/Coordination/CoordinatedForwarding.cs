using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>The resources with which a <see cref="QueueForwarder"/> moves messages from a folder into a database in transactions over both.</summary>
/// <param name="Folders">The provider that opens the source.</param>
/// <param name="OpenDatabase"> Opens the target's database: <c>token => databases.OpenResourceManagerAsync("postgres://localhost/shop",
/// cancellationToken: token)</c>. It is called again while the database cannot be reached; the forwarder closes what it returns. </param>
public sealed record CoordinatedForwarding(FileQueueProvider Folders, Func<CancellationToken, ValueTask<ResourceManager>> OpenDatabase);
