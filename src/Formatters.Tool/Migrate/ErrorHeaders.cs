using System;
using System.Collections.Generic;
using Formatters.Queues;

namespace Formatters.Tools.Migrate;

/// <summary>The headers of messages in the error queue.</summary>
internal static class ErrorHeaders
{
    internal const string Code = "formatters-error-code";
    internal const string Text = "formatters-error";
    internal const string ByteOffset = "formatters-error-offset";
    internal const string MemberPath = "formatters-error-member";
    internal const string Step = "formatters-error-step";
    internal const string Source = "formatters-error-source";

    private static readonly string[] All = [Code, Text, ByteOffset, MemberPath, Step, Source];

    internal static void Set(IDictionary<string, object> headers, RefusedException error, QueueAddress source)
    {
        Remove(headers);
        headers[Code] = error.Code;
        headers[Step] = error.Step.ToString().ToLowerInvariant();
        headers[Text] = error.Message;
        headers[Source] = source.ToString();
        if (error.ByteOffset >= 0)
            headers[ByteOffset] = error.ByteOffset;
        if (error.MemberPath is not null)
            headers[MemberPath] = error.MemberPath;
    }

    /// <summary>Removes the headers from a message that was read successfully after all.</summary>
    internal static void Remove(IDictionary<string, object> headers) => Array.ForEach(All, name => headers.Remove(name));
}
