using System.Text.Json.Serialization;
using Formatters.Bench.Compare;
using Formatters.Bench.Own;

namespace Formatters.Bench.Reports
{
    /// <summary>The reports of this program as JSON, as those of the whole tool.</summary>
    [JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
    [JsonSerializable(typeof(CompareReport))]
    [JsonSerializable(typeof(OwnReport))]
    internal sealed partial class ReportJson : JsonSerializerContext;
}

namespace Formatters.Bench.Servers
{
    /// <summary>The servers whose settings are read: none.</summary>
    internal static partial class ServerSettings
    {
        internal static partial bool IsUnreachable(Exception e) => false;

        private static partial Task<IReadOnlyDictionary<string, string>> AskServerAsync(QueueAddress address, CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyDictionary<string, string>>(new Dictionary<string, string>());
    }
}
