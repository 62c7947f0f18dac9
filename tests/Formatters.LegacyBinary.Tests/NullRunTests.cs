using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Arrays of nulls: the end of a list with capacity to spare is one of them.</summary>
public class NullRunTests
{
    /// <summary>The references that the arrays of any body may hold, however short it is: 2 MiB.</summary>
    private static readonly int FreeReferences = 2 * 1024 * 1024 / IntPtr.Size;

    public static TheoryData<string> Names => new(Values.Keys);

    private static Dictionary<string, object> Values { get; } = new()
    {
        ["a list of strings"] = new List<string>(10_000),
        ["a list of strings with one"] = new List<string>(10_000) { "x" },
        ["an array of strings"] = new string[10_000],
        ["an array of objects"] = new object[10_000],
        ["an array of nullables"] = new decimal?[10_000],
        ["an array list"] = new ArrayList(10_000) { 1 },
        ["a queue"] = new Queue<string>(10_000),
        ["a stack"] = new Stack<string>(10_000),
        ["a jagged array"] = new int[10_000][],
        ["many lists"] = Enumerable.Range(0, 20).Select(static _ => new List<string>(10_000)).ToArray(),
        ["runs of every width"] = new[] { 1, 2, 255, 256, 257, 65_536 }.SelectMany(static count => Enumerable.Repeat<string?>(null, count).Append("x")).ToArray(),
        ["a quarter of a million strings"] = new string[250_000],
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void Nulls_AreReadUnderTheDefaultLimits(string name)
    {
        object value = Values[name];
        var formatter = new LegacyBinaryFormatter<object>(LegacyBinaryOptions.Default.WithType(value.GetType()));
        byte[] body = Peer.Write(value);

        object read = formatter.Read(body);

        Assert.IsType(value.GetType(), read);
        Bodies.AssertEqual(body, formatter.Write(read), name);
    }

    [Fact]
    public void AsManyElementsAsAllowed_AreWrittenAndRead()
    {
        var formatter = new LegacyBinaryFormatter<object>(LegacyBinaryOptions.Default with { Limits = FormatterLimits.Default with { MaxElementCount = 300 } });

        Assert.Equal(300, Assert.IsType<string[]>(formatter.Read(formatter.Write(new string[300]))).Length);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new string[301])).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Peer.Write(new string[301]))).Code);
    }

    [Fact]
    public void TheAllowance_IsForTheWholeBody_AndForEveryBodyAnew()
    {
        var formatter = new LegacyBinaryFormatter<object>();
        byte[] all = formatter.Write(new object[] { new string[FreeReferences / 2], new string[FreeReferences / 2] });
        byte[] more = formatter.Write(new object[] { new string[FreeReferences / 2], new string[FreeReferences / 2], new string[20_000] });

        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(2, Assert.IsType<object[]>(formatter.Read(all)).Length);
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(more)).Code);
        }
    }

    [Fact]
    public void AShortBody_TakesNoMoreThanTheAllowance()
    {
        var formatter = new LegacyBinaryFormatter<object>();
        byte[] most = formatter.Write(new string[FreeReferences]);
        byte[] tooMany = formatter.Write(new string[FreeReferences + 20_000]);
        Assert.InRange(tooMany.Length, 1, 40);
        formatter.Read(most);

        long before = GC.GetAllocatedBytesForCurrentThread();
        formatter.Read(most);
        Assert.Throws<MessageFormatException>(() => formatter.Read(tooMany));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, (2 * 1024 * 1024) + (256 * 1024));
    }
}
