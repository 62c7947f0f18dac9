using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Bench.Tests.Own;

/// <summary>Types as users have them: the tests name them, and load this assembly as a user's.</summary>
public sealed class OwnModels
{
    public static Invoice MakeInvoice() => new(7, [new Part("bolt", 3), new Part("nut", 4)]);

    public static IEnumerable<Invoice> MakeInvoices() => Enumerable.Range(1, 5).Select(i => new Invoice(i, []));

    public static IEnumerable<Invoice> MakeSome(int count = 2, string part = "bolt") => Enumerable.Range(1, count).Select(i => new Invoice(i, [new Part(part, i)]));

    public static Invoice MakeNothing() => null!;

    public static Invoice MakeFailure() => throw new InvalidOperationException("No samples today.");

    public static SealedIn MakeSealed() => SealedIn.Of("secret", 5);

    /// <summary>A formatter of the user's.</summary>
    public static MessageFormatter<Invoice> Mine { get; } = new JsonFormatter<Invoice>();

    /// <summary>One that loses a member.</summary>
    public static MessageFormatter<Nested> Losing { get; } = new Loser();

    public sealed class Nested
    {
        public string Name { get; set; } = "";

        public decimal Price { get; set; }

        public DateTime When { get; set; }

        public List<Part> Parts { get; set; } = [];

        public Dictionary<string, int> Stock { get; set; } = [];
    }

    private sealed class Loser : MessageFormatter<Nested>
    {
        private readonly JsonFormatter<Nested> _json = new();

        internal Loser()
            : base(ContentTypes.Json, BodyTypes.Json, limits: null)
        {
        }

        public override void Write(System.Buffers.IBufferWriter<byte> destination, Nested value) =>
            _json.Write(destination, new Nested { Name = value.Name, Price = value.Price, When = value.When, Parts = value.Parts });

        public override Nested Read(ReadOnlySpan<byte> body) => _json.Read(body);
    }
}

public sealed record Part(string Name, int Count);

/// <summary>Only a constructor that takes members.</summary>
public sealed record Invoice(int Number, IReadOnlyList<Part> Parts);

public struct Point
{
    public double X { get; set; }

    public double Y { get; set; }
}

public sealed class Page<T>
{
    public int Number { get; set; }

    public List<T> Items { get; set; } = [];
}

public class Animal
{
    public string Name { get; set; } = "";
}

public sealed class Dog : Animal
{
    public int Tricks { get; set; }
}

public sealed class Strict
{
    public required string Name { get; init; }

    public int Count { get; init; }
}

/// <summary>Setters that only the type itself has.</summary>
public sealed class PrivateSetters
{
    public int Id { get; private set; }

    public string Name { get; set; } = "";
}

/// <summary>Neither a constructor nor a setter for anybody.</summary>
public sealed class SealedIn
{
    private readonly string _text;

    private SealedIn(string text, int number)
    {
        _text = text;
        Number = number;
    }

    public int Number { get; }

    public override string ToString() => _text;

    internal static SealedIn Of(string text, int number) => new(text, number);
}
