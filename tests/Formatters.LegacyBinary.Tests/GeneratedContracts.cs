#pragma warning disable CS8714 // Keys that are Nullable<T>.
using System.Collections;
using System.Collections.Generic;
using Golden;

namespace Formatters.LegacyBinary.Tests;

/// <summary>The types of the random graphs, with code generated for them.</summary>
[LegacyBinaryContract(
    typeof(Graph), typeof(Twig), typeof(SmallTwig), typeof(Leaf), typeof(Point), typeof(Holder), typeof(Dictionary<int, object>), typeof(List<object>),
    typeof(Orders.Address), typeof(Dictionary<string, string>))]
internal static partial class GraphContracts;

/// <summary>The types of the golden bodies, with code generated for them.</summary>
[LegacyBinaryContract(
    typeof(Golden.Order), typeof(Node), typeof(LineItem), typeof(OrderP), typeof(Everything), typeof(Derived), typeof(Money), typeof(Color), typeof(int[]), typeof(List<int>),
    typeof(List<string>))]
internal static partial class GoldenContracts;

/// <summary>Every collection that the library knows, of which code is generated for the generic ones.</summary>
[LegacyBinaryContract(
    typeof(HashSet<string>), typeof(HashSet<int>), typeof(HashSet<System.DayOfWeek>), typeof(SortedSet<int>), typeof(SortedSet<string>), typeof(Queue<int>), typeof(Stack<string>),
    typeof(LinkedList<int>), typeof(SortedDictionary<string, int>), typeof(SortedDictionary<int, string>), typeof(SortedList<int, string>), typeof(SortedList<string, int>),
    typeof(KeyValuePair<int, string>), typeof(System.Tuple<int, string>), typeof((int, string)), typeof(System.Collections.ObjectModel.Collection<int>),
    typeof(System.Collections.ObjectModel.ReadOnlyCollection<int>), typeof(Queue), typeof(Stack),
    typeof(Dictionary<int?, string>), typeof(Dictionary<System.DayOfWeek?, int>), typeof(HashSet<int?>), typeof(SortedSet<int?>), typeof(SortedDictionary<int?, string>))]
internal static partial class CollectionContracts;
