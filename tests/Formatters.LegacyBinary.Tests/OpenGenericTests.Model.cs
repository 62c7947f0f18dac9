using System;
using System.Collections.Generic;

namespace Formatters.LegacyBinary.Tests;

public partial class OpenGenericTests
{
    // What the sender has.
    [Serializable]
    public class Box<T>(T content)
    {
        private T _content = content;

        public T Content => _content;
    }

    [Serializable]
    public class Named<T>(T content, string name) : Box<T>(content)
    {
        private string _name = name;

        public string Name => _name;
    }

    [Serializable]
    public struct Pair<TFirst, TSecond>
    {
        public TFirst First;
        public TSecond Second;
    }

    public static class Pool<T>
    {
        [Serializable]
        public sealed class Car
        {
            public T? Length;
        }
    }

    [Serializable]
    public struct Coin
    {
        public string Currency;
    }

    [Serializable]
    public sealed class Parcel
    {
        private Box<int>?[]? _boxes;
        public Box<Box<string>>? Nested;
        public Box<Coin>?[][]? Jagged;
        public Pair<int, Box<string>>[,]? Grid;
        public Dictionary<int, Box<Coin>>? ByNumber;
        public List<Box<int>?>? List;
        public object? Anything;
        public Named<int>? Tagged;
        public Pool<double>.Car? Car;

        public static Parcel Create() => new()
        {
            _boxes = [new Box<int>(1), new Box<int>(2)],
            Nested = new Box<Box<string>>(new Box<string>("crate in crate")),
            Jagged = [[null, new Box<Coin>(new Coin { Currency = "EUR" })], []],
            Grid = new[,] { { new Pair<int, Box<string>> { First = 7, Second = new Box<string>("seven") }, default } },
            ByNumber = new Dictionary<int, Box<Coin>> { [8] = new(new Coin { Currency = "USD" }) },
            List = [new Box<int>(4), null],
            Anything = new Box<Coin>(new Coin { Currency = "CHF" }),
            Tagged = new Named<int>(3, "tagged"),
            Car = new Pool<double>.Car { Length = 2.5 },
        };
    }

    // What became of it.
    [Serializable]
    public class Crate<T>(T inside)
    {
        private T _inside = inside;

        public T Inside => _inside;
    }

    [Serializable]
    public class Labelled<T>(T inside, string text) : Crate<T>(inside)
    {
        private string _text = text;

        public string Text => _text;
    }

    [Serializable]
    public struct Couple<TFirst, TSecond>
    {
        public TFirst First;
        public TSecond Second;
    }

    public static class Fleet<T>
    {
        [Serializable]
        public sealed class Ship
        {
            public T? Length;
        }
    }

    [Serializable]
    public struct Cash
    {
        public string Currency;
    }

    [Serializable]
    public sealed class Shipment
    {
        private Crate<int>?[]? _crates;
        public Crate<Crate<string>>? Nested;
        public Crate<Cash>?[][]? Jagged;
        public Couple<int, Crate<string>>[,]? Grid;
        public Dictionary<int, Crate<Cash>>? ByNumber;
        public List<Crate<int>?>? List;
        public object? Anything;
        public Labelled<int>? Tagged;
        [LegacyBinaryName("Car")] public Fleet<double>.Ship? Ship;

        public Crate<int>?[]? Crates => _crates;
    }

    [Serializable, LegacyBinaryName("Old.Thing`1", AssemblyName = Sender)]
    public sealed class Attributed<T>
    {
        public T? Value;
    }

    [Serializable, LegacyBinaryName("Old.Whole`1[[System.Int32, mscorlib]]", AssemblyName = Sender)]
    public sealed class AttributedWhole<T>
    {
        public T? Value;
    }

    [LegacyBinaryContract(typeof(Shipment), typeof(Crate<Cash>))]
    internal static partial class ShipmentContracts;
}
