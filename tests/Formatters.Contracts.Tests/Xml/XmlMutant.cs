using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using Formatters.Tests.Support;

namespace Formatters.Contracts.Tests.Xml;

/// <summary>Changed bodies: bytes, or what XML allows to be written otherwise, or elements and attributes that are new, gone, or in another place.</summary>
internal static class XmlMutant
{
    private static readonly string[] Insertions =
    [
        "<!-- c -->", "<?p i?>", "<![CDATA[1]]>", "<Unknown a='1'><b/>text</Unknown>", " ", "\r\n", "text", "&#49;", "&amp;", "&#x1;", "&unknown;", "<x:y xmlns:x='urn:x'/>", "\u00FC", "<", ">", "&", "]]>", "\0",
    ];

    private static readonly string[] Attributes =
    [
        " a=\"1\"", " xsi:nil=\"true\"", " xsi:nil=\"false\"", " xsi:nil='1'", " xsi:nil=\"maybe\"", " xsi:type=\"Unknown\"", " xsi:type=\"XmlCircle\"", " xsi:type=\"sq\"", " xsi:type=\"xsd:int\"", " xmlns=\"urn:other\"", " xmlns:q='urn:q' q:a='1'", " Id=\"x\"", " Id='&lt;'", " r=\"5\"",
        " number=\"7\"", " xml:space=\"preserve\"", " a=\"1\" a=\"2\"",
    ];

    internal static byte[] Of(byte[] good, Random random)
    {
        if (random.Next(3) == 0)
            return Mutant.Of(good, random);
        string text = Encoding.UTF8.GetString(good);
        for (int n = random.Next(1, 3); n > 0; n--)
        {
            string changed = Change(text, random);
            // Where XmlSerializer reads the next element as the one that is null, or nothing behind the end of base64: docs/wire/xml.md, "Generated contracts".
            if (!Regex.IsMatch(changed, "<[^<>]*xsi:nil=.(true|1)[^<>]*xsi:type=|<[^<>]*xsi:type=[^<>]*xsi:nil=.(true|1)|[A-Za-z0-9+/]=+<!\\[CDATA"))
                text = changed;
        }

        return random.Next(20) == 0 ? [0xFF, 0xFE, .. Encoding.Unicode.GetBytes(text.Replace("utf-8", "utf-16", StringComparison.Ordinal))] : Encoding.UTF8.GetBytes(text);
    }

    private static string Change(string text, Random random)
    {
        switch (random.Next(9))
        {
            case 0:
                int at = random.Next(text.Length + 1);
                return text.Insert(at, Insertions[random.Next(Insertions.Length)]);
            case 1: // at the beginning or end of a tag, where content may stand
                MatchCollection brackets = Regex.Matches(text, "<|>");
                Match bracket = brackets[random.Next(brackets.Count)];
                return text.Insert(bracket.Value == "<" ? bracket.Index : bracket.Index + 1, Insertions[random.Next(Insertions.Length)]);
            case 2:
                return AtName(text, random, static (t, m, r) => t.Insert(m.Index + m.Length, Attributes[r.Next(Attributes.Length)]));
            case 3: // without an element
                return AtElement(text, random, static (t, m, r) => t.Remove(m.Index, m.Length));
            case 4: // an element twice, elsewhere perhaps
                return AtElement(text, random, static (t, m, r) => t.Insert(r.Next(2) == 0 ? m.Index : EndOfTag(t, r), m.Value));
            case 5: // a prefix for a namespace
                return AtElement(text, random, static (t, m, r) => t.Remove(m.Index, m.Length).Insert(m.Index, Regex.Replace(m.Value, "^<([^ />]+)(.*)</\\1>$", "<p:$1 xmlns:p='urn:example:invoices'$2</p:$1>", RegexOptions.Singleline)));
            case 6: // another content
                return AtElement(text, random, static (t, m, r) => t.Remove(m.Index, m.Length).Insert(m.Index, Regex.Replace(m.Value, ">[^<>]*</", ">" + Insertions[r.Next(Insertions.Length)] + "</")));
            case 7:
                return AtElement(text, random, static (t, m, r) => t.Remove(m.Index, m.Length).Insert(m.Index, Regex.Replace(m.Value, "^<([^ />]+).*$", r.Next(2) == 0 ? "<$1/>" : "<$1></$1>", RegexOptions.Singleline)));
            default: // an empty tag written otherwise, other quotes
                return random.Next(2) == 0 ? text.Replace(" />", "/>", StringComparison.Ordinal) : text.Replace('"', '\'');
        }
    }

    private static int EndOfTag(string text, Random random)
    {
        MatchCollection ends = Regex.Matches(text, ">");
        return ends[random.Next(ends.Count)].Index + 1;
    }

    private static string AtName(string text, Random random, Func<string, Match, Random, string> change) => At(text, "<[A-Za-z][^ />]*", random, change);

    private static string AtElement(string text, Random random, Func<string, Match, Random, string> change) =>
        At(text, "<([A-Za-z][^ />]*)[^<>]*/>|<([A-Za-z][^ />]*)[^<>]*>[^<>]*</\\2>", random, change);

    private static string At(string text, string pattern, Random random, Func<string, Match, Random, string> change)
    {
        Match[] matches = [.. Regex.Matches(text, pattern).Cast<Match>()];
        return matches.Length == 0 ? text : change(text, matches[random.Next(matches.Length)], random);
    }
}
