// Versions of a type on one queue: numbers stand for members, so that each program reads the others' bodies.
// Claim: an old body gives a new object's values for what it lacks; a new body passes through an old program and loses nothing.
using System;
using System.Collections.Generic;
using Formatters;

var oldFormatter = VersionedFormatter.Create<V1.Order>();
var newFormatter = VersionedFormatter.Create<V2.Order>();

// An old body waits in the queue; a new program reads it.
byte[] oldBody = oldFormatter.Write(new V1.Order { Id = 7, Customer = "Contoso", Fax = "n/a", Lines = [new V1.Line("hat", 2)] });
V2.Order order = newFormatter.Read(oldBody);
bool isUpgraded = order.Buyer == "Contoso" && order.Currency == "EUR" && order.Lines is [{ Name: "hat", Quantity: 2, Price: 1m }];

// A new body goes through an old program, which changes what it knows.
order.Currency = "USD";
order.Lines[0] = order.Lines[0] with { Price = 9.5m };
V1.Order known = oldFormatter.Read(newFormatter.Write(order));
known.Customer = "Fabrikam";
V2.Order back = newFormatter.Read(oldFormatter.Write(known));
bool isKept = known.Unknown is { Count: 1 } && back.Buyer == "Fabrikam" && back.Currency == "USD" && back.Lines[0] == new V2.Line("hat", 2, 9.5m);

Console.WriteLine($"Old body: {Convert.ToHexString(oldBody)}");
Console.WriteLine(isUpgraded ? "The new program has read the old body." : "The new program has NOT read the old body.");
Console.WriteLine(isKept ? "The old program has kept what it does not know." : "The old program has LOST what it does not know.");
return isUpgraded && isKept ? 0 : 1;

namespace V1
{
    [MessageContract]
    internal sealed partial class Order
    {
        [MessageMember(1)] public int Id { get; set; }
        [MessageMember(2)] public string Customer { get; set; } = "";
        [MessageMember(3)] public string Fax { get; set; } = "";
        [MessageMember(4)] public List<Line> Lines { get; set; } = [];
        public UnknownMembers? Unknown { get; set; }
    }

    internal sealed record Line([MessageMember(1)] string Name, [MessageMember(2)] int Quantity) { public UnknownMembers? Unknown { get; init; } }
}

namespace V2
{
    [MessageContract, RetiredMembers(3)]
    internal sealed partial class Order
    {
        [MessageMember(1)] public int Id { get; set; }
        [MessageMember(2)] public string Buyer { get; set; } = ""; // renamed
        [MessageMember(4)] public List<Line> Lines { get; set; } = [];
        [MessageMember(5)] public string Currency { get; set; } = "EUR"; // added
    }

    internal sealed record Line([MessageMember(1)] string Name, [MessageMember(2)] int Quantity, [MessageMember(3)] decimal Price = 1m);
}
