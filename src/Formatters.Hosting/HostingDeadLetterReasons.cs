using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>The reasons of dead letters that consumers create, in addition to those of <see cref="DeadLetterReasons"/>.</summary>
public static class HostingDeadLetterReasons
{
    /// <summary>The handler failed in each attempt. The description is the last exception.</summary>
    public const string HandlerFailed = "handler-failed";

    /// <summary>The handler or a middleware threw a <see cref="MessageRejectedException"/>.</summary>
    public const string Rejected = "rejected";

    /// <summary>No consumer of the queue handles the contract that the message names, or the message names none and several could.</summary>
    public const string UnknownContract = "unknown-contract";
}
