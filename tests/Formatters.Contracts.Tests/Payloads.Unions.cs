using System;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters.Contracts.Tests;

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Group)), MessageUnion(300, typeof(Square)), MessageUnion(4, typeof(Flushing)), MessageUnion(typeof(UnknownShape))]
public abstract partial class Shape
{
    public int Id { get; set; }
}

public sealed class Circle : Shape
{
    public double Radius { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public sealed partial class Group : Shape
{
    public List<Shape?> Shapes { get; set; } = [];
}

public sealed class Square : Shape
{
    public Square(int id, string name) => (Id, Name) = (id, name);

    public string Name { get; }
}

public sealed class Flushing : Shape, IBinaryBody
{
    public int Number { get; set; }

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Number);
        writer.Flush();
    }

    public void Load(ref BinaryBodyReader reader) => Number = reader.ReadInt32();
}

public sealed class UnknownShape : Shape, IUnknownCase
{
    public int Tag { get; set; }
    public ReadOnlyMemory<byte> Body { get; set; }
    public int BodyType { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Drawing
{
    public Shape First { get; set; } = new Circle();
    public List<Shape> Shapes { get; set; } = [];
    public Shape? Maybe { get; set; }
    public int Last { get; set; }
}

// What Drawing was before there were squares.
[MessageUnion(1, typeof(OldCircle)), MessageUnion(typeof(UnknownOldShape))]
public interface IOldShape;

public sealed class OldCircle : IOldShape
{
    public int Id { get; set; }
    public double Radius { get; set; }
}

public sealed class UnknownOldShape : IOldShape, IUnknownCase
{
    public int Tag { get; set; }
    public ReadOnlyMemory<byte> Body { get; set; }
    public int BodyType { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class OldDrawing
{
    public IOldShape First { get; set; } = new OldCircle();
    public List<IOldShape> Shapes { get; set; } = [];
    public IOldShape? Maybe { get; set; }
    public int Last { get; set; }
}

[MessageUnion(0, typeof(Cat)), MessageUnion(127, typeof(Fish))]
public interface IPet;

public class Cat : IPet
{
    public string Name { get; set; } = "";
    public IPet? Prey { get; set; }
}

public struct Fish : IPet
{
    public int Length;
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class HasPet
{
    public int Id;
    public IPet Pet { get; set; } = new Cat();
    public IPet?[] Pets { get; set; } = [];
    public Dictionary<int, IPet> ByNumber { get; set; } = [];
}

[MessageContractFor(typeof(Shape), Name = "OldShape", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(IPet), Name = "Pet", Formats = ContractFormats.Binary | Formats.Traversed)]
internal static partial class UnionContracts;
