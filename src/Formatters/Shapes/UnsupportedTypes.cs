using System.Collections.Generic;

namespace Formatters;

/// <summary>The alternatives to base library types that have no contract: for reflection, and linked into the generator.</summary>
internal static class UnsupportedTypes
{
    private const string KeepText = "keep its text, or name a formatter for it ([MemberCodec])";

    private static readonly Dictionary<string, string> Advice = new()
    {
        ["System.Type"] = "no type is loaded because a body names it; keep a name or number of your own, or declare a union ([MessageUnion])",
        ["System.IntPtr"] = "its size is that of the process; declare a long",
        ["System.UIntPtr"] = "its size is that of the process; declare a ulong",
        ["System.Index"] = "declare an int",
        ["System.Range"] = "declare two ints",
        ["System.Lazy`1"] = "declare the value itself",
        ["System.Exception"] = "keep its text, and what its receiver needs to know",
        ["System.TimeZoneInfo"] = "keep its Id",
        ["System.Text.Rune"] = "declare an int, or a string",
        ["System.Text.StringBuilder"] = "declare a string",
        ["System.Text.Encoding"] = "keep its WebName",
        ["System.Text.RegularExpressions.Regex"] = "keep its pattern",
        ["System.Globalization.CultureInfo"] = "keep its Name",
        ["System.Net.IPEndPoint"] = KeepText,
        ["System.Net.Mail.MailAddress"] = KeepText,
        ["System.Drawing.Color"] = "keep the int of ToArgb",
        ["System.IO.Stream"] = "declare a byte[]",
        ["System.IO.MemoryStream"] = "declare a byte[]",
        ["System.Security.SecureString"] = "it protects a string only as long as it stays where it is",
        ["System.Threading.Tasks.Task"] = "a body holds values, not work",
        ["System.Threading.Tasks.Task`1"] = "declare its result",
        ["System.Threading.CancellationToken"] = "it works within one process only; leave it out",
        ["System.Data.DataSet"] = "declare a type for its rows, and lists of them",
        ["System.Data.DataTable"] = "declare a type for its rows, and a list of them",
        ["System.Xml.XmlDocument"] = KeepText,
        ["System.Xml.XmlElement"] = KeepText,
        ["System.Xml.XmlNode"] = KeepText,
        ["System.Xml.Linq.XDocument"] = KeepText,
        ["System.Xml.Linq.XElement"] = KeepText,
        ["System.Text.Json.JsonDocument"] = KeepText,
        ["System.Text.Json.JsonElement"] = KeepText,
        ["System.Text.Json.Nodes.JsonNode"] = KeepText,
        ["System.Text.Json.Nodes.JsonObject"] = KeepText,
        ["System.Text.Json.Nodes.JsonArray"] = KeepText,
        ["System.Dynamic.ExpandoObject"] = "declare a type, or a dictionary of values of one type",
        ["System.Collections.BitArray"] = "declare a bool[], or a byte[]",
        ["System.Collections.Queue"] = "declare a Queue<T>",
        ["System.Collections.Stack"] = "declare a Stack<T>",
        ["System.Collections.SortedList"] = "declare a SortedList<TKey, TValue>",
        ["System.Collections.Specialized.StringCollection"] = "declare a List<string>",
        ["System.Collections.Specialized.StringDictionary"] = "declare a Dictionary<string, string>",
        ["System.Collections.Specialized.NameValueCollection"] = "declare a Dictionary<string, string>, or one of lists",
        ["System.Collections.Specialized.BitVector32"] = "declare an int",
        ["System.Collections.Concurrent.BlockingCollection`1"] = "declare a ConcurrentQueue<T>, or a list",
        ["System.Collections.Concurrent.IProducerConsumerCollection`1"] = "declare a ConcurrentQueue<T>, or a list",
        ["System.Collections.Generic.PriorityQueue`2"] = "declare a list of its pairs",
        ["System.Collections.Generic.IAsyncEnumerable`1"] = "declare a list",
        ["System.Collections.ObjectModel.ReadOnlyObservableCollection`1"] = "declare an ObservableCollection<T>",
        ["System.Linq.ILookup`2"] = "declare a dictionary of lists",
        ["System.Linq.Lookup`2"] = "declare a dictionary of lists",
        ["System.Linq.IGrouping`2"] = "declare a key and a list",
    };

    /// <param name="fullName">The name of the definition in metadata: <c>System.Lazy`1</c>.</param>
    /// <returns>Null if there is no better advice than the general one.</returns>
    internal static string? Find(string fullName) => Advice.TryGetValue(fullName, out string? advice) ? advice : null;
}
