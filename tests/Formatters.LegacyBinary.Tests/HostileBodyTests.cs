using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using Formatters.Tests.Support;
using Golden;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Bodies that nobody wrote in good faith: one typed error, no more memory than allowed, no stack that ends.</summary>
public class HostileBodyTests(ITestOutputHelper output)
{
    private static readonly LegacyBinaryFormatter<object> Formatter = new(
        options: GoldenTests.Options.WithType(typeof(Graph)).WithType(typeof(Dictionary<string, bool>)).WithType(typeof(Dictionary<int, int>)).WithType(typeof(int?[])));

    public static TheoryData<string> Bodies => GoldenBody.Files("bin-");

    [Theory]
    [MemberData(nameof(Bodies))]
    public void EveryPrefix_IsTruncated(string file)
    {
        byte[] body = GoldenBody.Get(file).Bytes;
        for (int length = 0; length < body.Length; length++)
        {
            byte[] prefix = body[..length];
            var error = Assert.Throws<MessageFormatException>(() => Formatter.Read(prefix));
            Assert.Equal((length, MessageFormatErrorCode.Truncated, (long)length), (length, error.Code, error.ByteOffset));
        }
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void AByteMore_IsRefused(string file)
    {
        byte[] body = [.. GoldenBody.Get(file).Bytes, 0];

        var error = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));

        Assert.Equal((MessageFormatErrorCode.TrailingBytes, body.Length - 1L), (error.Code, error.ByteOffset));
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Damage_GivesTheTypedErrorWithinTheMemoryLimit(string file) =>
        Mutation.Run(output, seed: 768, count: 3000, GoldenBody.Get(file).Bytes, ReadWithinMemoryLimit);

    [Fact]
    public void DamagedGraphs_GiveTheTypedErrorWithinTheMemoryLimit()
    {
        var writer = new LegacyBinaryFormatter<Graph>(RandomGraphs.Options);
        for (int seed = 1; seed <= 40; seed++)
            Mutation.Run(output, seed, count: 1000, writer.Write(new RandomGraphs(seed).Next()), ReadWithinMemoryLimit);
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void EveryByteChanged_GivesTheTypedErrorOrAValue(string file)
    {
        byte[] body = [.. GoldenBody.Get(file).Bytes];
        for (int i = 0; i < Math.Min(body.Length, 1000); i++)
        {
            byte original = body[i];
            foreach (byte value in new byte[] { 0, 1, 0x7F, 0x80, 0xFF, (byte)(original + 1), (byte)(original - 1), (byte)(original ^ 8) })
            {
                body[i] = value;
                try
                {
                    ReadWithinMemoryLimit(body);
                }
                catch (MessageFormatException e)
                {
                    Assert.NotEqual(MessageFormatErrorCode.None, e.Code);
                }
            }

            body[i] = original;
        }
    }

    [Fact]
    public void RandomRecords_GiveTheTypedError()
    {
        var random = new Random(20041120);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] tail = new byte[random.Next(80)];
            for (int k = 0; k < tail.Length; k++)
                tail[k] = (byte)(random.Next(3) == 0 ? random.Next(256) : random.Next(18));
            byte[] body = [.. Body.Header(1), .. tail];
            try
            {
                ReadWithinMemoryLimit(body);
            }
            catch (MessageFormatException e)
            {
                Assert.NotEqual(MessageFormatErrorCode.None, e.Code);
            }
        }
    }

    public static TheoryData<string, byte[], MessageFormatErrorCode> Records => new()
    {
        { "no header", [11], MessageFormatErrorCode.Malformed },
        { "no records", new Body().End(), MessageFormatErrorCode.Malformed },
        { "another version", [0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 11], MessageFormatErrorCode.Malformed },
        { "another minor version", [0, 1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 1, 0, 0, 0, 6, 1, 0, 0, 0, 1, 120, 11], MessageFormatErrorCode.Malformed },
        { "a record that does not exist", new Body().Add(18).End(), MessageFormatErrorCode.Malformed },
        { "a method call", new Body().Add(21).Int(0).End(), MessageFormatErrorCode.Malformed },
        { "a null at the top", new Body().Add(10).End(), MessageFormatErrorCode.Malformed },
        { "a run of nulls outside of an array", new Body().Objects(1, 1).Add(14).Int(1).Add(6).Int(2).Text("x").Add(14).Int(1).End(), MessageFormatErrorCode.Malformed },
        { "two objects of one id", new Body().Add(6).Int(1).Text("a").Add(6).Int(1).Text("b").End(), MessageFormatErrorCode.Malformed },
        { "two libraries of one id", new Body().Add(12).Int(1).Text("a").Add(12).Int(1).Text("b").End(), MessageFormatErrorCode.Malformed },
        { "a reference to nothing", new Body().Objects(1, 1).Add(9).Int(7).End(), MessageFormatErrorCode.Malformed },
        { "a reference to 0", new Body().Objects(1, 1).Add(9).Int(0).End(), MessageFormatErrorCode.Malformed },
        { "a class by an id that no class has", new Body().Add(1).Int(1).Int(5).End(), MessageFormatErrorCode.Malformed },
        { "a library that is not there", new Body().Add(5).Int(1).Text("A").Int(0).Int(9).End(), MessageFormatErrorCode.Malformed },
        { "a run of no nulls", new Body().Objects(1, 1).Add(14).Int(0).End(), MessageFormatErrorCode.BadLength },
        { "a negative run", new Body().Objects(1, 1).Add(14).Int(-1).End(), MessageFormatErrorCode.BadLength },
        { "a run longer than the array", new Body().Objects(1, 1).Add(13).Add(2).End(), MessageFormatErrorCode.BadLength },
        { "a negative length", new Body().Objects(1, -1).End(), MessageFormatErrorCode.BadLength },
        { "an array of gigabytes", new Body().Objects(1, int.MaxValue).Add(14).Int(int.MaxValue).End(), MessageFormatErrorCode.LimitExceeded },
        { "arrays that add up", Repeat(30, i => new Body(false).Objects(i + 1, 20_000).Add(14).Int(20_000)), MessageFormatErrorCode.LimitExceeded },
        { "integers that are not there", new Body().Add(15).Int(1).Int(int.MaxValue).Add(8).End(), MessageFormatErrorCode.Truncated },
        { "members that are not there", new Body().Add(4).Int(1).Text("A").Int(int.MaxValue).End(), MessageFormatErrorCode.Truncated },
        { "a negative number of members", new Body().Add(4).Int(1).Text("A").Int(-1).End(), MessageFormatErrorCode.BadLength },
        { "an array of rank 33", new Body().Add(7).Int(1).Add(2).Int(33).End(), MessageFormatErrorCode.BadLength },
        { "an array of rank 0", new Body().Add(7).Int(1).Add(2).Int(0).End(), MessageFormatErrorCode.BadLength },
        { "a vector of rank 2", new Body().Add(7).Int(1).Add(0).Int(2).End(), MessageFormatErrorCode.BadLength },
        { "dimensions that multiply", new Body().Add(7).Int(1).Add(2).Int(2).Int(1 << 20).Int(1 << 20).Add(2).End(), MessageFormatErrorCode.LimitExceeded },
        { "dimensions beyond the runtime's", new Body().Add(7).Int(1).Add(2).Int(3).Int(0).Int(int.MaxValue).Int(int.MaxValue).Add(2).End(), MessageFormatErrorCode.BadValue },
        { "a bound beyond 31 bits", new Body().Add(7).Int(1).Add(3).Int(1).Int(2).Int(int.MaxValue).Add(2).End(), MessageFormatErrorCode.BadLength },
        { "a class that nobody declared", new Body().Add(12).Int(2).Text("Evil").Add(5).Int(1).Text("Evil.Gadget").Int(0).Int(2).End(), MessageFormatErrorCode.TypeNotAllowed },
        { "an undeclared class without types", new Body().Add(2).Int(1).Text("Evil.Gadget").Int(1).Text("x").Int(1).End(), MessageFormatErrorCode.Malformed },
        { "a member that does not exist twice", new Body().Add(4).Int(1).Text("System.Int32").Int(2).Text("m_value").Text("m_value").Add(0).Add(0).Add(8).Add(8).Int(1).Int(2).End(), MessageFormatErrorCode.DuplicateKey },
        { "a primitive type that does not exist", new Body().Objects(1, 1).Add(8).Add(4).End(), MessageFormatErrorCode.Malformed },
        { "a member of no type", new Body().Add(4).Int(1).Text("System.Int32").Int(1).Text("m_value").Add(8).End(), MessageFormatErrorCode.Malformed },
        { "a date out of range", new Body().Add(15).Int(1).Int(1).Add(13).Int(-1).Int(0x3FFFFFFF).End(), MessageFormatErrorCode.BadValue },
        { "a decimal that is none", new Body().Add(15).Int(1).Int(1).Add(5).Text("1e5").End(), MessageFormatErrorCode.BadValue },
        { "a bool that is none", new Body().Add(15).Int(1).Int(1).Add(1).Add(2).End(), MessageFormatErrorCode.BadValue },
        { "text that is no UTF-8", new Body().Add(6).Int(1).Add(1).Add(0xFF).End(), MessageFormatErrorCode.BadText },
        { "characters that are no UTF-8", new Body().Add(15).Int(1).Int(1).Add(3).Add(0xED).Add(0xA0).Add(0x80).End(), MessageFormatErrorCode.BadText },
        { "a list with more items than its array", List(count: 3, items: new Body(false).Objects(2, 2).Add(13).Add(2)), MessageFormatErrorCode.Malformed },
        { "a list with a negative count", List(count: -1, items: new Body(false).Objects(2, 2).Add(13).Add(2)), MessageFormatErrorCode.Malformed },
        { "a list over strings", List(count: 0, items: new Body(false).Add(17).Int(2).Int(2).Add(13).Add(2)), MessageFormatErrorCode.Malformed },
    };

    [Theory]
    [MemberData(nameof(Records))]
    public void Records_ThatBreakARule_AreRefused(string what, byte[] body, MessageFormatErrorCode code)
    {
        var error = Assert.Throws<MessageFormatException>(() => ReadWithinMemoryLimit(body));

        Assert.Equal((what, code), (what, error.Code));
        Assert.InRange(error.ByteOffset, 0, body.Length);
    }

    [Theory]
    [InlineData(9)]
    [InlineData(13)]
    public void AnotherVersion_IsKnownNowhere(int offset)
    {
        byte[] body = new Body().Add(6).Int(1).Text("x").End();
        var registry = new FormatterRegistry(Formatter);
        Assert.True(registry.CanRead(new MessageBody(body)));
        Assert.Equal(MessageInspector.LegacyBinary, MessageInspector.Detect(new MessageBody(body)));
        body[offset]++;

        var error = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.Malformed, 9L), (error.Code, error.ByteOffset));
        error = Assert.Throws<MessageFormatException>(() => MessageInspector.LegacyBinary.Inspect(body, System.IO.TextWriter.Null));
        Assert.Equal((MessageFormatErrorCode.Malformed, 9L), (error.Code, error.ByteOffset));
        Assert.False(registry.CanRead(new MessageBody(body)));
        Assert.NotEqual(MessageInspector.LegacyBinary, MessageInspector.Detect(new MessageBody(body)));
    }

    [Fact]
    public void RecordsInsideEachOther_EndAtTheDepthLimit()
    {
        byte[] Nested(int depth)
        {
            var body = new Body();
            for (int i = 1; i <= depth; i++)
                body.Objects(i, 1);
            return body.Add(10).End();
        }

        Assert.IsType<object[]>(Formatter.Read(Nested(64)));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => Formatter.Read(Nested(65))).Code);

        // However many are allowed, the stack is not left to end.
        var deep = new LegacyBinaryFormatter<object>(new LegacyBinaryOptions { Limits = FormatterLimits.Default with { MaxDepth = int.MaxValue } });
        MessageFormatErrorCode code = default;
        var thread = new Thread(() => code = Assert.Throws<MessageFormatException>(() => deep.Read(Nested(1_000_000))).Code, maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, code);
    }

    [Fact]
    public void AChainOfReferences_TakesNoStack()
    {
        const int Length = 200_000;
        var first = new Node { Name = "0" };
        Node last = first;
        for (int i = 1; i < Length; i++)
            last = last.Next = new Node { Name = "x" };
        Node? read = null;
        var thread = new Thread(
            () => read = (Node)Formatter.Read(new LegacyBinaryFormatter<Node>(GoldenTests.Options).Write(first)), maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();

        int count = 0;
        for (; read is not null; read = read.Next)
            count++;
        Assert.Equal(Length, count);
    }

    [Fact]
    public void AStructThatRefersToItself_IsRefused()
    {
        // Holder.Point by reference: a value is in its place.
        var body = new Body().Add(12).Int(2).Text(typeof(Holder).Assembly.FullName!)
            .Add(5).Int(1).Text(typeof(Holder).FullName!).Int(1).Text("Point").Add(4).Text(typeof(Point).FullName!).Int(2).Int(2).Add(9).Int(1).End();
        var formatter = new LegacyBinaryFormatter<Holder>();

        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
    }

    [Fact]
    public void KeysThatCollide_CostNoMoreThanOthers()
    {
        // 20,000 keys of the form (k << 32) | k, which the default comparer of long all hashes to 0, took half a second (quadratic).
        var map = new Dictionary<long, int>(new AnyComparer());
        for (long k = 0; k < 50_000; k++)
            map.Add((k << 32) | k, 0);
        var formatter = new LegacyBinaryFormatter<KeyValuePair<long, int>[]>();
        KeyValuePair<long, int>[] pairs = [.. map];
        byte[] array = formatter.Write(pairs);
        Dictionary<long, int> read = ReadPairs(array);

        Assert.Equal(map.Count, read.Count);
        Assert.NotSame(EqualityComparer<long>.Default, read.Comparer);
        Assert.True(read.Keys.Take(1000).Select(read.Comparer.GetHashCode).Distinct().Count() > 990);
    }

    [Fact]
    public void ManyDictionariesOfOneArray_AreChargedEach()
    {
        var formatter = new LegacyBinaryFormatter<object>(LegacyBinaryOptions.Default.WithType(typeof(Dictionary<int, int>)));
        // A thousand dictionaries of a thousand items each, all in one array of pairs.
        var body = new Body();
        body.Objects(1, 1000);
        for (int i = 0; i < 1000; i++)
            body.Add(9).Int(10 + i);
        string argument = "[[System.Int32, mscorlib],[System.Int32, mscorlib]]";
        for (int i = 0; i < 1000; i++)
        {
            if (i == 0)
            {
                body.Add(4).Int(10).Text("System.Collections.Generic.Dictionary`2" + argument).Int(4)
                    .Text("Version").Text("Comparer").Text("HashSize").Text("KeyValuePairs").Add(0).Add(2).Add(0).Add(2).Add(8).Add(8);
            }
            else
            {
                body.Add(1).Int(10 + i).Int(10);
            }

            body.Int(0).Add(9).Int(5).Int(1000).Add(9).Int(6);
        }

        body.Add(4).Int(5).Text("System.Collections.Generic.GenericEqualityComparer`1[[System.Int32, mscorlib]]").Int(0);
        body.Add(7).Int(6).Add(0).Int(1).Int(1000).Add(3).Text("System.Collections.Generic.KeyValuePair`2" + argument);
        for (int i = 0; i < 1000; i++)
        {
            if (i == 0)
                body.Add(4).Int(-1).Text("System.Collections.Generic.KeyValuePair`2" + argument).Int(2).Text("key").Text("value").Add(0).Add(0).Add(8).Add(8);
            else
                body.Add(1).Int(-1 - i).Int(-1);
            body.Int(i).Int(i);
        }

        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(body.End()));

        Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);
    }

    [Fact]
    public void ADuplicateKey_IsRefused()
    {
        var formatter = new LegacyBinaryFormatter<Dictionary<string, bool>>();
        byte[] body = formatter.Write(new Dictionary<string, bool> { ["1"] = true, ["2"] = false });
        int second = body.AsSpan().LastIndexOf("2"u8);
        body[second] = (byte)'1';

        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));

        Assert.Equal(MessageFormatErrorCode.DuplicateKey, error.Code);
        Assert.True(error.IsPoison);
    }

    [Fact]
    public void ErrorsNameTheMember()
    {
        byte[] body = GoldenBody.Get("bin-order-1.bin").Bytes.ToArray();
        int at = body.AsSpan().IndexOf("Bahnhofstra"u8);
        body[at] = 0xFF;

        var error = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));

        Assert.Equal((MessageFormatErrorCode.BadText, (long)at, "Address.Street"), (error.Code, error.ByteOffset, error.MemberPath));
    }

    /// <summary>A dictionary's body around an array of pairs.</summary>
    private static Dictionary<long, int> ReadPairs(byte[] array)
    {
        var formatter = new LegacyBinaryFormatter<Dictionary<long, int>>();
        var small = new Dictionary<long, int> { [1] = 1 };
        byte[] body = formatter.Write(small);
        // The array is the last object of both bodies, and the same but for its id: 7, id, ...
        byte[] start = [7, 3, 0, 0, 0];
        int at = body.AsSpan().IndexOf(start);
        return formatter.Read([.. body[..(at + 5)], .. array[(17 + 5)..]]);
    }

    private static void ReadWithinMemoryLimit(byte[] body)
    {
        LegacyBinaryFormatter<object> formatter = Formatter; // Made before the first measurement.
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            formatter.Read(body);
        }
        catch (MessageFormatException e)
        {
            // The types here have no code of their own that could throw: an inner exception would be our own mistake.
            Assert.True(e.InnerException is null || e.Code == MessageFormatErrorCode.BadValue, e.ToString());
            throw;
        }
        finally
        {
            // 64 bytes a byte and 64 KiB for objects, and as much again for what is known of the body while it is read, and for the error; and 2 MiB for
            // elements of arrays. A body with an object of an undeclared class is read twice.
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2 * ((64L * body.Length) + (64 * 1024) + (2 * 1024 * 1024)));
        }
    }

    private static byte[] Repeat(int count, Func<int, Body> part)
    {
        var body = new Body();
        for (int i = 0; i < count; i++)
            body.Add(part(i));
        return body.End();
    }

    private static byte[] List(int count, Body items) => new Body()
        .Add(4).Int(1).Text("System.Collections.ArrayList").Int(3).Text("_items").Text("_size").Text("_version").Add(5).Add(0).Add(0).Add(8).Add(8)
        .Add(9).Int(2).Int(count).Int(0).Add(items).End();

    private sealed class AnyComparer : IEqualityComparer<long>
    {
        public bool Equals(long x, long y) => x == y;

        public int GetHashCode(long key) => (int)(key * 31);
    }

    /// <summary>A body, record by record.</summary>
    private sealed class Body
    {
        private readonly List<byte> _bytes;

        public Body(bool withHeader = true) => _bytes = withHeader ? [.. Header(1)] : [];

        public static byte[] Header(int rootId) => [0, .. BitConverter.GetBytes(rootId), 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0];

        public Body Add(byte value)
        {
            _bytes.Add(value);
            return this;
        }

        public Body Add(Body other)
        {
            _bytes.AddRange(other._bytes);
            return this;
        }

        public Body Int(int value)
        {
            _bytes.AddRange(BitConverter.GetBytes(value));
            return this;
        }

        public Body Text(string text)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            for (int rest = bytes.Length; ; rest >>= 7)
            {
                _bytes.Add((byte)(rest > 127 ? rest | 128 : rest));
                if (rest < 128)
                    break;
            }

            _bytes.AddRange(bytes);
            return this;
        }

        /// <summary>The start of an object array.</summary>
        public Body Objects(int id, int length) => Add(16).Int(id).Int(length);

        public byte[] End() => [.. _bytes, 11];
    }
}
