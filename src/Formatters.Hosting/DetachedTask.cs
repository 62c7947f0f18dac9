using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Hosting;

/// <summary>Starts loops that do not belong to the trace, or the other ambient values, of their first caller.</summary>
internal static class DetachedTask
{
    internal static Task Run(Func<Task> loop)
    {
        if (ExecutionContext.IsFlowSuppressed())
            return Task.Run(loop);
        using (ExecutionContext.SuppressFlow())
            return Task.Run(loop);
    }
}
