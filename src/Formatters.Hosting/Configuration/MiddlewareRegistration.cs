using System;
using Microsoft.Extensions.DependencyInjection;

namespace Formatters.Hosting;

/// <summary>A step of the pipeline, in the order of registration.</summary>
/// <param name="Type">The class of the middleware; null for a delegate.</param>
/// <param name="Around">Puts the step around the rest of the pipeline.</param>
internal sealed record MiddlewareRegistration(Type? Type, Func<MessageDelegate, MessageDelegate> Around)
{
    internal static MiddlewareRegistration Of<T>()
        where T : class, IMessageMiddleware =>
        new(typeof(T), static next => context => context.Services.GetRequiredService<T>().InvokeAsync(context, next));
}
