using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Formatters.Contracts.Tests;
using Formatters.Inspection;
using Formatters.LegacyBinary;
using Formatters.Queues;

namespace Formatters.HostileBodies;

/// <summary>What was seen to end a process, to run on, to fill the memory or to tell what it must not.</summary>
internal static class HostileCases
{
    private const int LevelCount = 20_000;

    private static readonly FormatterLimits Unlimited = FormatterLimits.Default with
    {
        MaxDepth = int.MaxValue,
        MaxElementCount = int.MaxValue,
        MaxBodyByteCount = int.MaxValue,
    };

    private static readonly InspectionOptions InspectAll = InspectionOptions.Default with { Limits = Unlimited };

    /// <summary>What each prepares runs on a usual stack, what it returns on a small one.</summary>
    internal static readonly SortedDictionary<string, Func<Action>> All = new(Create().ToDictionary(pair => pair.Name, pair => pair.Prepare), StringComparer.Ordinal);

    private static IEnumerable<(string Name, Func<Action> Prepare)> Create()
    {
        foreach ((string name, Func<Action> prepare) in Depth().Concat(Selectors()).Concat(Inspection()).Concat(Keys()).Concat(Text()).Concat(Sizes()).Concat(CollectionCases.Create()).Concat(StackCases.Create()))
            yield return (name, prepare);
    }

    private static IEnumerable<(string, Func<Action>)> Depth()
    {
        foreach ((string name, Func<MessageFormatter<Node>> create) in DeepFormatters())
        {
            yield return ($"depth: {name} reads {LevelCount} levels", () =>
            {
                MessageFormatter<Node> formatter = create();
                byte[] body = name.StartsWith("json", StringComparison.Ordinal) ? DeepJson("{\"Next\":", "null", "}", LevelCount)
                    : Measured.OnLargeStack(() => formatter.Write(Node.Chain(name == "legacy binary" ? 10 : LevelCount)));
                return () => Measured.Within(body.Length, () => formatter.Read(body), Measured.DeepFactor);
            });
            yield return ($"depth: {name} writes {LevelCount} levels", () =>
            {
                MessageFormatter<Node> formatter = create();
                Node chain = Node.Chain(LevelCount);
                return () => Measured.Typed(() => formatter.Write(chain));
            });
        }

        foreach (int levelCount in new[] { 64, 500, 1500 })
        {
            yield return ($"depth: json reads {levelCount} levels of constructors and structures", () =>
            {
                FormatterLimits limits = Unlimited with { MaxDepth = Math.Max(64, levelCount) };
                var formatter = new JsonFormatter<Chain>(new JsonOptions { Limits = limits });
                byte[] body = DeepJson("{\"Link\":{\"A\":1,\"Next\":", "null", "},\"Others\":null}", levelCount / 2);
                byte[] lists = DeepJson("{\"Others\":[", "", "],\"Link\":{\"A\":1}}", levelCount / 2);
                byte[] maps = DeepJson("{\"Named\":{\"a\":", "null", "},\"Link\":{\"A\":1}}", levelCount / 2);
                return () =>
                {
                    Measured.Within(body.Length, () => formatter.Read(body));
                    Measured.Within(lists.Length, () => formatter.Read(lists));
                    Measured.Within(maps.Length, () => formatter.Read(maps));
                };
            });
        }

        yield return ("depth: json reads 500 levels of brackets", () =>
        {
            var formatter = new JsonFormatter<List<object>>(new JsonOptions { Limits = Unlimited with { MaxDepth = 1000 }, AllowedLosses = [typeof(object)] });
            byte[] body = DeepJson("[", "", "]", 500);
            return () => Measured.Within(body.Length, () => formatter.Read(body));
        });
        yield return ("depth: json at the end of a stack", () =>
        {
            var formatter = new JsonFormatter<Node>();
            byte[] body = DeepJson("{\"Next\":", "null", "}", 60);
            formatter.Read(body);
            return () => AtTheEndOfTheStack(() => Measured.Typed(() => formatter.Read(body)));
        });
        yield return ("depth: json writes at the end of a stack", () =>
        {
            var formatter = new JsonFormatter<Node>();
            Node chain = Node.Chain(50);
            formatter.Write(chain);
            return () => AtTheEndOfTheStack(() => Measured.Typed(() => formatter.Write(chain)));
        });
        yield return ("depth: legacy binary reads 100000 arrays", () =>
        {
            var formatter = new LegacyBinaryFormatter<object>(new LegacyBinaryOptions { Limits = Unlimited });
            byte[] body = NestedArrays(100_000);
            return () => Measured.Within(body.Length, () => formatter.Read(body));
        });
    }

    private static IEnumerable<(string, Func<MessageFormatter<Node>>)> DeepFormatters()
    {
        foreach ((string, Func<MessageFormatter<Node>>) row in AllFormats.Rows<Node>(limits: Unlimited))
            yield return row;
        yield return ("xml, generated", () => new XmlFormatter<Node>(Node.MessageContract, new XmlOptions { Limits = Unlimited }));
        yield return ("xml, by XmlSerializer", () => new XmlFormatter<Node>(ByReflection.Xml with { Limits = Unlimited }));
        yield return ("json, generated", () => new JsonFormatter<Node>(new JsonOptions { Limits = Unlimited }));
        yield return ("json, by reflection", () => new JsonFormatter<Node>(new JsonOptions { Limits = Unlimited with { MaxDepth = 1_000_000 } }));
        yield return ("json, canonical", () => new JsonFormatter<Node>(new JsonOptions { Limits = Unlimited with { MaxDepth = 1_000_000 }, IsCanonical = true }));
        yield return ("json, with more depth than the options", () => new JsonFormatter<Node>(new JsonOptions { Limits = Unlimited with { MaxDepth = 500 } }));
        yield return ("legacy binary", () => new LegacyBinaryFormatter<Node>(new LegacyBinaryOptions { Limits = Unlimited }));
    }

    private static IEnumerable<(string, Func<Action>)> Selectors()
    {
        var message = new QueueMessage { Headers = { ["a"] = 1, ["b"] = true } };
        var columns = new SelectorColumns { Headers = "h", MessageId = "i", CorrelationId = "c", Label = "l", Priority = "p", SentTime = "s" };
        foreach ((string name, Func<int, string> create) in new (string, Func<int, string>)[]
        {
            ("parentheses", count => new string('(', count) + "b" + new string(')', count)),
            ("parentheses around a number", count => new string('(', count) + "a" + new string(')', count) + " = 1"),
            ("NOT", count => string.Concat(Enumerable.Repeat("NOT ", count)) + "b"),
            ("signs", count => string.Concat(Enumerable.Repeat("- ", count)) + "a = 1"),
            ("sums", count => string.Concat(Enumerable.Repeat("a + (", count)) + "a" + new string(')', count) + " = 1"),
            ("conditions", count => string.Concat(Enumerable.Repeat("b AND (a = 1 OR (", count / 2)) + "b" + new string(')', count / 2 * 2)),
        })
        {
            foreach (int count in new[] { 5, 48, 98, 99, 10_000 })
            {
                yield return ($"selector: {count} {name}", () =>
                {
                    string text = create(count);
                    MessageSelector? parsed = null;
                    try
                    {
                        parsed = MessageSelector.Parse(text);
                    }
                    catch (InvalidSelectorException)
                    {
                        // Deeper than any stack may be.
                    }

                    return () =>
                    {
                        Measured.Within(text.Length, () => MessageSelector.Parse(text));
                        if (parsed is null)
                            return;
                        AtTheEndOfTheStack(() => Try(() => parsed.Matches(message)));
                        AtTheEndOfTheStack(() => Try(() => parsed.ToSql(columns, _ => "$1")));
                    };
                });
            }
        }

        yield return ("selector: LIKE of many characters", () =>
        {
            (string Pattern, string Text)[] hostile =
            [
                ("%" + new string('a', 900) + "b", new string('a', 100_000)),
                ("%" + new string('a', 900) + "b%", new string('a', 100_000)),
                ("%" + new string('a', 400) + "_" + new string('a', 400) + "b%", new string('a', 100_000)),
                (string.Concat(Enumerable.Repeat("%a", 400)) + "%b%", new string('a', 100_000)),
                (string.Concat(Enumerable.Repeat("%_", 400)) + "b", new string('a', 100_000)),
            ];
            return () =>
            {
                foreach ((string pattern, string text) in hostile)
                {
                    var selector = MessageSelector.Parse($"h LIKE '{pattern}'");
                    var long1 = new QueueMessage { Headers = { ["h"] = text } };
                    Measured.Within(text.Length, () => selector.Matches(long1));
                }

                string longest = "h LIKE '%" + new string('a', 32_000) + "b'";
                Measured.Within(longest.Length, () => MessageSelector.Parse(longest).Matches(new QueueMessage { Headers = { ["h"] = new string('a', 100_000) } }));
            };
        });
        yield return ("selector: IN of many strings", () =>
        {
            string text = "h IN (" + string.Join(',', Enumerable.Range(0, 4000).Select(i => $"'{i}'")) + ")";
            return () => Measured.Within(text.Length, () => MessageSelector.Parse(text).Matches(message));
        });
        yield return ("selector: digits", () =>
        {
            string[] texts = ["a = " + new string('9', 30_000) + ".5", "a = 1E" + new string('9', 30_000), "a = " + new string('0', 30_000) + "7", "a = ." + new string('1', 30_000)];
            return () =>
            {
                foreach (string text in texts)
                    Measured.Within(text.Length, () => MessageSelector.Parse(text).Matches(message));
            };
        });
    }

    private static void Try(Action action)
    {
        try
        {
            action();
        }
        catch (InsufficientExecutionStackException)
        {
            // Where the stack ends, this is what .NET has for it.
        }
    }

    private static IEnumerable<(string, Func<Action>)> Inspection()
    {
        foreach (MessageInspector inspector in MessageInspector.All)
        {
            foreach ((string name, Func<byte[]> create) in Inspected())
            {
                yield return ($"inspector: {inspector.Name} prints {name}", () =>
                {
                    byte[] body = create();
                    return () =>
                    {
                        Measured.Within(body.Length, () => inspector.Inspect(body, TextWriter.Null, InspectAll), Measured.DeepFactor);
                        Measured.Within(body.Length, () => inspector.Inspect(body, TextWriter.Null));
                    };
                });
            }
        }

        yield return ("inspector: prints no character that does not show", () =>
        {
            const string Hidden = "\u202E\u2066\u200B\u200D\uFEFF\u0085\u2028\u2029\u00AD\u034F\u3164\uFE0F\U000E0041\uD800";
            byte[] body = new MessagePackFormatter<Dictionary<string, string>>().Write(new Dictionary<string, string> { ["a" + Hidden[..^1]] = Hidden[..^1] });
            byte[] cbor = new CborFormatter<Dictionary<string, string>>().Write(new Dictionary<string, string> { ["a" + Hidden[..^1]] = Hidden[..^1] });
            byte[] json = Encoding.UTF8.GetBytes(JsonSerializer.Serialize(new Dictionary<string, string> { ["a" + Hidden[..^1]] = Hidden[..^1] }));
            byte[] xml = Encoding.UTF8.GetBytes($"<a b='{Hidden[..^1]}'>{Hidden[..^1]}</a>");
            return () =>
            {
                foreach (string text in new[] { MessageInspector.MessagePack.Inspect(body), MessageInspector.Cbor.Inspect(cbor), MessageInspector.Json.Inspect(json), MessageInspector.Xml.Inspect(xml) })
                {
                    if (Hidden.Any(character => text.Contains(character, StringComparison.Ordinal)) || !text.Contains("\\u202E", StringComparison.Ordinal))
                        throw new BrokenPromiseException("A hidden character was printed: " + Uri.EscapeDataString(text));
                }
            };
        });
        foreach ((string name, Func<byte[]> create) in Inspected())
        {
            yield return ($"inspector: detects {name}", () =>
            {
                byte[] body = create();
                return () => Measured.Within(body.Length, () => MessageInspector.Detect(new MessageBody(body)));
            });
        }
    }

    private static IEnumerable<(string, Func<byte[]>)> Inspected()
    {
        yield return ("brackets", () => [.. Enumerable.Repeat((byte)'[', 300_000)]);
        yield return ("elements", () => Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("<a>", 20_000))));
        yield return ("many elements", () => Encoding.UTF8.GetBytes("<r>" + string.Concat(Enumerable.Repeat("<a/>", 100_000)) + "</r>"));
        yield return ("elements of many names", () => Encoding.UTF8.GetBytes("<r>" + string.Concat(Enumerable.Range(0, 50_000).Select(i => $"<a{i}/>")) + "</r>"));
        yield return ("arrays of the compact format", () => [.. Enumerable.Repeat((byte)0xB1, 300_000)]);
        yield return ("arrays of CBOR", () => [.. Enumerable.Repeat((byte)0x81, 300_000)]);
        yield return ("arrays of MessagePack", () => [.. Enumerable.Repeat((byte)0x91, 300_000)]);
        yield return ("numbers at depth 60", () => [.. Enumerable.Repeat((byte)0x91, 60), 0xDD, 0, 3, 0xD0, 0x90, .. Enumerable.Repeat((byte)1, 250_000)]);
        yield return ("JSON numbers at depth 60", () => Encoding.UTF8.GetBytes(new string('[', 60) + string.Join(',', Enumerable.Repeat('1', 250_000)) + new string(']', 60)));
        yield return ("groups", () => [.. Enumerable.Repeat((byte)0x0B, 300_000), .. Enumerable.Repeat((byte)0x0C, 300_000)]);
        yield return ("messages inside each other", () => Towers.Protobuf(100_000));
        yield return ("records inside each other", () => Towers.Versioned(50_000));
        yield return ("fields of many numbers", () => Towers.ProtobufFields(100_000));
        yield return ("legacy arrays", () => NestedArrays(20_000));
        yield return ("zeros", () => new byte[1_000_000]);
        yield return ("ones", () => [.. Enumerable.Repeat((byte)0x01, 1_000_000)]);
        yield return ("letters", () => [.. Enumerable.Repeat((byte)'a', 1_000_000)]);
        yield return ("0xFF", () => [.. Enumerable.Repeat((byte)0xFF, 1_000_000)]);
    }

    private static IEnumerable<(string, Func<Action>)> Keys()
    {
        const int Count = 40_000;
        // All of one hash: the halves of each are the same.
        long[] keys = [.. Enumerable.Range(0, Count).Select(i => ((long)i << 32) | (uint)i)];
        string entries = "{" + string.Join(',', keys.Select(key => $"\"{key}\":1")) + "}";
        string elements = "[" + string.Join(',', keys) + "]";

        // As many keys of as many hashes.
        string Usual(string text) => System.Text.RegularExpressions.Regex.Replace(text, "[0-9]{6,}", match => ((long.Parse(match.Value, System.Globalization.CultureInfo.InvariantCulture) & 0xFFFF) + 100_000).ToString(System.Globalization.CultureInfo.InvariantCulture));
        foreach ((string name, Func<Func<byte[], object?>> create, string text) in new (string, Func<Func<byte[], object?>>, string)[]
        {
            ("a dictionary", () => new JsonFormatter<Dictionary<long, int>>().Read, entries),
            ("a dictionary, generated", () => new JsonFormatter<Dictionary<long, int>>(DeepContext.Default.DictionaryInt64Int32).Read, entries),
            ("an interface of a dictionary", () => new JsonFormatter<IDictionary<long, int>>().Read, entries),
            ("a read-only interface of a dictionary", () => new JsonFormatter<IReadOnlyDictionary<long, int>>().Read, entries),
            ("a sorted dictionary", () => new JsonFormatter<SortedDictionary<long, int>>().Read, entries),
            ("a set", () => new JsonFormatter<HashSet<long>>().Read, elements),
            ("an interface of a set", () => new JsonFormatter<ISet<long>>().Read, elements),
            ("an immutable dictionary", () => new JsonFormatter<System.Collections.Immutable.ImmutableDictionary<long, int>>().Read, entries),
            ("an immutable set", () => new JsonFormatter<System.Collections.Immutable.ImmutableHashSet<long>>().Read, elements),
            ("a concurrent dictionary", () => new JsonFormatter<System.Collections.Concurrent.ConcurrentDictionary<long, int>>().Read, entries),
            ("a member", () => new JsonFormatter<Table>().Read, $"{{\"ByLong\":{entries.Replace(":1", ":\"\"", StringComparison.Ordinal)},\"Set\":{elements}}}"),
            ("a member, generated", () => new JsonFormatter<Table>(JsonContext.Default.Table).Read, $"{{\"ByLong\":{entries.Replace(":1", ":\"\"", StringComparison.Ordinal)},\"Set\":{elements}}}"),
        })
        {
            yield return ($"keys: json reads {name} of one hash", () =>
            {
                Func<byte[], object?> read = create();
                byte[] body = Encoding.UTF8.GetBytes(text);
                byte[] usual = Encoding.UTF8.GetBytes(Usual(text));
                return () => Measured.NotSlower(body.Length, () => read(usual), () => read(body));
            });
        }

        var table = new Table();
        var usualTable = new Table();
        foreach (long key in keys)
        {
            table.ByLong[key] = "";
            table.Set.Add(key);
            usualTable.ByLong[key & 0xFFFF] = "";
            usualTable.Set.Add(key & 0xFFFF);
        }

        foreach ((string name, Func<MessageFormatter<Table>> create) in AllFormats.Rows<Table>())
        {
            yield return ($"keys: {name} reads keys of one hash", () =>
            {
                MessageFormatter<Table> formatter = create();
                byte[] body = formatter.Write(table), usual = formatter.Write(usualTable);
                return () => Measured.NotSlower(body.Length, () => formatter.Read(usual), () => formatter.Read(body));
            });
        }

        yield return ("keys: legacy binary reads keys of one hash", () =>
        {
            var formatter = new LegacyBinaryFormatter<Dictionary<long, int>>();
            byte[] body = formatter.Write(keys.Take(Count / 2).ToDictionary(key => key, _ => 1)), usual = formatter.Write(keys.Take(Count / 2).ToDictionary(key => key & 0xFFFF, _ => 1));
            return () => Measured.NotSlower(body.Length, () => formatter.Read(usual), () => formatter.Read(body));
        });
        yield return ("keys: legacy binary reads a Hashtable of one hash", () =>
        {
            var formatter = new LegacyBinaryFormatter<System.Collections.Hashtable>();
            byte[] body = formatter.Write(new System.Collections.Hashtable(keys.Take(Count / 8).ToDictionary(key => (object)key, _ => (object)1)));
            byte[] usual = formatter.Write(new System.Collections.Hashtable(keys.Take(Count / 8).ToDictionary(key => (object)(key & 0xFFFF), _ => (object)1)));
            return () => Measured.NotSlower(body.Length, () => formatter.Read(usual), () => formatter.Read(body));
        });
    }

    private static IEnumerable<(string, Func<Action>)> Text()
    {
        foreach ((string name, string text) in new[]
        {
            ("a number that is a text", "{\"Number\":\"s3cr3t\"}"),
            ("a text that does not end", "{\"Text\":\"s3cr3t"),
            ("a word", "{\"Number\": s3cr3t}"),
            ("a key", "{\"Text\":\"\", \"s3cr3t\": s3cr3t}"),
            ("a date", "{\"Time\":\"s3cr3t\"}"),
            ("an enum", "{\"Colour\":\"s3cr3t\"}"),
            ("bytes", "{\"Bytes\":\"s3cr3t!\"}"),
            ("a name twice", "{\"Text\":\"\", \"Text\":\"s3cr3t\", \"s3cr3t\":1, \"s3cr3t\":2}"),
        })
        {
            yield return ($"text: json, {name}", () =>
            {
                byte[] body = Encoding.UTF8.GetBytes(text);
                var formatters = new[] { new JsonFormatter<Parcel>(), new JsonFormatter<Parcel>(JsonContext.Default.Parcel) };
                return () => Array.ForEach(formatters, formatter => Measured.Typed(() => formatter.Read(body)));
            });
        }

        foreach ((string name, string text) in new[]
        {
            ("a key of a dictionary", "{\"ByLong\":{\"s3cr3t\":\"\"}}"),
            ("behind a key", "{\"ByText\":{\"s3cr3t\":\"x\"}}"),
            ("a tag of a union", "{\"Shapes\":[{\"$type\":\"s3cr3t\"}]}"),
            ("a GUID", "{\"ByGuid\":{\"s3cr3t\":null}}"),
        })
        {
            yield return ($"text: json, {name}", () =>
            {
                byte[] body = Encoding.UTF8.GetBytes(text);
                var formatters = new[] { new JsonFormatter<Table>(), new JsonFormatter<Table>(JsonContext.Default.Table) };
                return () => Array.ForEach(formatters, formatter => Measured.Refused(() => formatter.Read(body)));
            });
        }

        foreach ((string name, string text) in new[]
        {
            ("a number", "<Parcel><Number>s3cr3t</Number></Parcel>"),
            ("a date", "<Parcel><Time>s3cr3t</Time></Parcel>"),
            ("a date that is nearly one", "<Parcel><Time>2078-05-14T18:24:s3cr3tZ</Time></Parcel>"),
            ("a GUID", "<Parcel><Id>s3cr3t</Id></Parcel>"),
            ("a decimal", "<Parcel><Amount>s3cr3t</Amount></Parcel>"),
            ("a real", "<Parcel><Real>s3cr3t</Real></Parcel>"),
            ("a flag", "<Parcel><Flag>s3cr3t</Flag></Parcel>"),
            ("an enum", "<Parcel><Colour>s3cr3t</Colour></Parcel>"),
            ("bytes", "<Parcel><Bytes>s3cr3t!</Bytes></Parcel>"),
            ("a tag", "<Parcel><s3cr3t></Number></Parcel>"),
            ("an entity", "<Parcel><Text>&s3cr3t;</Text></Parcel>"),
            ("a prefix", "<Parcel><s3cr3t:Text/></Parcel>"),
            ("an attribute twice", "<Parcel s3cr3t='1' s3cr3t='2'/>"),
            ("a root", "<s3cr3t/>"),
            ("a type", "<Parcel xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><Inner xsi:type='s3cr3t'/></Parcel>"),
            ("a character", "<Parcel><Sign>s3cr3t</Sign></Parcel>"),
        })
        {
            yield return ($"text: xml, {name}", () =>
            {
                byte[] body = Encoding.UTF8.GetBytes(text), wide = Encoding.Unicode.GetBytes(text);
                var formatters = new[] { new XmlFormatter<Parcel>(ByReflection.Xml), new XmlFormatter<Parcel>(Parcel.MessageContract) };
                return () => Array.ForEach(formatters, formatter =>
                {
                    foreach (byte[] one in new[] { body, wide })
                    {
                        // A library's exception has what it could not read in its text. By its source it cannot be told for sure: what throws may be inlined in a caller.
                        if (Measured.Typed(() => formatter.Read(one))?.InnerException is { } inner)
                            throw new BrokenPromiseException("There is an inner exception: " + inner.GetType());
                    }

                    Measured.Typed(() => MessageInspector.Xml.Inspect(body, TextWriter.Null));
                });
            });
        }
    }

    private static IEnumerable<(string, Func<Action>)> Sizes()
    {
        foreach ((string name, string text) in new[]
        {
            ("brackets", new string('[', 200) + new string(']', 200)),
            ("numbers", "[" + string.Join(',', Enumerable.Repeat("1E-400", 57)) + "]"),
            ("names", "{" + string.Join(',', Enumerable.Range(0, 57).Select(i => $"\"{i}\":1")) + "}"),
            ("objects", string.Concat(Enumerable.Repeat("{\"a\":", 66)) + "1" + new string('}', 66)),
            ("texts", "[" + string.Join(',', Enumerable.Repeat("\"\"", 130)) + "]"),
            ("exponents", "[1E+99999999,1E-99999999,1E2147483647,1E-2147483648,9.9E+2147483647]"),
            ("long numbers", "[" + new string('9', 398) + "]"),
            ("many names", "{" + string.Join(',', Enumerable.Range(0, 20_000).Select(i => $"\"{i}\":1")) + "}"),
        })
        {
            yield return ($"size: canonical json, {name}", () =>
            {
                var formatter = new JsonFormatter<JsonElement>(new JsonOptions { Limits = Unlimited with { MaxDepth = 1000 }, IsCanonical = true });
                JsonElement element = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 1000 }).RootElement;
                return () => Measured.Within(text.Length, () => formatter.Write(element));
            });
        }

        yield return ("size: xml with a thousand names in each of many levels", () =>
        {
            string attributes = string.Concat(Enumerable.Range(0, 990).Select(i => $" xmlns:n{i}='u{i}'"));
            byte[] body = Encoding.UTF8.GetBytes("<Parcel>" + string.Concat(Enumerable.Repeat($"<Inner{attributes}>", 40)) + string.Concat(Enumerable.Repeat("</Inner>", 40)) + "</Parcel>");
            var formatters = new[] { new XmlFormatter<Parcel>(ByReflection.Xml), new XmlFormatter<Parcel>(Parcel.MessageContract) };
            return () => Array.ForEach(formatters, formatter => Measured.Within(body.Length, () => formatter.Read(body)));
        });
        yield return ("size: xml with many unknown elements and attributes", () =>
        {
            byte[] body = Encoding.UTF8.GetBytes("<Parcel>" + string.Concat(Enumerable.Range(0, 20_000).Select(i => $"<u{i} a{i}='1'/>")) + "</Parcel>");
            var formatters = new[] { new XmlFormatter<Parcel>(ByReflection.Xml), new XmlFormatter<Parcel>(Parcel.MessageContract) };
            return () => Array.ForEach(formatters, formatter => Measured.Within(body.Length, () => formatter.Read(body)));
        });
        yield return ("size: json with many unknown names", () =>
        {
            byte[] body = Encoding.UTF8.GetBytes("{" + string.Join(',', Enumerable.Range(0, 50_000).Select(i => $"\"u{i}\":1")) + "}");
            var formatters = new[] { new JsonFormatter<Parcel>(), new JsonFormatter<Parcel>(JsonContext.Default.Parcel) };
            return () => Array.ForEach(formatters, formatter => Measured.Within(body.Length, () => formatter.Read(body)));
        });
        yield return ("size: messagepack with many unknown names", () =>
        {
            byte[] body = new MessagePackFormatter<Dictionary<string, int>>().Write(Enumerable.Range(0, 50_000).ToDictionary(i => $"u{i}", i => i));
            var formatters = new[] { new MessagePackFormatter<Parcel>(Parcel.MessageContract), new MessagePackFormatter<Parcel>(ByReflection.MessagePack) };
            return () => Array.ForEach(formatters, formatter => Measured.Within(body.Length, () => formatter.Read(body)));
        });
        yield return ("size: cbor with many unknown names", () =>
        {
            byte[] body = new CborFormatter<Dictionary<string, int>>().Write(Enumerable.Range(0, 50_000).ToDictionary(i => $"u{i}", i => i));
            var formatters = new[] { new CborFormatter<Parcel>(Parcel.MessageContract), new CborFormatter<Parcel>(ByReflection.Cbor) };
            return () => Array.ForEach(formatters, formatter => Measured.Within(body.Length, () => formatter.Read(body)));
        });
        yield return ("size: protobuf with many unknown fields", () =>
        {
            byte[] body = Towers.ProtobufFields(100_000);
            var formatters = new[] { new ProtobufFormatter<Parcel>(Parcel.MessageContract), new ProtobufFormatter<Parcel>(ByReflection.Protobuf) };
            return () => Array.ForEach(formatters, formatter => Measured.Within(body.Length, () => formatter.Read(body)));
        });
    }

    private static byte[] DeepJson(string begin, string middle, string end, int count) =>
        Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(begin, count)) + middle + string.Concat(Enumerable.Repeat(end, count)));

    /// <summary>Calls as deep as the runtime itself would let anybody go who asks.</summary>
    private static void AtTheEndOfTheStack(Action action)
    {
        if (System.Runtime.CompilerServices.RuntimeHelpers.TryEnsureSufficientExecutionStack())
            AtTheEndOfTheStack(action);
        else
            action();
    }

    private static byte[] NestedArrays(int count)
    {
        using var body = new MemoryStream();
        using var writer = new BinaryWriter(body);
        writer.Write((byte)0);
        writer.Write(1);
        writer.Write(-1);
        writer.Write(1);
        writer.Write(0);
        for (int i = 1; i <= count; i++)
        {
            writer.Write((byte)16);
            writer.Write(i);
            writer.Write(1);
        }

        writer.Write((byte)10);
        writer.Write((byte)11);
        return body.ToArray();
    }
}
