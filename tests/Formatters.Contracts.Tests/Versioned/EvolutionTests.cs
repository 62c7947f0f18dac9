using System;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Bodies of one version of a type, read by another: by generated code and by reflection in all combinations, anew and into an existing object.</summary>
public class EvolutionTests
{
    private static readonly OrderV1 Old = new()
    {
        Id = 42,
        Customer = "Müller",
        Weight = 2.5,
        Note = "first",
        First = new LineV1 { Name = "hat", Quantity = 3 },
        Lines = [new LineV1 { Name = "coat", Quantity = 1 }, new LineV1 { Name = "", Quantity = -1 }],
        Colour = Colour.Blue,
        Total = 99,
    };

    private static readonly OrderV2 New = new()
    {
        Id = 43,
        Buyer = "Meier",
        Note = "second",
        First = new LineV2 { Name = "shoe", Quantity = 2, Price = 12.75m, Colour = "red" },
        Lines = [new LineV2 { Name = "tie", Quantity = 5, Price = 1m }],
        Colour = ColourNow.Green,
        Total = 7,
        Placed = new DateTimeOffset(2026, 11, 21, 10, 0, 0, TimeSpan.FromHours(-3)),
        Grade = 'é',
        Tags = ["a", "b"],
        Named = { ["x"] = new LineV2 { Name = "named" } },
        Gift = new LineV2 { Name = "gift" },
        Key = new Guid(1, 2, 3, [4, 5, 6, 7, 8, 9, 10, 11]),
        Pair = (2, "two"),
        Picture = [1, 2, 3],
        Label = "label",
        Numbers = [4, 5],
    };

    [Fact]
    public void OldBody_NewReader_HasTheValuesOfANewObjectForWhatIsMissing()
    {
        OrderV2 order = Move(OrderV1.MessageContract, Old, OrderV2.MessageContract, New);
        Assert.Equal((42, "Müller", "first", ColourNow.Blue, (int?)99), (order.Id, order.Buyer, order.Note, order.Colour, order.Total));
        Assert.Equal(("hat", 3, 9.5m, null), (order.First.Name, order.First.Quantity, order.First.Price, order.First.Colour));
        Assert.Equal([("coat", 1, 9.5m), ("", -1, 9.5m)], order.Lines.Select(l => (l.Name, l.Quantity, l.Price)));
        Assert.Equal((new OrderV2().Placed, 'B', (1, "one"), Guid.Empty), (order.Placed, order.Grade, order.Pair, order.Key));
        Assert.Equal(["new"], order.Tags);
        Assert.Empty(order.Named);
        Assert.Null(order.Gift);
        Assert.Null(order.Picture);
        // A new object has null in these two, which their declarations do not allow.
        Assert.Equal("", order.Label);
        Assert.Empty(order.Numbers);
    }

    [Fact]
    public void NewBody_OldReader_SkipsAndKeeps()
    {
        OrderV1 order = Move(OrderV2.MessageContract, New, OrderV1.MessageContract, Old);
        Assert.Equal((43, "Meier", 0.0, "second", Colour.Red + 1, 7), (order.Id, order.Customer, order.Weight, order.Note, order.Colour, order.Total));
        Assert.Equal(("shoe", 2), (order.First.Name, order.First.Quantity));
        Assert.Equal([("tie", 5)], order.Lines.Select(l => (l.Name, l.Quantity)));
        Assert.Equal(10, order.Unknown!.Count);
        Assert.All(Enumerable.Range(9, 10), n => Assert.True(order.Unknown.Contains(n)));
        Assert.Equal(2, order.First.Unknown!.Count);
        Assert.True(order.Lines[0].Unknown!.Contains(4));

        // What the old program writes back has all that the new one wrote, and the old program's changes.
        order.Id = 1000;
        order.Lines.Add(new LineV1 { Name = "added" });
        OrderV2 back = Move(OrderV1.MessageContract, order, OrderV2.MessageContract, New);
        Assert.Equal((1000, "Meier", 'é', "label", (2, "two")), (back.Id, back.Buyer, back.Grade, back.Label, back.Pair));
        Assert.Equal(["a", "b"], back.Tags);
        Assert.Equal("gift", back.Gift!.Name);
        Assert.Equal(12.75m, back.First.Price);
        Assert.Equal([("tie", 1m), ("added", 9.5m)], back.Lines.Select(l => (l.Name, l.Price)));
    }

    [Fact]
    public void Relay_WritesWhatItReadByteForByte()
    {
        var random = new RandomValues(7);
        for (int i = 0; i < 50; i++)
        {
            OrderV2 order = i == 0 ? New : random.Next<OrderV2>();
            foreach (MessageFormatter<OrderV2> writer in Versions.Formatters(OrderV2.MessageContract))
            {
                byte[] body = writer.Write(order);
                foreach (MessageFormatter<OrderRelay> relay in Versions.Formatters(OrderRelay.MessageContract))
                {
                    OrderRelay read = relay.Read(body);
                    foreach (MessageFormatter<OrderRelay> second in Versions.Formatters(OrderRelay.MessageContract))
                    {
                        Assert.Equal(body, second.Write(read));
                        Assert.Equal(read.Unknown, second.Read(body).Unknown);
                        Assert.Equal(read.Unknown!.GetHashCode(), second.Read(body).Unknown!.GetHashCode());
                    }

                    // What is kept does not outlive its body.
                    byte[] bare = relay.Write(new OrderRelay { Id = 1 });
                    relay.Read(bare, ref read);
                    Assert.Null(read.Unknown);
                    Assert.Equal(bare, relay.Write(read));
                }
            }
        }
    }

    [Fact]
    public void UnknownMembers_OfANumberThatTheTypeHas_GiveWayToIt()
    {
        byte[] body = Versions.Formatters(OrderV2.MessageContract)[0].Write(New);
        OrderRelay relay = Versions.Formatters(OrderRelay.MessageContract)[0].Read(body);
        var order = new OrderV1 { Id = 5, Note = "", Unknown = relay.Unknown };
        OrderV2 back = Move(OrderV1.MessageContract, order, OrderV2.MessageContract, New);
        Assert.Equal((5, "", "label"), (back.Id, back.Buyer, back.Label));
        Assert.NotEqual(relay.Unknown, new UnknownMembers());
        Assert.False(relay.Unknown!.Equals(null));
        Assert.Equal(0, new UnknownMembers().Count);
    }

    [Fact]
    public void MissingArguments_AreTheDefaultsOfTheParameters()
    {
        PersonV2 person = Move(PersonV1.MessageContract, new PersonV1("Anna"), PersonV2.MessageContract, new PersonV2("Bert", 3, "Rom") { Nick = "x", Codes = [] });
        Assert.Equal(new PersonV2("Anna") with { Codes = person.Codes }, person);
        Assert.Equal([1, 2], person.Codes);
        Assert.Equal("nick", person.Nick);
        Assert.Equal(new PersonV1("Carl"), Move(PersonV2.MessageContract, new PersonV2("Carl"), PersonV1.MessageContract, new PersonV1("")));
    }

    [Fact]
    public void MissingArgumentsWithoutDefault_AreEmpty()
    {
        Bare bare = Move(PersonV1.MessageContract, new PersonV1("Anna"), Bare.MessageContract, null);
        Assert.Equal(("Anna", 0, "", null, default(Point)), (bare.Name, bare.Age, bare.City, bare.Title, bare.Point));
        Assert.Empty(bare.Numbers);
        Assert.Empty(bare.Bytes);
        Assert.Empty(bare.Map);
        Assert.Empty(bare.Array);
        Assert.Empty(bare.Interface);
    }

    [Fact]
    public void MissingMemberWithoutAnyValue_IsAnError()
    {
        byte[] body = Versions.Formatters(PersonV1.MessageContract)[0].Write(new PersonV1("Anna"));
        AssertError(NeedsObject.MessageContract, body, MessageFormatErrorCode.MissingMember, body.Length, "NeedsObject.Place");
        AssertError(NeedsRequired.MessageContract, body, MessageFormatErrorCode.MissingMember, body.Length, "NeedsRequired.Number");
        AssertError(NeedsPlace.MessageContract, body, MessageFormatErrorCode.MissingMember, body.Length, "NeedsPlace.Place");
    }

    [Fact]
    public void AnotherKind_IsAnError()
    {
        byte[] body = Versions.Formatters(PersonV1.MessageContract)[0].Write(new PersonV1("Anna"));
        AssertError(OtherKind.MessageContract, body, MessageFormatErrorCode.MemberMismatch, 5, "OtherKind.Name");
        byte[] other = Versions.Formatters(OtherKind.MessageContract)[0].Write(new OtherKind());
        AssertError(PersonV1.MessageContract, other, MessageFormatErrorCode.MemberMismatch, 5, "PersonV1.Name");
    }

    [Fact]
    public void Nullability_MayChange_ButANullNeedsAPlace()
    {
        Assert.Equal("Anna", Move(MaybeName.MessageContract, new MaybeName { Name = "Anna" }, PersonV1.MessageContract, new PersonV1("")).Name);
        Assert.Equal("Anna", Move(PersonV1.MessageContract, new PersonV1("Anna"), MaybeName.MessageContract, new MaybeName { Name = "Anna" }).Name);
        byte[] body = Versions.Formatters(MaybeName.MessageContract)[0].Write(new MaybeName());
        AssertError(PersonV1.MessageContract, body, MessageFormatErrorCode.UnexpectedNull, 6, "PersonV1.Name");
    }

    [Theory]
    [InlineData("0000000000", MessageFormatErrorCode.BadLength, 4, "OrderV1")]
    [InlineData("00000000", MessageFormatErrorCode.Truncated, 4, "OrderV1")]
    [InlineData("FFFFFFFF00", MessageFormatErrorCode.BadLength, 0, "OrderV1")]
    [InlineData("FFFFFF7F00", MessageFormatErrorCode.Truncated, 5, "OrderV1")]
    [InlineData("0200000000", MessageFormatErrorCode.Truncated, 5, "OrderV1")]
    [InlineData("020000000000", MessageFormatErrorCode.TrailingBytes, 5, "OrderV1")]
    [InlineData("010000000000", MessageFormatErrorCode.TrailingBytes, 5, null)]
    [InlineData("020000000100", MessageFormatErrorCode.BadValue, 5, "OrderV1")]
    [InlineData("020000000108", MessageFormatErrorCode.BadValue, 5, "OrderV1")]
    [InlineData("020000000113", MessageFormatErrorCode.BadValue, 5, "OrderV1")]
    [InlineData("020000000203", MessageFormatErrorCode.BadValue, 5, "OrderV1")]
    [InlineData("02000000028301000000", MessageFormatErrorCode.BadValue, 5, "OrderV1")]
    [InlineData("050000000103010000", MessageFormatErrorCode.Truncated, 9, "OrderV1.Id")]
    [InlineData("05000000010301000000", MessageFormatErrorCode.BadLength, 9, "OrderV1")]
    [InlineData("0700000001030100000000", MessageFormatErrorCode.TrailingBytes, 10, "OrderV1")]
    [InlineData("0A0000000A0000000070FFFFFF7F", MessageFormatErrorCode.Truncated, 14, "OrderV1")]
    [InlineData("0A0000000A0000000070FFFFFFFF", MessageFormatErrorCode.BadLength, 10, "OrderV1")]
    [InlineData("0B0000000A0000000060FFFFFFFF07", MessageFormatErrorCode.Truncated, 15, "OrderV1")]
    [InlineData("070000000A00000000F002", MessageFormatErrorCode.BadValue, 10, "OrderV1")]
    public void DamagedHeadsAndTables_AreRefusedAtTheirPlace(string hex, MessageFormatErrorCode code, int byteOffset, string? path)
    {
        byte[] body = Convert.FromHexString(hex);
        foreach (MessageFormatter<OrderV1> formatter in Versions.Formatters(OrderV1.MessageContract))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((code, byteOffset, path), (e.Code, (int)e.ByteOffset, e.MemberPath));
            Assert.True(e.IsPoison);
        }
    }

    /// <summary>A kept member of one byte takes far more memory than that: many are refused where memory may be as large as the body.</summary>
    [Fact]
    public void UnknownMembers_AreChargedToTheBudget()
    {
        foreach (MessageFormatter<RelayRows> formatter in Versions.Formatters(RelayRows.MessageContract, FormatterLimits.Default with { MaxAllocationFactor = 1 }))
        {
            byte[] few = Body(3);
            RelayRows read = formatter.Read(few);
            Assert.All(read.Rows, row => Assert.Equal(249, row.Unknown!.Count));
            Assert.Equal(few, formatter.Write(read));
            byte[] many = Body(10);
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(many)).Code);
        }

        // Rows of 250 members of one byte each.
        static byte[] Body(int rowCount)
        {
            byte[] row = [0x78, 1, 0, 0, 250, .. Enumerable.Repeat((byte)0x11, 125), .. new byte[250]];
            int byteCount = 4 + (rowCount * row.Length);
            return [.. BitConverter.GetBytes(byteCount + 6), 1, 7, .. BitConverter.GetBytes(byteCount), .. BitConverter.GetBytes(rowCount), .. Enumerable.Repeat(row, rowCount).SelectMany(static row => row)];
        }
    }

    private static TTo Move<TFrom, TTo>(MessageContract<TFrom> from, TFrom value, MessageContract<TTo> to, TTo? existing)
        where TTo : class
    {
        TTo? first = null;
        byte[]? written = null;
        foreach (MessageFormatter<TFrom> writer in Versions.Formatters(from))
        {
            byte[] body = writer.Write(value);
            Assert.Equal(written ??= body, body);
            foreach (MessageFormatter<TTo> reader in Versions.Formatters(to))
            {
                TTo read = reader.Read(body);
                first ??= read;
                Assert.Equal(reader.Write(first), reader.Write(read));
                // Into an object with other values: nothing of them may stay.
                TTo target = existing is null ? read : reader.Read(reader.Write(existing));
                reader.Read(body, ref target);
                Assert.Equal(reader.Write(first), reader.Write(target));
                for (int byteCount = 0; byteCount < body.Length; byteCount++)
                {
                    byte[] prefix = body[..byteCount];
                    Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => reader.Read(prefix)).Code);
                }
            }

            AssertMutants(body, to);
        }

        return first!;
    }

    private static void AssertMutants<T>(byte[] body, MessageContract<T> contract)
    {
        var random = new Random(body.Length);
        MessageFormatter<T>[] formatters = Versions.Formatters(contract);
        for (int i = 0; i < 2000; i++)
        {
            byte[] mutant = Mutant.Of(body, random);
            (byte[]? generated, string? error) = Mutant.Outcome(() => formatters[0].Write(formatters[0].Read(mutant)));
            (byte[]? reflected, string? reflectedError) = Mutant.Outcome(() => formatters[1].Write(formatters[1].Read(mutant)));
            Assert.True(error == reflectedError, $"{Convert.ToHexString(mutant)}: {error} / {reflectedError}");
            Assert.Equal(generated, reflected);
        }
    }

    private static void AssertError<T>(MessageContract<T> contract, byte[] body, MessageFormatErrorCode code, int byteOffset, string path)
    {
        foreach (MessageFormatter<T> formatter in Versions.Formatters(contract))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((code, byteOffset, path, true), (e.Code, (int)e.ByteOffset, e.MemberPath, e.IsPoison));
        }
    }
}
