using System;
using System.Runtime.Serialization;

// Until the fixes have been applied it has no contract.
return typeof(Migration.Order).GetProperty("MessageContract") is null || typeof(Migration.Line).GetProperty("MessageContract") is null ? 1 : 0;

namespace Migration
{
    [DataContract]
    public class Order
    {
        [DataMember(Order = 0)]
        public int CustomerID { get; set; }

        [DataMember(Order = 1)]
        public Line? Line { get; set; }

        public object? Tag { get; set; }
    }

    [DataContract]
    public class Line
    {
        [DataMember(Order = 0)]
        public string Name { get; set; } = "";
    }
}
