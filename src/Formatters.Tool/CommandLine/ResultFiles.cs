using System;
using System.CommandLine;
using System.IO;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Formatters.Tools.CommandLine;

/// <summary>The options <c>--json</c> and <c>--csv</c> of a verb, and the files that they name.</summary>
internal sealed class ResultFiles
{
    internal Option<FileInfo?> Json { get; } = CommonOptions.CreateJson();

    internal Option<FileInfo?> Csv { get; } = CommonOptions.CreateCsv();

    /// <summary>Checks that the files can be written, before anything is measured.</summary>
    /// <exception cref="UsageException">One cannot, or both are the same.</exception>
    internal void Check(ParseResult result) => CommonOptions.CheckFiles(result.GetValue(Json), result.GetValue(Csv));

    /// <summary>Writes the files that were asked for; without <paramref name="writeCsv"/> the verb has no <c>--csv</c>.</summary>
    internal void Write<T>(ParseResult result, T report, JsonTypeInfo<T> type, Action<TextWriter, T>? writeCsv = null) => CommonOptions.WriteFiles(
        result.GetValue(Json), result.GetValue(Csv), stream => JsonSerializer.Serialize(stream, report, type), writer => writeCsv?.Invoke(writer, report));
}
