namespace Formatters.Hosting;

/// <summary>The name of a queue that was added, or that a consumer or sender was added for. It may occur several times.</summary>
internal sealed record QueueRegistration(string Name);
