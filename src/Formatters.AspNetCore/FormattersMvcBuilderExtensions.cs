using System;
using System.Linq;
using Formatters;
using Formatters.AspNetCore;
using Microsoft.AspNetCore.Mvc;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Makes controllers of ASP.NET Core read and write the formats of this library, by content negotiation.</summary>
public static class FormattersMvcBuilderExtensions
{
    /// <summary>Lets controllers read and write bodies with formatters, chosen by the content type of the request and its Accept header.</summary>
    /// <param name="builder">The configuration of MVC.</param>
    /// <param name="configure">Changes the formats; null for MessagePack, CBOR and protobuf.</param>
    /// <returns>The configuration.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    /// <exception cref="ArgumentException">No format is left, and no formatter was added.</exception>
    /// <remarks>
    /// A body that cannot be read becomes a model error with the path of the member, which is a response 400 with <c>[ApiController]</c>. A
    /// content type that is not among the formats, or in which the type has no contract, is answered with 415. ASP.NET Core's own formats come
    /// first, so that a request without an Accept header is still answered in JSON.
    /// </remarks>
    /// <example><code>
    /// builder.Services.AddControllers().AddMessageFormatters();
    /// </code></example>
    public static IMvcBuilder AddMessageFormatters(this IMvcBuilder builder, Action<HttpFormattersOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        Configure(builder.Services, configure);
        return builder;
    }

    /// <inheritdoc cref="AddMessageFormatters(IMvcBuilder, Action{HttpFormattersOptions}?)"/>
    public static IMvcCoreBuilder AddMessageFormatters(this IMvcCoreBuilder builder, Action<HttpFormattersOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        Configure(builder.Services, configure);
        return builder;
    }

    private static void Configure(IServiceCollection services, Action<HttpFormattersOptions>? configure)
    {
        var options = new HttpFormattersOptions();
        configure?.Invoke(options);
        var formatters = new HttpFormatters(options);
        if (formatters.ContentTypes.Count == 0)
            throw new ArgumentException("There is no format to read and write.", nameof(configure));
        bool replacesJson = formatters.ContentTypes.Contains(ContentTypes.Json, StringComparer.OrdinalIgnoreCase);
        services.Configure<MvcOptions>(mvc =>
        {
            mvc.InputFormatters.Insert(replacesJson ? 0 : mvc.InputFormatters.Count, new MessageInputFormatter(formatters));
            mvc.OutputFormatters.Insert(replacesJson ? 0 : mvc.OutputFormatters.Count, new MessageOutputFormatter(formatters));
        });
    }
}
