using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.IO;
using System.Linq;
using System.Numerics;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Kinds beyond arrays, lists and dictionaries, by generated code and by reflection, against the bytes that System.IO.BinaryWriter gives: docs/wire/binary.md, "Further values".</summary>
public class CollectionTests
{
    internal static Sequences SampleSequences => new()
    {
        Queue = new([1, 2]),
        Stack = new([1, 2]),
        Linked = new(["a"]),
        Collection = [3],
        Observable = [4],
        ReadOnly = new([5]),
        ImmutableArray = [new Point { X = 6, Y = 7 }],
        ImmutableList = [null, "b"],
        Set = [8],
        Sorted = [10, 9],
        SetInterface = new HashSet<string> { "c" },
        ImmutableSet = [Guid.Empty],
        ImmutableSorted = [12, 11],
        Frozen = new[] { "d" }.ToFrozenSet(),
        SortedDictionary = new() { [2] = "two", [1] = "one" },
        SortedList = new() { ["k"] = 1 },
        ImmutableDictionary = ImmutableDictionary<string, int?>.Empty.Add("i", null),
        ImmutableSortedDictionary = ImmutableSortedDictionary<int, int>.Empty.Add(2, 2).Add(1, 1),
        FrozenDictionary = new Dictionary<Colour, Place> { [Colour.Red] = new() }.ToFrozenDictionary(),
        ReadOnlySet = new(new HashSet<int> { 13 }),
        Ordered = new() { ["b"] = 2, ["a"] = 1 },
        Concurrent = new() { [14] = "c" },
        ConcurrentQueue = new([15, 16]),
        ConcurrentStack = new([17, 18]),
        Bag = new([19, 20]),
    };

    internal static FurtherValues SampleFurtherValues => new()
    {
        Uri = new Uri("../a b?c=é", UriKind.Relative),
        Maybe = new Uri("HTTP://Example.org:80/"),
        Version = new Version(1, 2),
        Full = new Version(1, 2, 3, 4),
        Big = new BigInteger(-129),
        Memory = new byte[] { 1, 2 },
        ReadOnlyMemory = new byte[] { 3 },
        Grid = new[,] { { 1, 2, 3 }, { 4, 5, 6 } },
        Cube = new string?[1, 1, 2] { { { null, "x" } } },
        Places = new Place[0, 5],
        Ragged = new[,] { { new byte[] { 9 } } },
    };

    internal static ObjectCollections SampleObjects => new()
    {
        Table = new Hashtable { ["k"] = new Point { X = 1, Y = 2 } },
        Dictionary = new Hashtable { [7] = "v" },
        List = new[] { 1, 2 },
        Collection = new Stack(new object[] { "a" }),
        Enumerable = new List<long> { 3 },
        Queue = [4, 5],
        Stack = ImmutableStack<string>.Empty.Push("x").Push("y"),
        ReadOnly = new ReadOnlyDictionary<int, string>(new Dictionary<int, string> { [1] = "r" }),
        ImmutableInterface = ImmutableList.Create(6),
        SetInterface = ImmutableHashSet.Create(8),
        MapInterface = ImmutableDictionary<int, int>.Empty.Add(9, 10),
        QueueInterface = ImmutableQueue.Create(11, 12),
        StackInterface = ImmutableStack<int>.Empty.Push(13).Push(14),
    };

    [Fact]
    public void Sequences_AreCountsAndElements()
    {
        Sequences value = SampleSequences;
        Sequences read = AssertBytes(Sequences.MessageContract, value, w =>
        {
            Ints(w, 1, 2);
            Ints(w, 2, 1);
            w.Write(1);
            w.Write("a");
            Ints(w, 3);
            Ints(w, 4);
            Ints(w, 5);
            Ints(w, [1, 6, 7], counted: false);
            w.Write(2);
            w.Write(false);
            w.Write(true);
            w.Write("b");
            Ints(w, 8);
            Ints(w, 9, 10);
            w.Write(1);
            w.Write("c");
            w.Write(1);
            w.Write(new byte[16]);
            Ints(w, 11, 12);
            w.Write(1);
            w.Write("d");
            w.Write(2);
            w.Write(1);
            w.Write("one");
            w.Write(2);
            w.Write("two");
            w.Write(1);
            w.Write("k");
            w.Write(1);
            w.Write(1);
            w.Write("i");
            w.Write(false);
            Ints(w, [2, 1, 1, 2, 2], counted: false);
            w.Write(1);
            w.Write((byte)1);
            w.Write("");
            w.Write(0.0);
            w.Write(0.0);
            w.Write((byte)0);
            Ints(w, 13);
            w.Write(2);
            w.Write("b");
            w.Write(2);
            w.Write("a");
            w.Write(1);
            w.Write(1);
            w.Write(14);
            w.Write("c");
            Ints(w, 15, 16);
            Ints(w, 18, 17);
            Ints(w, 20, 19);
        });
        Assert.Equal(2, read.Stack.Peek());
        Assert.Equal(1, read.Queue.Peek());
        Assert.Equal([null, "b"], read.ImmutableList);
    }

    [Fact]
    public void FurtherValues_HaveTheirBytes()
    {
        FurtherValues value = SampleFurtherValues;
        FurtherValues read = AssertBytes(FurtherValues.MessageContract, value, w =>
        {
            w.Write("../a b?c=é");
            w.Write(true);
            w.Write("HTTP://Example.org:80/");
            Ints(w, [1, 2, -1, -1], counted: false);
            Ints(w, [1, 2, 3, 4], counted: false);
            w.Write(2);
            w.Write([0x7F, 0xFF]);
            w.Write(2);
            w.Write([1, 2]);
            w.Write(1);
            w.Write((byte)3);
            Ints(w, [2, 3, 1, 2, 3, 4, 5, 6], counted: false);
            Ints(w, [1, 1, 2], counted: false);
            w.Write(false);
            w.Write(true);
            w.Write("x");
            Ints(w, [0, 5], counted: false);
            Ints(w, [1, 1, 1], counted: false);
            w.Write((byte)9);
        });
        Assert.Equal(value.Maybe, read.Maybe);
        Assert.Equal(value.Big, read.Big);
        Assert.Equal(6, read.Grid[1, 2]);
        Assert.Equal((0, 5), (read.Places.GetLength(0), read.Places.GetLength(1)));
    }

    [Theory]
    [InlineData("05000000 05000000", MessageFormatErrorCode.Truncated, 8)]
    [InlineData("FFFFFFFF 00000000", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("00000000 80000000", MessageFormatErrorCode.BadLength, 4, true)]
    [InlineData("FFFFFF7F FFFFFF7F", MessageFormatErrorCode.LimitExceeded, 0)]
    [InlineData("00000000 FFFFFF7F", MessageFormatErrorCode.LimitExceeded, 4)]
    [InlineData("E8030000 E8030000", MessageFormatErrorCode.Truncated, 8)]
    public void Read_BadGrid_IsRefused(string hex, MessageFormatErrorCode code, int offset, bool isSigned = false)
    {
        byte[] body = Bytes.Hex(hex);
        if (isSigned)
            body[7] = 0x80;
        AssertError(FurtherContracts.Grid, body, code, offset);
    }

    [Theory]
    [InlineData("40420F00 40420F00 00000000")]
    [InlineData("00000100 00000100 00000000")]
    [InlineData("50C30000 50C30000 00000000")]
    public void Read_GridThatNoArrayCanBe_IsRefused(string hex)
    {
        byte[] body = Bytes.Hex(hex);
        AssertError(FurtherContracts.Cube, body, MessageFormatErrorCode.BadLength, 0);
        int[] lengths = [.. Enumerable.Range(0, 3).Select(i => BitConverter.ToInt32(body, 4 * i))];
        AssertEmptyCube(lengths, isRead: false);
        AssertEmptyCube([lengths[2], lengths[0], lengths[1]], isRead: true);
        AssertEmptyCube([lengths[0], lengths[2], lengths[1]], isRead: true);
        Assert.True(Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<int[,,]>(FurtherContracts.Cube).Read(body)).IsPoison);
    }

    [Theory]
    [InlineData("")]
    [InlineData("0A 01 00")]
    [InlineData("0A 02 00 00")]
    [InlineData("0A 04 00 00 00 00")]
    [InlineData("0A 0B FFFFFFFFFFFFFFFFFF01 00")]
    [InlineData("0A 0C FFFFFFFFFFFFFFFFFF01 00 00")]
    [InlineData("0A 03 01 01 00 12 01 00")]
    public void ReadProtobuf_LengthsThatDoNotFit_AreRefused(string hex)
    {
        foreach (var formatter in new[] { new ProtobufFormatter<int[,,]>(FurtherContracts.Cube), new ProtobufFormatter<int[,,]>() })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex(hex)));
            Assert.Equal((MessageFormatErrorCode.BadLength, 0, true), (e.Code, e.ByteOffset, e.IsPoison));
        }
    }

    /// <summary>A cube of no elements in the other formats.</summary>
    private static void AssertEmptyCube(int[] lengths, bool isRead)
    {
        byte[] messagePack = [0x94, .. new MessagePackFormatter<int[]>().Write(lengths).AsSpan(1), 0x90];
        byte[] protobuf = new ProtobufFormatter<int[]>().Write(lengths);
        foreach ((MessageFormatter<int[,,]> formatter, byte[] body, int offset) in new (MessageFormatter<int[,,]>, byte[], int)[]
        {
            (new MessagePackFormatter<int[,,]>(FurtherContracts.Cube), messagePack, 1),
            (new MessagePackFormatter<int[,,]>(), messagePack, 1),
            (new ProtobufFormatter<int[,,]>(FurtherContracts.Cube), protobuf, 0),
            (new ProtobufFormatter<int[,,]>(), protobuf, 0),
        })
        {
            if (isRead)
            {
                int[,,] cube = formatter.Read(body);
                Assert.Equal(lengths, Enumerable.Range(0, 3).Select(cube.GetLength));
                continue;
            }

            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.BadLength, offset), (e.Code, e.ByteOffset));
        }
    }

    [Fact]
    public void Read_BadFurtherValues_AreRefused()
    {
        AssertError(FurtherContracts.Version, Bytes.Hex("01000000 FFFFFFFF FFFFFFFF FFFFFFFF"), MessageFormatErrorCode.BadValue, 0);
        AssertError(FurtherContracts.Version, Bytes.Hex("01000000 01000000 FFFFFFFF 00000000"), MessageFormatErrorCode.BadValue, 0);
        AssertError(FurtherContracts.BigInteger, Bytes.Hex("00000000 00"), MessageFormatErrorCode.BadValue, 0);
        AssertError(FurtherContracts.BigInteger, Bytes.Hex("02000000 0100"), MessageFormatErrorCode.BadValue, 0);
        AssertError(FurtherContracts.BigInteger, Bytes.Hex("02000000 FFFF"), MessageFormatErrorCode.BadValue, 0);
        AssertError(FurtherContracts.BigInteger, Bytes.Hex("FFFFFFFF 00"), MessageFormatErrorCode.BadLength, 0);
        AssertError(FurtherContracts.Uri, [7, .. "http://"u8], MessageFormatErrorCode.BadValue, 0);
        AssertError(FurtherContracts.HashSetOfInt32, Bytes.Hex("02000000 05000000 05000000"), MessageFormatErrorCode.DuplicateKey, 8);
        AssertError(FurtherContracts.Sorted, Bytes.Hex("02000000 0161 01000000 0161 02000000"), MessageFormatErrorCode.DuplicateKey, 10);
    }

    [Fact]
    public void Write_DefaultImmutableArray_IsANull()
    {
        var value = new Sequences { ImmutableArray = default };
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<Sequences>(Sequences.MessageContract).Write(value));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "Sequences.ImmutableArray"), (e.Code, e.MemberPath));
    }

    [Fact]
    public void CollectionsOfObjects_HaveDeclaredTypes()
    {
        ObjectCollections value = SampleObjects;
        ObjectCollections read = AssertBytes(ObjectCollections.MessageContract, value, w =>
        {
            w.Write(1);
            w.Write("k");
            w.Write(1);
            w.Write(2);
            w.Write(true);
            w.Write(1);
            w.Write(7);
            w.Write("v");
            Ints(w, 1, 2);
            w.Write(1);
            w.Write("a");
            w.Write(1);
            w.Write(3L);
            Ints(w, 4, 5);
            w.Write(2);
            w.Write("y");
            w.Write("x");
            w.Write(1);
            w.Write(1);
            w.Write("r");
            Ints(w, 6);
            Ints(w, 8);
            Ints(w, [1, 9, 10], counted: false);
            Ints(w, 11, 12);
            Ints(w, 14, 13);
        });
        Assert.Equal("v", read.Dictionary![7]);
        Assert.IsType<ArrayList>(read.List);
        Assert.Equal("y", read.Stack.Peek());
        value.Table.Add(1, new Point());
        foreach (MessageFormatter<ObjectCollections> formatter in new MessageFormatter<ObjectCollections>[] { new BinaryBodyFormatter<ObjectCollections>(ObjectCollections.MessageContract), new BinaryBodyFormatter<ObjectCollections>(ByReflection.Binary) })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Write(value));
            Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "ObjectCollections.Table"), (e.Code, e.MemberPath));
        }
    }

    [Fact]
    public void Read_Sets_HashUnderARandomKey()
    {
        HashSet<int> set = new BinaryBodyFormatter<HashSet<int>>(FurtherContracts.HashSetOfInt32).Read(Bytes.Hex("01000000 05000000"));
        Assert.NotSame(EqualityComparer<int>.Default, set.Comparer);
        Assert.Contains(5, set);
    }

    private static void AssertError<T>(MessageContract<T> contract, byte[] body, MessageFormatErrorCode code, int offset)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<T>(contract).Read(body));
        Assert.Equal((code, offset), (e.Code, e.ByteOffset));
        foreach (bool isCompiled in new[] { false, true })
        {
            MessageFormatException reflected = Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<T>(ByReflection.Binary with { UseCompiledCode = isCompiled }).Read(body));
            Assert.Equal((code, offset, e.MemberPath), (reflected.Code, reflected.ByteOffset, reflected.MemberPath));
        }
    }

    private static T AssertBytes<T>(MessageContract<T> contract, T value, Action<BinaryWriter> write)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        write(writer);
        byte[] expected = stream.ToArray();
        var formatter = new BinaryBodyFormatter<T>(contract);
        Assert.Equal(Convert.ToHexString(expected), Convert.ToHexString(formatter.Write(value)));
        var stingy = new StingyBufferWriter();
        formatter.Write(stingy, value);
        Assert.Equal(expected, stingy.ToArray());
        foreach (bool isCompiled in new[] { false, true })
        {
            var reflection = new BinaryBodyFormatter<T>(ByReflection.Binary with { UseCompiledCode = isCompiled });
            Assert.Equal(Convert.ToHexString(expected), Convert.ToHexString(reflection.Write(value)));
            T reflected = reflection.Read(expected);
            Assert.Equal(expected, formatter.Write(reflected));
            reflection.Read(expected, ref reflected);
            Assert.Equal(expected, reflection.Write(reflected));
        }

        T read = formatter.Read(expected);
        Assert.Equal(expected, formatter.Write(read));
        T over = formatter.Read(expected);
        formatter.Read(expected, ref over);
        Assert.Equal(expected, formatter.Write(over));
        for (int byteCount = 0; byteCount < expected.Length; byteCount++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(expected.AsSpan(0, byteCount)));
            Assert.Equal((MessageFormatErrorCode.Truncated, byteCount), (e.Code, (int)e.ByteOffset));
        }

        return read;
    }

    private static void Ints(BinaryWriter writer, params int[] values) => Ints(writer, values, counted: true);

    private static void Ints(BinaryWriter writer, int[] values, bool counted)
    {
        if (counted)
            writer.Write(values.Length);
        foreach (int value in values)
            writer.Write(value);
    }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Sequences
{
    public Queue<int> Queue { get; set; } = new();
    public Stack<int> Stack { get; set; } = new();
    public LinkedList<string> Linked { get; set; } = new();
    public Collection<int> Collection { get; set; } = [];
    public ObservableCollection<int> Observable { get; set; } = [];
    public ReadOnlyCollection<int> ReadOnly { get; set; } = new([]);
    public ImmutableArray<Point> ImmutableArray { get; set; } = [];
    public ImmutableList<string?> ImmutableList { get; set; } = [];
    public HashSet<int> Set { get; set; } = [];
    public SortedSet<int> Sorted { get; set; } = [];
    public ISet<string> SetInterface { get; set; } = new HashSet<string>();
    public ImmutableHashSet<Guid> ImmutableSet { get; set; } = [];
    public ImmutableSortedSet<int> ImmutableSorted { get; set; } = [];
    public FrozenSet<string> Frozen { get; set; } = FrozenSet<string>.Empty;
    public SortedDictionary<int, string> SortedDictionary { get; set; } = [];
    public SortedList<string, int> SortedList { get; set; } = [];
    public ImmutableDictionary<string, int?> ImmutableDictionary { get; set; } = ImmutableDictionary<string, int?>.Empty;
    public ImmutableSortedDictionary<int, int> ImmutableSortedDictionary { get; set; } = ImmutableSortedDictionary<int, int>.Empty;
    public FrozenDictionary<Colour, Place> FrozenDictionary { get; set; } = FrozenDictionary<Colour, Place>.Empty;
    public ReadOnlySet<int> ReadOnlySet { get; set; } = ReadOnlySet<int>.Empty;
    public OrderedDictionary<string, int> Ordered { get; set; } = [];
    public ConcurrentDictionary<int, string> Concurrent { get; set; } = [];
    public ConcurrentQueue<int> ConcurrentQueue { get; set; } = [];
    public ConcurrentStack<int> ConcurrentStack { get; set; } = [];
    public ConcurrentBag<int> Bag { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class FurtherValues
{
    public Uri Uri { get; set; } = null!;
    public Uri? Maybe { get; set; }
    public Version Version { get; set; } = new();
    public Version Full { get; set; } = new();
    public BigInteger Big { get; set; }
    public Memory<byte> Memory { get; set; }
    public ReadOnlyMemory<byte> ReadOnlyMemory { get; set; }
    public int[,] Grid { get; set; } = new int[0, 0];
    public string?[,,] Cube { get; set; } = new string?[0, 0, 0];
    public Place[,] Places { get; set; } = new Place[0, 0];
    public byte[,][] Ragged { get; set; } = new byte[0, 0][];
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class ObjectCollections
{
    [ElementType(typeof(Point), KeyType = typeof(string))]
    public Hashtable Table { get; set; } = [];

    [ElementType(typeof(string), KeyType = typeof(int))]
    public IDictionary? Dictionary { get; set; }

    [ElementType(typeof(int))]
    public IList List { get; set; } = new ArrayList();

    [ElementType(typeof(string))]
    public ICollection Collection { get; set; } = new ArrayList();

    [ElementType(typeof(long))]
    public IEnumerable Enumerable { get; set; } = new ArrayList();

    public ImmutableQueue<int> Queue { get; set; } = [];
    public ImmutableStack<string> Stack { get; set; } = [];
    public ReadOnlyDictionary<int, string> ReadOnly { get; set; } = new(new Dictionary<int, string>());
    public IImmutableList<int> ImmutableInterface { get; set; } = ImmutableList<int>.Empty;
    public IImmutableSet<int> SetInterface { get; set; } = ImmutableHashSet<int>.Empty;
    public IImmutableDictionary<int, int> MapInterface { get; set; } = ImmutableDictionary<int, int>.Empty;
    public IImmutableQueue<int> QueueInterface { get; set; } = ImmutableQueue<int>.Empty;
    public IImmutableStack<int> StackInterface { get; set; } = ImmutableStack<int>.Empty;
}

[MessageContractFor(typeof(int[,]), Name = "Grid", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(int[,,]), Name = "Cube", Formats = ContractFormats.Binary | Formats.Traversed | ContractFormats.Protobuf)]
[MessageContractFor(typeof(Version), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(BigInteger), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(Uri), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(HashSet<int>), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(SortedDictionary<string, int>), Name = "Sorted", Formats = ContractFormats.Binary | Formats.Traversed)]
internal static partial class FurtherContracts;
