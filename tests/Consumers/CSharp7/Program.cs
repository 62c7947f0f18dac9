using System;
using System.Collections.Generic;
using Formatters;
using Formatters.LegacyBinary;

namespace CSharp7
{
    [MessageContract(Formats = ContractFormats.Binary)]
    public sealed partial class Order
    {
        public int CustomerID;
        public int? Discount { get; set; }
        public string Note { get; set; }
        public Address Address = new Address();
        public List<Tuple<int, string>> Lines = new List<Tuple<int, string>>();
        public Dictionary<string, byte[]> Files = new Dictionary<string, byte[]>();
        public HashSet<DayOfWeek> Days = new HashSet<DayOfWeek>();
        public double[,] Grid = new double[1, 1];
    }

    [MessageContract(Formats = ContractFormats.Binary)]
    public partial class Address
    {
        public string City { get; set; }
    }

    [MessageContract(Formats = ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
    public partial class Parcel
    {
        [MessageMember(1)] public int Id { get; set; }
        [MessageMember(2)] public string Note { get; set; }
        [MessageMember(3)] public int? Weight { get; set; }
        [MessageMember(4)] public List<Stop> Stops { get; set; } = new List<Stop>();
        [MessageMember(5)] public Queue<int> Marks { get; set; } = new Queue<int>();
        [MessageMember(6)] public SortedDictionary<string, Stop> Names { get; set; } = new SortedDictionary<string, Stop>();
        [MessageMember(7)] public int[,] Grid { get; set; } = new int[0, 0];
        public UnknownMembers Unknown { get; set; }
    }

    public sealed class Stop
    {
        [MessageMember(1)] public string City { get; set; }
    }

    [LegacyBinaryContract]
    [Serializable]
    public partial class Invoice
    {
        private int _id;
        public string Note;
        public Line Line;

        public int Id
        {
            get { return _id; }
            set { _id = value; }
        }
    }

    [Serializable]
    public struct Line
    {
        public decimal Price;
    }

    [MessageContractFor(typeof(List<Address>), Formats = ContractFormats.Binary)]
    internal static partial class Contracts
    {
    }

    internal static class Program
    {
        private static int Main()
        {
            var order = new Order { CustomerID = 1, Note = "n", Address = { City = "c" } };
            order.Lines.Add(Tuple.Create(2, "l"));
            order.Files.Add("f", new byte[] { 3 });
            order.Days.Add(DayOfWeek.Monday);
            // Fields come before properties.
            const string Expected = "01000000" + "0163" + "01000000" + "02000000" + "016C" + "01000000" + "0166" + "01000000" + "03"
                + "01000000" + "01000000" + "01000000" + "01000000" + "0000000000000000" + "00" + "016E";
            var formatter = new BinaryBodyFormatter<Order>(Order.MessageContract);
            string hex = BitConverter.ToString(formatter.Write(formatter.Read(formatter.Write(order)))).Replace("-", "");
            bool isEmpty = new BinaryBodyFormatter<List<Address>>(Contracts.ListOfAddress).Write(new List<Address>()).Length == 4;
            Console.WriteLine(hex == Expected && isEmpty ? "C# 7.3: same bytes." : hex + " instead of " + Expected);
            var parcel = new Parcel { Id = 1, Note = "n", Weight = 2, Grid = new[,] { { 3 } } };
            parcel.Stops.Add(new Stop { City = "c" });
            parcel.Marks.Enqueue(4);
            parcel.Names.Add("a", new Stop { City = "d" });
            var invoice = new Invoice { Id = 5, Note = "n", Line = new Line { Price = 6 } };
            bool isSame = IsSame(new VersionedFormatter<Parcel>(Parcel.MessageContract), parcel) && IsSame(new MessagePackFormatter<Parcel>(Parcel.MessageContract), parcel)
                && IsSame(new ProtobufFormatter<Parcel>(Parcel.MessageContract), parcel) && IsSame(new LegacyBinaryFormatter<Invoice>(Invoice.LegacyBinaryContract), invoice);
            Console.WriteLine(isSame ? "C# 7.3: every format." : "C# 7.3: another object was read.");
            return hex == Expected && isEmpty && isSame ? 0 : 1;
        }

        private static bool IsSame<T>(MessageFormatter<T> formatter, T value)
        {
            byte[] body = formatter.Write(value);
            return BitConverter.ToString(formatter.Write(formatter.Read(body))) == BitConverter.ToString(body);
        }
    }
}
