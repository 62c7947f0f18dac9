using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Binary;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Reflection;

public partial class ReflectionFormatterTests
{
    private enum Colour : byte
    {
        Red = 1,
        Blue = 200,
    }

    private enum Wide : long
    {
        Far = long.MinValue,
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_Scalars_GivesTheBytesOfBinaryWriter(bool compiled)
    {
        var value = new Scalars
        {
            Bool = true, Byte = 200, SByte = -3, Int16 = -300, UInt16 = 60000, Int32 = -70000, UInt32 = 4_000_000_000, Int64 = long.MinValue,
            UInt64 = ulong.MaxValue, Single = -0f, Double = double.NaN, Decimal = 1.20m, Char = 'é', Text = "naïve 東京", DateTime = new DateTime(5, DateTimeKind.Utc),
            TimeSpan = TimeSpan.MinValue, Guid = new Guid("00112233-4455-6677-8899-aabbccddeeff"), Offset = new DateTimeOffset(77, TimeSpan.Zero),
            Colour = Colour.Blue, Wide = Wide.Far, Bytes = [1, 2, 3],
        };
        Scalars read = Engines.AssertBytes(compiled, value, w =>
        {
            w.Write(true);
            w.Write((byte)200);
            w.Write((sbyte)-3);
            w.Write((short)-300);
            w.Write((ushort)60000);
            w.Write(-70000);
            w.Write(4_000_000_000u);
            w.Write(long.MinValue);
            w.Write(ulong.MaxValue);
            w.Write(-0f);
            w.Write(double.NaN);
            w.Write(1.20m);
            w.Write('é');
            w.Write("naïve 東京");
            w.Write(new DateTime(5, DateTimeKind.Utc).ToBinary());
            w.Write(long.MinValue);
            w.Write(new Guid("00112233-4455-6677-8899-aabbccddeeff").ToByteArray());
            w.Write(77L);
            w.Write((short)0);
            w.Write((byte)200);
            w.Write(long.MinValue);
            w.Write(3);
            w.Write(new byte[] { 1, 2, 3 });
        });
        Assert.Equal("naïve 東京", read.Text);
        Assert.Equal(Colour.Blue, read.Colour);
        Assert.Equal(DateTimeKind.Utc, read.DateTime.Kind);
    }

#if !FORMATTERS_NETSTANDARD
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_NewerScalars_GivesTheBytesOfBinaryWriter(bool compiled)
    {
        var value = new NewerScalars
        {
            Half = (Half)1.5, Date = new DateOnly(2026, 11, 20), Time = new TimeOnly(9, 30), Signed = Int128.MinValue, Unsigned = UInt128.MaxValue - 1,
        };
        NewerScalars read = Engines.AssertBytes(compiled, value, w =>
        {
            w.Write((Half)1.5);
            w.Write(new DateOnly(2026, 11, 20).DayNumber);
            w.Write(new TimeOnly(9, 30).Ticks);
            w.Write(0UL);
            w.Write(0x8000_0000_0000_0000UL);
            w.Write(ulong.MaxValue - 1);
            w.Write(ulong.MaxValue);
        });
        Assert.Equal(value.Signed, read.Signed);
    }
#endif

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(false, false)]
    public void Write_Nullable_HasAPresenceByte(bool compiled, bool present)
    {
        var value = present
            ? new Nullables { Number = 5, Text = "x", Address = new Point { X = 1, Y = 2 }, Colour = Colour.Red, Place = new Place { Name = "p" }, Bytes = [9], List = [1] }
            : new Nullables();
        Nullables read = Engines.AssertBytes(compiled, value, w =>
        {
            if (!present)
            {
                w.Write(new byte[7]);
                return;
            }

            w.Write(true);
            w.Write(5);
            w.Write(true);
            w.Write("x");
            w.Write(true);
            w.Write(1);
            w.Write(2);
            w.Write(true);
            w.Write((byte)1);
            w.Write(true);
            w.Write("p");
            w.Write(true);
            w.Write(1);
            w.Write((byte)9);
            w.Write(true);
            w.Write(1);
            w.Write(1);
        });
        Assert.Equal(present ? 5 : null, read.Number);
        Assert.Equal(present ? 2 : null, read.Address?.Y);
        Assert.Equal(present ? "p" : null, read.Place?.Name);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_Collections_HaveACountAndTheirElements(bool compiled)
    {
        var value = new Collections
        {
            Array = [1, 2], List = ["a", "b"], NullableElements = ["a", null], Structs = [new Point { X = 1, Y = 2 }], Objects = [new Place { Name = "n" }],
            Jagged = [[1], []], Interface = new[] { 7L, 8L }, Sequence = Enumerable.Range(1, 2), ReadOnly = [3], Collection = new HashSet<int> { 4 },
            Map = new() { [Colour.Red] = "r", [Colour.Blue] = null }, MapInterface = new SortedDictionary<string, int> { ["k"] = 1 },
            Numbers = new ArrayList { 1, 2 }, Places = new ArrayList { new Place { Name = "q" } }, MaybeNumbers = [1, null], Pairs = [new(1, "one")],
            Tuple = (1, "t", null), Enums = [Wide.Far], NullableInArray = [null, "z"],
        };
        Collections read = Engines.AssertBytes(compiled, value, w =>
        {
            w.Write(2);
            w.Write(1);
            w.Write(2);
            w.Write(2);
            w.Write("a");
            w.Write("b");
            w.Write(2);
            w.Write(true);
            w.Write("a");
            w.Write(false);
            w.Write(1);
            w.Write(1);
            w.Write(2);
            w.Write(1);
            w.Write("n");
            w.Write(2);
            w.Write(1);
            w.Write(1);
            w.Write(0);
            w.Write(2);
            w.Write(7L);
            w.Write(8L);
            w.Write(2);
            w.Write(1);
            w.Write(2);
            w.Write(1);
            w.Write(3);
            w.Write(1);
            w.Write(4);
            w.Write(2);
            w.Write((byte)1);
            w.Write(true);
            w.Write("r");
            w.Write((byte)200);
            w.Write(false);
            w.Write(1);
            w.Write("k");
            w.Write(1);
            w.Write(2);
            w.Write(1);
            w.Write(2);
            w.Write(1);
            w.Write("q");
            w.Write(2);
            w.Write(true);
            w.Write(1);
            w.Write(false);
            w.Write(1);
            w.Write(1);
            w.Write("one");
            w.Write(1);
            w.Write("t");
            w.Write(false);
            w.Write(1);
            w.Write(long.MinValue);
            w.Write(2);
            w.Write(false);
            w.Write(true);
            w.Write("z");
        });
        Assert.IsType<List<long>>(read.Interface);
        Assert.Equal("q", Assert.IsType<Place>(read.Places[0]).Name);
        Assert.Equal("r", read.Map[Colour.Red]);
        Assert.Equal((1, "t", null), read.Tuple);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_RootsOtherThanRecords_GiveTheirBytes(bool compiled)
    {
        Engines.AssertBytes(compiled, 5, w => w.Write(5));
        Engines.AssertBytes(compiled, "text", w => w.Write("text"));
        Engines.AssertBytes(compiled, new List<int> { 6 }, w =>
        {
            w.Write(1);
            w.Write(6);
        });
        Engines.AssertBytes(compiled, (1, true), w =>
        {
            w.Write(1);
            w.Write(true);
        });
        Assert.Throws<ArgumentException>(() => Engines.Make<int?>(compiled));
        Assert.Throws<ArgumentNullException>(() => Engines.Make<string>(compiled).Write((string)null!));
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(true, 50)]
    [InlineData(false, 0)]
    [InlineData(false, 50)]
    public void Write_OrderOfTheStudy_GivesTheBytesOfItsHandCodedSave(bool compiled, int lineItemCount)
    {
        BinaryBodyOptions members = BinaryBodyOptions.Default with { UseOwnBodies = false };
        foreach (SampleText text in Enum.GetValues<SampleText>())
        {
            Order order = SampleOrders.Create(7, lineItemCount, text);
            byte[] expected = Engines.Classic(order.Save);
            BinaryBodyFormatter<Order> formatter = Engines.Make<Order>(compiled, options: members);
            Assert.Equal(expected, formatter.Write(order));
            Assert.True(order.ContentEquals(formatter.Read(expected)));
            BinaryBodyFormatter<OrderWithList> listed = Engines.Make<OrderWithList>(compiled, options: members);
            Assert.Equal(expected, listed.Write(OrderWithList.From(order)));
            Assert.True(OrderWithList.From(order).ContentEquals(listed.Read(expected)));
            Assert.Equal(expected, Engines.Make<Order>(compiled).Write(order));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_TypeWithItsOwnSave_UsesIt(bool compiled)
    {
        var value = new HasOwn { Own = new Own { Number = 5 }, OwnStruct = new OwnStruct { Number = 6 }, Owns = [new Own { Number = 7 }] };
        HasOwn read = Engines.AssertBytes(compiled, value, w =>
        {
            w.Write("own");
            w.Write(5);
            w.Write(6L);
            w.Write(1);
            w.Write("own");
            w.Write(7);
        });
        Assert.Equal(6, read.OwnStruct.Number);
        Assert.Equal(7, read.Owns[0].Number);
        Engines.AssertBytes(compiled, new Own { Number = 1 }, w =>
        {
            w.Write("own");
            w.Write(1);
        });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_ExampleOfTheWirePage_GivesItsBytes(bool compiled)
    {
        BinaryBodyFormatter<ExampleOrder> formatter = Engines.Make<ExampleOrder>(compiled);
        byte[] body = Bytes.Hex("2A000000 02C3A9 00 01000000 03486174 0000000000002340");
        Assert.Equal(body, formatter.Write(new ExampleOrder { CustomerID = 42, Note = "é", Lines = [new("Hat", 9.5)] }));
        Assert.Equal(new ExampleLine("Hat", 9.5), formatter.Read(body).Lines[0]);
    }

    private sealed class ExampleOrder
    {
        public int CustomerID;
        public string Note { get; set; } = "";
        public DateTime? Paid { get; set; }
        public List<ExampleLine> Lines { get; set; } = [];
    }

    private sealed record ExampleLine(string Name, double Price);

    private sealed class Scalars
    {
        public bool Bool;
        public byte Byte;
        public sbyte SByte;
        public short Int16;
        public ushort UInt16;
        public int Int32;
        public uint UInt32;
        public long Int64;
        public ulong UInt64;
        public float Single;
        public double Double;
        public decimal Decimal;
        public char Char;
        public string Text { get; set; } = "";
        public DateTime DateTime { get; set; }
        public TimeSpan TimeSpan { get; set; }
        public Guid Guid { get; set; }
        public DateTimeOffset Offset { get; set; }
        public Colour Colour { get; set; }
        public Wide Wide { get; set; }
        public byte[] Bytes { get; set; } = [];
    }

#if !FORMATTERS_NETSTANDARD
    private sealed class NewerScalars
    {
        public Half Half { get; set; }
        public DateOnly Date { get; set; }
        public TimeOnly Time { get; set; }
        public Int128 Signed { get; set; }
        public UInt128 Unsigned { get; set; }
    }
#endif

    private struct Point
    {
        public int X;
        public int Y { get; set; }
    }

    private sealed class Place
    {
        public string Name { get; set; } = "";
    }

    private sealed class Nullables
    {
        public int? Number { get; set; }
        public string? Text { get; set; }
        public Point? Address { get; set; }
        public Colour? Colour { get; set; }
        public Place? Place { get; set; }
        public byte[]? Bytes { get; set; }
        public List<int>? List { get; set; }
    }

    private sealed class Collections
    {
        public int[] Array { get; set; } = [];
        public List<string> List { get; set; } = [];
        public List<string?> NullableElements { get; set; } = [];
        public List<Point> Structs { get; set; } = [];
        public Place[] Objects { get; set; } = [];
        public int[][] Jagged { get; set; } = [];
        public IList<long> Interface { get; set; } = [];
        public IEnumerable<int> Sequence { get; set; } = [];
        public IReadOnlyCollection<int> ReadOnly { get; set; } = [];
        public ICollection<int> Collection { get; set; } = [];
        public Dictionary<Colour, string?> Map { get; set; } = [];
        public IReadOnlyDictionary<string, int> MapInterface { get; set; } = new Dictionary<string, int>();
        [ElementType(typeof(int))]
        public ArrayList Numbers { get; set; } = [];
        [System.Xml.Serialization.XmlArrayItem(typeof(Place))]
        public ArrayList Places { get; set; } = [];
        public List<int?> MaybeNumbers { get; set; } = [];
        public List<KeyValuePair<int, string>> Pairs { get; set; } = [];
        public (int Number, string Text, string? Maybe) Tuple { get; set; }
        public Wide[] Enums { get; set; } = [];
        public string?[] NullableInArray { get; set; } = [];
    }

    private sealed class Own : IBinaryBody
    {
        public int Number;

        public void Save(ref BinaryBodyWriter writer)
        {
            writer.Write("own");
            writer.Write(Number);
        }

        public void Load(ref BinaryBodyReader reader)
        {
            reader.ReadString();
            Number = reader.ReadInt32();
        }
    }

    private struct OwnStruct : IBinaryBody
    {
        public int Number;

        public readonly void Save(ref BinaryBodyWriter writer) => writer.Write((long)Number);

        public void Load(ref BinaryBodyReader reader) => Number = (int)reader.ReadInt64();
    }

    private sealed class HasOwn
    {
        public Own Own = new();
        public OwnStruct OwnStruct;
        public List<Own> Owns = [];
    }
}
