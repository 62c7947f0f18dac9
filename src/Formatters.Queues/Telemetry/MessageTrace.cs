using System.Collections.Generic;
using System.Diagnostics;

namespace Formatters.Queues;

/// <summary>The trace context in the headers of a message. Also compiled into Formatters.Hosting.</summary>
internal static class MessageTrace
{
    /// <summary>Adds the context of an activity to the headers.</summary>
    internal static void Inject(Activity activity, QueueMessage message) => DistributedContextPropagator.Current.Inject(
        activity, message, static (carrier, name, value) => ((QueueMessage)carrier!).Headers[name] = value);

    /// <summary>Reads the context of the sender; the default if the headers have none.</summary>
    internal static ActivityContext ContextOf(QueueMessage message)
    {
        if (!message.HasHeaders)
            return default;
        DistributedContextPropagator.Current.ExtractTraceIdAndState(
            message,
            static (object? carrier, string name, out string? value, out IEnumerable<string>? values) =>
            {
                values = null;
                value = ((QueueMessage)carrier!).Headers.TryGetValue(name, out object? header) ? header as string : null;
            },
            out string? parent,
            out string? state);
        return ActivityContext.TryParse(parent, state, isRemote: true, out ActivityContext context) ? context : default;
    }
}
