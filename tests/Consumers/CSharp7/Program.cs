using System;
using System.Collections.Generic;
using Formatters;

namespace CSharp7
{
    [MessageContract]
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

    [MessageContract]
    public partial class Address
    {
        public string City { get; set; }
    }

    [MessageContractFor(typeof(List<Address>))]
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
            var formatter = new ContractFormatter<Order>(Order.MessageContract);
            string hex = BitConverter.ToString(formatter.Write(formatter.Read(formatter.Write(order)))).Replace("-", "");
            bool isEmpty = new ContractFormatter<List<Address>>(Contracts.ListOfAddress).Write(new List<Address>()).Length == 4;
            Console.WriteLine(hex == Expected && isEmpty ? "C# 7.3: same bytes." : hex + " instead of " + Expected);
            return hex == Expected && isEmpty ? 0 : 1;
        }
    }
}
