using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Binary;
using Xunit;

#pragma warning disable FMT128 // That is what is tested.
namespace Formatters.Contracts.Tests;

/// <summary>Objects of classes derived from the declared one: as a payload, with their own Save, in a struct and an ArrayList, and where they are allowed. Where else they may be: MemberPathTests.</summary>
public class DerivedObjectTests
{
    private static readonly BinaryBodyOptions Plain = ByReflection.Binary with { UseCompiledCode = false };
    private static readonly VersionedOptions Versioned = ByReflection.Versioned;

    [Fact]
    public void Write_APayloadOfADerivedClass_IsAnError()
    {
        MessageFormatter<Parcel>[] formatters =
        [
            new BinaryBodyFormatter<Parcel>(Parcel.MessageContract), new BinaryBodyFormatter<Parcel>(ByReflection.Binary), new BinaryBodyFormatter<Parcel>(Plain),
            new VersionedFormatter<Parcel>(Parcel.MessageContract), new VersionedFormatter<Parcel>(Versioned),
            new MessagePackFormatter<Parcel>(Parcel.MessageContract), new MessagePackFormatter<Parcel>(ByReflection.MessagePack), new MessagePackFormatter<Parcel>(Parcel.MessageContract, new MessagePackOptions { IsCanonical = true }),
            new ProtobufFormatter<Parcel>(Parcel.MessageContract), new ProtobufFormatter<Parcel>(ByReflection.Protobuf),
#if !FORMATTERS_NETSTANDARD
            new JsonFormatter<Parcel>(),
            new JsonFormatter<Parcel>(new JsonOptions { SerializerOptions = System.Text.Json.JsonSerializerOptions.Default }),
#endif
        ];
        foreach (MessageFormatter<Parcel> formatter in formatters)
        {
            AssertRefused("Parcel", () => formatter.Write(new HeavyParcel { Id = 1, Weight = 2 }));
            Assert.Equal(1, formatter.Read(formatter.Write(new Parcel { Id = 1 })).Id);
        }
    }

    [Fact]
    public void Write_AnObjectOfADerivedClass_WithItsOwnSave_IsAnError()
    {
        MessageFormatter<Carriage>[] formatters = [new BinaryBodyFormatter<Carriage>(Carriage.MessageContract), new BinaryBodyFormatter<Carriage>(ByReflection.Binary), new BinaryBodyFormatter<Carriage>(Plain)];
        foreach (MessageFormatter<Carriage> formatter in formatters)
        {
            AssertRefused("Carriage.Engine", () => formatter.Write(new Carriage { Engine = new Turbine() }));
            AssertRefused("Carriage.Engines[1]", () => formatter.Write(new Carriage { Engines = [new(), new Turbine()] }));
            AssertRefused("Carriage.Maybe", () => formatter.Write(new Carriage { Maybe = new Turbine() }));
            Assert.Equal(3, formatter.Read(formatter.Write(new Carriage { Engine = new Engine { Power = 3 } })).Engine.Power);
        }

        AssertRefused("Engine", () => new HandCodedFormatter<Engine>().Write(new Turbine()));
        Assert.Equal(4, new HandCodedFormatter<AllowedEngine>().Write(new AllowedTurbine()).Length);
    }

    [Fact]
    public void Write_AnObjectOfADerivedClass_InAStructAndAnArrayList_IsAnError()
    {
        MessageFormatter<Depot>[] formatters = [new BinaryBodyFormatter<Depot>(Depot.MessageContract), new BinaryBodyFormatter<Depot>(ByReflection.Binary), new BinaryBodyFormatter<Depot>(Plain), new MessagePackFormatter<Depot>(Depot.MessageContract), new MessagePackFormatter<Depot>(ByReflection.MessagePack)];
        foreach (MessageFormatter<Depot> formatter in formatters)
        {
            AssertRefused("Depot.Shelf.Parcel", () => formatter.Write(new Depot { Shelf = new DepotShelf { Parcel = new HeavyParcel() } }));
            AssertRefused("Depot.Objects[1]", () => formatter.Write(new Depot { Objects = [new Parcel(), new HeavyParcel()] }));
            AssertRefused("Depot.Grid[1]", () => formatter.Write(new Depot { Grid = new[,] { { new Parcel(), new HeavyParcel() } } }));
            AssertRefused("Depot.Stack[0]", () => formatter.Write(new Depot { Stack = new Stack<Parcel>([new HeavyParcel()]) }));
        }
    }

    [Fact]
    public void Write_AnObjectOfADerivedClass_ThatIsAllowed_IsOfTheDeclaredClass()
    {
        MessageFormatter<Yard>[] formatters =
        [
            new BinaryBodyFormatter<Yard>(Yard.MessageContract), new BinaryBodyFormatter<Yard>(ByReflection.Binary), new BinaryBodyFormatter<Yard>(Plain),
            new VersionedFormatter<Yard>(Yard.MessageContract), new VersionedFormatter<Yard>(Versioned),
            new MessagePackFormatter<Yard>(Yard.MessageContract), new MessagePackFormatter<Yard>(ByReflection.MessagePack),
            new ProtobufFormatter<Yard>(Yard.MessageContract), new ProtobufFormatter<Yard>(ByReflection.Protobuf),
#if !FORMATTERS_NETSTANDARD
            new JsonFormatter<Yard>(),
#endif
        ];
        foreach (MessageFormatter<Yard> formatter in formatters)
        {
            Yard read = formatter.Read(formatter.Write(new Yard { Truck = new TruckProxy { Id = 5 }, Trucks = [new TruckProxy { Id = 6 }] }));
            Assert.Equal((typeof(Truck), 5, 6), (read.Truck.GetType(), read.Truck.Id, read.Trucks.Single().Id));
            // The class that derives does not inherit the permission.
            AssertRefused("Yard.Proxy", () => formatter.Write(new Yard { Proxy = new ProxyOfAProxy() }));
        }
    }

    [Fact]
    public void Write_AnObjectOfADerivedClass_ThatTheOptionsAllow_IsOfTheDeclaredClass()
    {
        MessageFormatter<Parcel>[] formatters =
        [
            new BinaryBodyFormatter<Parcel>(ByReflection.Binary with { AllowDerived = [typeof(Parcel)] }), new BinaryBodyFormatter<Parcel>(Plain with { AllowDerived = [typeof(Engine), typeof(Parcel)] }),
            new VersionedFormatter<Parcel>(Versioned with { AllowDerived = [typeof(Parcel)] }),
            new MessagePackFormatter<Parcel>(MessagePackOptions.Default with { AllowDerived = [typeof(Parcel)] }), new ProtobufFormatter<Parcel>(ProtobufOptions.Default with { AllowDerived = [typeof(Parcel)] }),
        ];
        foreach (MessageFormatter<Parcel> formatter in formatters)
            Assert.Equal(7, formatter.Read(formatter.Write(new HeavyParcel { Id = 7, Weight = 8 })).Id);
        AssertRefused("Parcel", () => new BinaryBodyFormatter<Parcel>(ByReflection.Binary with { AllowDerived = [typeof(Engine)] }).Write(new HeavyParcel()));
        Assert.Equal("type", Assert.Throws<ArgumentNullException>(() => MessagePackOptions.Default with { AllowDerived = [null!] }).ParamName);
        Assert.Equal("type", Assert.Throws<ArgumentException>(() => ProtobufOptions.Default with { AllowDerived = [typeof(HeavyParcel)] }).ParamName);
        Assert.Equal("type", Assert.Throws<ArgumentException>(() => ByReflection.Binary with { AllowDerived = [typeof(IDisposable)] }).ParamName);
    }

    private static void AssertRefused(string path, Func<object> write)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(write);
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, path, -1L, false), (error.Code, error.MemberPath, error.ByteOffset, error.IsPoison));
    }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class Parcel
{
    [MessageMember(1)] public int Id { get; set; }
}

public sealed class HeavyParcel : Parcel
{
    [MessageMember(2)] public int Weight { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public sealed partial class Depot
{
    public DepotShelf Shelf { get; set; } = new() { Parcel = new() };
    [ElementType(typeof(Parcel))] public System.Collections.ArrayList Objects { get; set; } = [];
    public Parcel[,] Grid { get; set; } = new Parcel[0, 0];
    public Stack<Parcel> Stack { get; set; } = [];
}

public struct DepotShelf
{
    public Parcel Parcel { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary)]
public sealed partial class Carriage
{
    public Engine Engine { get; set; } = new();
    public List<Engine> Engines { get; set; } = [];
    public Engine? Maybe { get; set; }
}

public class Engine : IBinaryBody
{
    public int Power { get; set; }

    public virtual void Save(ref BinaryBodyWriter writer) => writer.Write(Power);

    public virtual void Load(ref BinaryBodyReader reader) => Power = reader.ReadInt32();
}

public class Turbine : Engine
{
    public override void Save(ref BinaryBodyWriter writer) => writer.Write("more");
}

[AllowDerived]
public class AllowedEngine : IBinaryBody
{
    public void Save(ref BinaryBodyWriter writer) => writer.Write(1);

    public void Load(ref BinaryBodyReader reader) => reader.ReadInt32();
}

public class AllowedTurbine : AllowedEngine;

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Yard
{
    [MessageMember(1)] public Truck Truck { get; set; } = new();
    [MessageMember(2)] public List<Truck> Trucks { get; set; } = [];
    [MessageMember(3)] public TruckProxy? Proxy { get; set; }
}

[AllowDerived]
public class Truck
{
    [MessageMember(1)] public virtual int Id { get; set; }
}

public class TruckProxy : Truck
{
    public override int Id { get; set; }
}

public class ProxyOfAProxy : TruckProxy;
