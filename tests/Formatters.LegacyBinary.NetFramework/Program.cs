using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Random graphs and shared tests against this runtime's BinaryFormatter. It is given only what it wrote itself, and what we wrote of objects made here.</summary>
internal static class Program
{
    /// <summary>Environment variables <c>FORMATTERS_GRAPHS</c> (how many) and <c>FORMATTERS_SEED</c> make another run, or one again.</summary>
    private static readonly int GraphCount = TestScale.Count("FORMATTERS_GRAPHS", full: 600, quick: 200, night: 10_000);

    private static readonly int Seed = TestScale.Seed(20041120);

    private static int Main()
    {
        int failureCount = 0;
        int testCount = 0;
        foreach (Type type in new[] { typeof(CollectionTests), typeof(SerializableTests), typeof(GeneratedContractTests), typeof(OpenGenericTests) })
        {
            foreach ((string name, Action test) in TestsOf(type))
            {
                testCount++;
                failureCount += Run(name, test);
            }
        }

        foreach (LegacyBinaryTypeFormat format in new[] { LegacyBinaryTypeFormat.TypesAlways, LegacyBinaryTypeFormat.TypesWhenNeeded, LegacyBinaryTypeFormat.XsdString })
            failureCount += Run("random graphs, " + format, () => CompareGraphs(format));
        Console.WriteLine(
            $"{testCount} tests, {GraphCount} graphs from seed {Seed}, and {GraphCount / 10} in each of two other formats, {failureCount} failures, on {RuntimeInformation.FrameworkDescription}.");
        return failureCount == 0 && testCount > 100 ? 0 : 1;
    }

    private static void CompareGraphs(LegacyBinaryTypeFormat format)
    {
        LegacyBinaryOptions options = RandomGraphs.Options with { TypeFormat = format };
        LegacyBinaryFormatter<Graph>[] formatters = [new(options: options), new(GraphContracts.LegacyBinaryContract, options: options)];
        int count = format == LegacyBinaryTypeFormat.TypesAlways ? GraphCount : GraphCount / 10;
        for (int seed = Seed; seed < Seed + count; seed++)
        {
            Graph graph = new RandomGraphs(seed, withStringComparers: format == LegacyBinaryTypeFormat.TypesAlways, withBoxedDecimals: true).Next();
            byte[] theirs = Peer.Write(graph, format);
            foreach (LegacyBinaryFormatter<Graph> formatter in formatters)
            {
                Bodies.AssertEqual(theirs, formatter.Write(graph), $"Seed {seed}: written otherwise");
                // What we write of a graph is what the peer writes: so a graph of which we write the same is the same.
                Bodies.AssertEqual(theirs, formatters[0].Write(formatter.Read(theirs)), $"Seed {seed}: read otherwise");
            }

            var fromPeer = (Graph)Peer.Read(formatters[0].Write(graph));
            Bodies.AssertEqual(Peer.Write(fromPeer, format), formatters[0].Write(fromPeer), $"Seed {seed}: written otherwise after the peer has read it");
        }
    }

    /// <summary>The facts and theories of a class, as xunit would run them.</summary>
    private static IEnumerable<(string Name, Action Test)> TestsOf(Type type)
    {
        object tests = Activator.CreateInstance(type)!;
        foreach (MethodInfo method in type.GetMethods().Where(static m => m.IsDefined(typeof(FactAttribute), inherit: false)))
        {
            List<object?[]> rows = [.. method.GetCustomAttributes<InlineDataAttribute>().SelectMany(a => a.GetData(method))];
            foreach (MemberDataAttribute data in method.GetCustomAttributes<MemberDataAttribute>())
                rows.AddRange(data.GetData(method));
            if (method.GetParameters().Length == 0)
                rows.Add([]);
            foreach (object?[] row in rows)
                yield return ($"{type.Name}.{method.Name}({string.Join(", ", row)})", () => method.Invoke(tests, row));
        }
    }

    private static int Run(string name, Action test)
    {
        try
        {
            test();
            return 0;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Console.WriteLine($"{name}: {(e as TargetInvocationException)?.InnerException ?? e}");
            return 1;
        }
    }
}
