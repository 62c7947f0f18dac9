using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Runs around each attempt to handle a message: for logging, validation, resilience pipelines.</summary>
/// <remarks>Created from the services of the message's scope. Register it with <see cref="QueuesBuilder.UseMiddleware{T}"/>.</remarks>
public interface IMessageMiddleware
{
    /// <summary>Processes a message.</summary>
    /// <param name="context">The message.</param>
    /// <param name="next">The rest of the pipeline, which ends with the handler. May be called again after it failed.</param>
    /// <returns>Completes when the message is handled. If it fails, so has the attempt.</returns>
    Task InvokeAsync(MessageContext context, MessageDelegate next);
}

/// <summary>A step of the pipeline that handles a message.</summary>
/// <param name="context">The message.</param>
/// <returns>Completes when the message is handled.</returns>
public delegate Task MessageDelegate(MessageContext context);
