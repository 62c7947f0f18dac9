#if !FORMATTERS_NETSTANDARD
using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Xunit;

namespace Formatters.Tests.Json;

/// <summary>What System.Text.Json writes and does not read back is refused when the formatter is created, unless it is allowed by name.</summary>
public partial class JsonLossTests
{
    private static readonly Dictionary<string, Type> Lost = new Type[]
    {
        typeof(GetOnly), typeof(ReadOnlyField), typeof(PrivateSetter), typeof(GetOnlyList), typeof(GetOnlyDictionary), typeof(WithState), typeof(NamedList), typeof(PartlyComputed), typeof(Abstract),
        typeof(NearestBase), typeof(WithoutDiscriminator), typeof(OnesOwnStack), typeof(BigInteger), typeof(Complex), typeof(Rune), typeof(Index), typeof(Range), typeof(Color), typeof(Vector128<int>), typeof(BitVector32),
        typeof(Lazy<int>), typeof(StringBuilder), typeof(PriorityQueue<int, int>), typeof(ConcurrentBag<int>), typeof(ArraySegment<int>), typeof(BitArray), typeof(NameValueCollection), typeof(ReadOnlyCollection<int>),
        typeof(object), typeof(ArrayList), typeof(Dictionary<object, int>), typeof(Stack), typeof(Type), typeof(int[,]), typeof(Stack<BigInteger>), typeof(Lazy<int>[]), typeof(Dictionary<string, Complex?>), typeof(MemoryStream), typeof(StringCollection), typeof(IReadOnlySet<int>),
    }.ToDictionary(type => type.ToString());

    private static readonly Dictionary<string, object> Kept = new object[]
    {
        5, "x", 1.5m, 'x', new DateTime(2004, 11, 20), new DateOnly(2004, 11, 20), TimeSpan.FromHours(1), new Uri("http://a/b"), new Version(1, 2, 3), DayOfWeek.Friday, (Half)1.5f, (Int128)5, (1, "x"), Tuple.Create(1, "x"),
        new KeyValuePair<int, string>(1, "x"), new byte[] { 1, 2 }, new Memory<byte>([1]), new List<int> { 1 }, new Dictionary<DateTime, int> { [new(1)] = 1 }, new Queue<int>([1, 2]), new ConcurrentQueue<int>([1, 2]), new LinkedList<int>([1, 2]),
        new SortedDictionary<string, int> { ["a"] = 1 }, ImmutableArray.Create(1, 2), ImmutableSortedSet.Create(1, 2), new ObservableCollection<string> { "a" }, JsonDocument.Parse("{\"a\":[1]}").RootElement,
        new Point3(1, 2, 3), new Computed { Price = 2, Count = 3 }, new LeftOut { Number = 5 }, new Empty(), new FieldOnly { Number = 5 }, new Vector2(1, 2), new Populated { Items = { 1, 2 } }, new Extended { Rest = new() { ["a"] = 1 } },
        new List<Shape> { new Circle { Radius = 2 }, new Shape() }, new Listed { 1, 2 }, new Included(5), new Stack<int>([1, 2]),
    }.ToDictionary(value => value.GetType().ToString());

    public static TheoryData<string> LostNames => new(Lost.Keys);

    public static TheoryData<string> KeptNames => new(Kept.Keys);

    [Theory]
    [MemberData(nameof(LostNames))]
    public void ATypeThatIsNotReadBack_IsRefused_WhereverItIs(string name)
    {
        Type type = Lost[name];
        foreach (Type payload in new[] { type, typeof(Box<>).MakeGenericType(type), typeof(List<>).MakeGenericType(type), typeof(Dictionary<,>).MakeGenericType(typeof(string), type) })
            Assert.Contains("cannot be read back from JSON", Create(payload)?.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(KeptNames))]
    public void ATypeThatIsReadBack_IsNotRefused(string name)
    {
        object value = Kept[name];
        typeof(JsonLossTests).GetMethod(nameof(CheckKept), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(value.GetType()).Invoke(null, [value]);
    }

    [Fact]
    public void TypesOfTheBaseLibrary_AreReadBackOrRefused()
    {
        int accepted = 0, refused = 0;
        var lost = new List<string>();
        foreach (Type type in BaseLibraryTypes())
        {
            if (Create(type) is not null)
            {
                refused++;
                continue;
            }

            accepted++;
            if (Sample(type, 0) is object value && Difference(value) is string difference)
                lost.Add($"{type}: {difference}");
        }

        Assert.Empty(lost);
        Assert.True(accepted > 100 && refused > 1000, $"{accepted} accepted, {refused} refused");
    }

    [Fact]
    public void ASourceGeneratedContract_IsCheckedToo()
    {
        Assert.Contains("Source.Point, of type GetOnly", Assert.Throws<NotSupportedException>(() => new JsonFormatter<Source>(LossContext.Default.Source)).Message, StringComparison.Ordinal);
        // Without IncludeFields, System.Text.Json writes nothing of a tuple.
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<(int, int)>(LossContext.Default.ValueTupleInt32Int32));
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<GetOnlyList>(new JsonOptions { SerializerOptions = new JsonSerializerOptions() }));
        var formatter = new JsonFormatter<Computed>(LossContext.Default.Computed);
        Assert.Equal(6, formatter.Read(formatter.Write(new Computed { Price = 2, Count = 3 })).Total);
        Assert.Equal(3, new JsonFormatter<Point3>(LossContext.Default.Point3).Read("{\"X\":3}"u8).X);
    }

    [Fact]
    public void ALoss_IsAllowedByName()
    {
        var value = new Source { Number = 5, Point = new GetOnly(3) };
        var byReflection = new JsonFormatter<Source>(new JsonOptions { AllowedLosses = [typeof(GetOnly)] });
        var generated = new JsonFormatter<Source>(LossContext.Default.Source, new JsonOptions { AllowedLosses = [typeof(GetOnly)] });
        Assert.Equal((5, 0), (byReflection.Read(byReflection.Write(value)).Number, generated.Read(byReflection.Write(value)).Point.X));
        Assert.Null(Record.Exception(() => new JsonFormatter<Lazy<int>>(new JsonOptions { AllowedLosses = [typeof(Lazy<>)] })));
        Assert.Throws<NotSupportedException>(() => new JsonFormatter<Lazy<GetOnly>>(new JsonOptions { AllowedLosses = [typeof(Lazy<>)] }));
        Assert.Throws<ArgumentNullException>(() => new JsonOptions { AllowedLosses = null! });
    }

    [Fact]
    public void AStructWithoutAValue_IsTheTypedError()
    {
        MessageFormatException array = Assert.Throws<MessageFormatException>(() => new JsonFormatter<Box<ImmutableArray<int>>>().Write(new()));
        MessageFormatException element = Assert.Throws<MessageFormatException>(() => new JsonFormatter<Box<JsonElement>>().Write(new()));
        Assert.Equal((MessageFormatErrorCode.BadValue, MessageFormatErrorCode.BadValue), (array.Code, element.Code));
    }

    private static IEnumerable<Type> BaseLibraryTypes()
    {
        string folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        foreach (string file in Directory.GetFiles(folder, "System.*.dll"))
        {
            Type[] types;
            try
            {
                types = Assembly.LoadFrom(file).GetExportedTypes();
            }
            catch (Exception e) when (e is BadImageFormatException or FileLoadException or TypeLoadException or FileNotFoundException)
            {
                continue;
            }

            foreach (Type type in types)
            {
                if (type.IsByRefLike || type.IsEnum || type.IsAbstract && type.IsSealed || type == typeof(void))
                    continue;
                Type? closed = type;
                if (type.IsGenericTypeDefinition)
                {
                    closed = null;
                    foreach (Type argument in new[] { typeof(int), typeof(string) })
                    {
                        try
                        {
                            closed ??= type.MakeGenericType([.. type.GetGenericArguments().Select(_ => argument)]);
                        }
                        catch (ArgumentException)
                        {
                        }
                    }
                }

                if (closed is not null)
                    yield return closed;
            }
        }
    }

    private static string? Difference(object value)
    {
        Type formatterType = typeof(JsonFormatter<>).MakeGenericType(value.GetType());
        try
        {
            object formatter = Activator.CreateInstance(formatterType, JsonOptions.Default)!;
            var body = (byte[])formatterType.GetMethod("Write", [value.GetType()])!.Invoke(formatter, [value])!;
            object read = formatterType.GetMethod("Read", [typeof(ReadOnlyMemory<byte>)])?.Invoke(formatter, [new ReadOnlyMemory<byte>(body)])
                ?? formatterType.GetMethod("Read", [typeof(byte[])])!.Invoke(formatter, [body])!;
            string before = Describe(value, 0), after = Describe(read, 0);
            return before == after ? null : $"{Encoding.UTF8.GetString(body)}: {before} <> {after}";
        }
        catch (Exception e)
        {
            return (e.InnerException ?? e).Message;
        }
    }

    private static Exception? Create(Type type)
    {
        try
        {
            Activator.CreateInstance(typeof(JsonFormatter<>).MakeGenericType(type), JsonOptions.Default);
            return null;
        }
        catch (TargetInvocationException e)
        {
            return Assert.IsType<NotSupportedException>(e.InnerException);
        }
    }

    private static void CheckKept<T>(T value)
    {
        var formatter = new JsonFormatter<Box<T>>();
        byte[] body = formatter.Write(new Box<T> { Value = value });
        T? read = formatter.Read(body).Value;
        Assert.Equal(Describe(value, 0), Describe(read, 0));
        Assert.Equal(body, formatter.Write(new Box<T> { Value = read }));
    }

    /// <summary>A value with as little of its default as its public constructors and setters allow.</summary>
    private static object? Sample(Type type, int depth)
    {
        if (depth > 3)
            return null;
        if (type == typeof(string))
            return "3";
        if (type == typeof(Uri))
            return new Uri("http://localhost/a");
        if (type.IsEnum)
            return Enum.ToObject(type, 1);
        if (type.IsPrimitive)
            return Convert.ChangeType(3, type, CultureInfo.InvariantCulture);
        if (type.IsArray || type.IsInterface || type.IsAbstract || typeof(Delegate).IsAssignableFrom(type))
        {
            Type? element = type.IsArray ? type.GetElementType() : type.IsGenericType && type.GetGenericArguments().Length == 1 ? type.GetGenericArguments()[0] : null;
            if (element is null || typeof(Delegate).IsAssignableFrom(type) || !type.IsAssignableFrom(element.MakeArrayType()) || Sample(element, depth + 1) is not object item)
                return null;
            Array array = Array.CreateInstance(element, 1);
            array.SetValue(item, 0);
            return array;
        }

        foreach (ConstructorInfo constructor in type.GetConstructors().OrderByDescending(c => c.GetParameters().Length is > 0 and < 8 ? c.GetParameters().Length : -1))
        {
            try
            {
                object?[] arguments = [.. constructor.GetParameters().Select(p => p.ParameterType.IsByRefLike ? null : Sample(p.ParameterType, depth + 1))];
                if (Array.IndexOf(arguments, null) >= 0)
                    continue;
                object value = constructor.Invoke(arguments);
                Fill(value, depth);
                return value;
            }
            catch (Exception e) when (e is TargetInvocationException or ArgumentException or NotSupportedException or MemberAccessException)
            {
            }
        }

        if (!type.IsValueType || type.ContainsGenericParameters)
            return null;
        object made = Activator.CreateInstance(type)!;
        return Fill(made, depth) ? made : null;
    }

    private static bool Fill(object value, int depth)
    {
        bool isFilled = false;
        foreach (PropertyInfo property in value.GetType().GetProperties().Where(p => p.SetMethod is { IsPublic: true, IsStatic: false } && p.GetIndexParameters().Length == 0))
        {
            try
            {
                if (Sample(property.PropertyType, depth + 1) is object sample)
                {
                    property.SetValue(value, sample);
                    isFilled = true;
                }
            }
            catch (Exception e) when (e is TargetInvocationException or ArgumentException)
            {
            }
        }

        return isFilled;
    }

    private static string Describe(object? value, int depth)
    {
        if (value is null)
            return "null";
        Type type = value.GetType();
        if (type.IsPrimitive || type.IsEnum || value is string or decimal or DateTime or DateTimeOffset or Uri or Type)
            return Convert.ToString(value, CultureInfo.InvariantCulture)!;
        if (depth > 4)
            return type.ToString();
        if (value is JsonElement or JsonNode)
            return JsonSerializer.Serialize(value);
        var text = new StringBuilder(type.ToString()).Append('{');
        if (type.GetMethod("ToString", [])!.DeclaringType == type)
            text.Append(value).Append(';');
        foreach (MemberInfo member in type.GetMembers(BindingFlags.Instance | BindingFlags.Public).OrderBy(m => m.Name, StringComparer.Ordinal))
        {
            try
            {
                if (member is PropertyInfo { CanRead: true, PropertyType.IsByRefLike: false } property && property.GetIndexParameters().Length == 0 && member.Name != "Capacity")
                    text.Append(member.Name).Append('=').Append(Describe(property.GetValue(value), depth + 1)).Append(';');
                else if (member is FieldInfo field)
                    text.Append(member.Name).Append('=').Append(Describe(field.GetValue(value), depth + 1)).Append(';');
            }
            catch (Exception e) when (e is TargetInvocationException or NotSupportedException)
            {
                text.Append(member.Name).Append(" throws;");
            }
        }

        if (value is IEnumerable items)
        {
            foreach (object? item in items)
                text.Append('[').Append(Describe(item, depth + 1)).Append(']');
        }

        return text.Append('}').ToString();
    }

    [JsonSerializable(typeof(Source))]
    [JsonSerializable(typeof(Computed))]
    [JsonSerializable(typeof(Point3))]
    [JsonSerializable(typeof((int, int)))]
    internal sealed partial class LossContext : JsonSerializerContext;

    public sealed class Source
    {
        public int Number { get; set; }

        public GetOnly Point { get; set; }
    }

    public class Box<T>
    {
        public T? Value { get; set; }
    }

    public readonly struct GetOnly(int x)
    {
        public int X { get; } = x;
    }

    public sealed class ReadOnlyField
    {
        public readonly int Number;

        public ReadOnlyField()
        {
        }

        public ReadOnlyField(int value) => Number = value;
    }

    public sealed class PrivateSetter
    {
        public int Number { get; private set; }

        public void Set(int number) => Number = number;
    }

    public sealed class GetOnlyList
    {
        public List<int> Items { get; } = [];
    }

    public sealed class GetOnlyDictionary
    {
        public Dictionary<string, int> Items { get; } = [];
    }

    public sealed class WithState
    {
        private int _number;

        public void Set(int number) => _number = number;

        public int Get() => _number;
    }

    public sealed class NamedList : List<int>
    {
        public string? Name { get; set; }
    }

    public sealed class PartlyComputed
    {
        private int _seen;

        public int Price { get; set; }

        public int Seen => _seen;

        public void See() => _seen++;
    }

    public abstract class Abstract;

    [JsonPolymorphic(UnknownDerivedTypeHandling = JsonUnknownDerivedTypeHandling.FallBackToNearestAncestor)]
    [JsonDerivedType(typeof(Near), "near")]
    public class NearestBase;

    public sealed class Near : NearestBase;

    [JsonDerivedType(typeof(Nameless))]
    public class WithoutDiscriminator;

    public sealed class Nameless : WithoutDiscriminator
    {
        public int Number { get; set; }
    }

    public sealed class OnesOwnStack : Stack<int>;

    public readonly struct Point3
    {
        [JsonConstructor]
        public Point3(int x, int y, int z) => (X, Y, Z) = (x, y, z);

        public int X { get; }

        public int Y { get; }

        public int Z { get; }
    }

    public sealed class Computed
    {
        public int Price { get; set; }

        public int Count { get; set; }

        public int Total => Price * Count;
    }

    public sealed class LeftOut
    {
        public int Number { get; set; }

        [JsonIgnore]
        public List<int> Items { get; } = [];

        public int Twice => Number * 2;
    }

    public sealed class Empty;

    public sealed class FieldOnly
    {
        public int Number;
    }

    public sealed class Populated
    {
        [JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]
        public List<int> Items { get; } = [];
    }

    public sealed class Extended
    {
        [JsonExtensionData]
        public Dictionary<string, object>? Rest { get; set; }
    }

    [JsonDerivedType(typeof(Circle), "circle")]
    public class Shape;

    public sealed class Circle : Shape
    {
        public int Radius { get; set; }
    }

    public sealed class Listed : List<int>;

    public sealed class Included
    {
        public Included()
        {
        }

        public Included(int number) => Number = number;

        [JsonInclude]
        public int Number { get; private set; }
    }
}
#endif
