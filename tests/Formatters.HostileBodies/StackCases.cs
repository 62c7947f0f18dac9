using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization.Metadata;
using Formatters.Contracts.Tests;

namespace Formatters.HostileBodies;

/// <summary>Records whose readers and writers have large stack frames, nested up to the default limit, on stacks down to 128 KiB.</summary>
internal static class StackCases
{
    internal const ContractFormats Generated = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf | ContractFormats.Xml;

    private static readonly int[] StackKibibytes = [128, 256, 1024];

    internal static IEnumerable<(string, Func<Action>)> Create() =>
        Of(Wide2.MessageContract, "2 members", (next, name) => new Wide2 { Next = next, Name = name })
            .Concat(Of(Wide60.MessageContract, "60 members", (next, name) => new Wide60 { Next = next, Name = name }))
            .Concat(Of(Wide120.MessageContract, "120 members", (next, name) => new Wide120 { Next = next, Name = name }))
            .Concat(Of(Wide240.MessageContract, "240 members", (next, name) => new Wide240 { Next = next, Name = name }))
            .Concat(Of(Wide500.MessageContract, "500 members", (next, name) => new Wide500 { Next = next, Name = name }))
            .Concat(Of(Blocks.MessageContract, "18 structures of 1 KiB", (next, name) => new Blocks { Next = next, Name = name }))
            .Concat(Of(Hull.MessageContract, "a structure of 4 KiB", (next, name) => new Hull { Cargo = new Cargo { Next = next }, Name = name }, levelCount: 30));

    private static IEnumerable<(string, Func<Action>)> Of<T>(MessageContract<T> contract, string size, Func<T?, string, T> create, int levelCount = 60)
        where T : class
    {
        IEnumerable<(string Name, Func<MessageFormatter<T>> Create)> rows = AllFormats.Rows<T>().Concat(
        [
            ("xml, by XmlSerializer", () => new XmlFormatter<T>(ByReflection.Xml)),
            ("json", () => new JsonFormatter<T>()),
            ("json, canonical", () => new JsonFormatter<T>(new JsonOptions { IsCanonical = true })),
            ("legacy binary", () => new LegacyBinaryFormatter<T>()),
        ]);
        foreach ((string name, Func<MessageFormatter<T>> row) in rows)
        {
            foreach (int kibibytes in StackKibibytes)
            {
                yield return ($"stack: {name}, {size}, {kibibytes} KiB", () =>
                {
                    MessageFormatter<T> formatter = row();
                    T chain = Chain(create, levelCount, "x"), bad = Chain(create, levelCount, null!);
                    byte[] body = Measured.OnLargeStack(() => row().Write(chain));
                    byte[] damaged = [.. body];
                    damaged[body.Length / 2] ^= 0x55;
                    return () => Measured.OnStack(kibibytes * 1024, () =>
                    {
                        Try("read", () => formatter.Read(body));
                        Try("overwrite", () => formatter.Read(body, ref chain));
                        Try("explain", () => formatter.Read(body.AsSpan(0, body.Length - 1)));
                        Try("explain half", () => formatter.Read(body.AsSpan(0, body.Length / 2)));
                        Try("explain damaged", () => formatter.Read(damaged));
                        Try("write", () => formatter.Write(chain));
                        Try("explain writing", () => formatter.Write(bad));
                    });
                });
            }
        }
    }

    private static T Chain<T>(Func<T?, string, T> create, int levelCount, string innermost)
        where T : class
    {
        T value = create(null, innermost);
        for (int i = 1; i < levelCount; i++)
            value = create(value, "x");
        return value;
    }

    private static void Try(string name, Action action)
    {
        if (Measured.IsVerbose)
            Console.Write("  " + name);
        Exception? error = Measured.Typed(action);
        if (Measured.IsVerbose)
            Console.WriteLine(": " + ((error as MessageFormatException)?.Code.ToString() ?? "ok"));
    }
}
