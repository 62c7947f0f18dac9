using System;
using System.IO;
using System.Linq;
using System.Reflection;
using Formatters.Contracts.Tests;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Generator.Tests.RandomContracts;

using ContractFormats = global::Formatters.ContractFormats;

/// <summary>
/// Contracts of random declarations: their code compiles, nothing is reported of them, and they agree with the contracts by reflection on random values and damaged bodies. The environment variables
/// <c>FORMATTERS_SEED</c> and <c>FORMATTERS_DECLARATIONS</c> (how many seeds from it on) make another run, or one again.
/// </summary>
public class RandomContractTests(ITestOutputHelper output)
{
    private const int ValueCount = 10;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(TestScale.Seed(20261121), TestScale.Count("FORMATTERS_DECLARATIONS", full: 3, quick: 1, night: 100))];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void GeneratedAndByReflection_Agree(int seed)
    {
        var declarations = new RandomDeclarations(seed);
        output.WriteLine(declarations.Source);
        GeneratorDriver driver = Compilations.Driver().RunGeneratorsAndUpdateCompilation(Compilations.Create(declarations.Source), out Compilation compilation, out _);
        Assert.Null(driver.GetRunResult().Results[0].Exception);
        // Classes here derive from each other, which FMT128 warns of.
        Assert.Empty(driver.GetRunResult().Diagnostics.Where(d => d.Id != "FMT128"));
        using var image = new MemoryStream();
        Assert.Empty(compilation.Emit(image).Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error));
        var assembly = Assembly.Load(image.ToArray());
        foreach (string name in declarations.Contracts)
        {
            output.WriteLine(name);
            GetType().GetMethod(nameof(Check), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(assembly.GetType(name, throwOnError: true)!)
                .Invoke(null, BindingFlags.DoNotWrapExceptions, null, [seed], null);
        }
    }

    private static void Check<T>(int seed)
    {
        var contract = (MessageContract<T>)typeof(T).GetProperty("MessageContract", BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)!.GetValue(null)!;
        new FormatterPair<T>(new BinaryBodyFormatter<T>(contract), new BinaryBodyFormatter<T>(ByReflection.Binary)).CheckRandomValues(seed, ValueCount);
        new FormatterPair<T>(new VersionedFormatter<T>(contract), new VersionedFormatter<T>(ByReflection.Versioned)).CheckRandomValues(seed, ValueCount);
        new FormatterPair<T>(new MessagePackFormatter<T>(contract), new MessagePackFormatter<T>(ByReflection.MessagePack)).CheckRandomValues(seed, ValueCount);
        if (contract.Formats.HasFlag(ContractFormats.Protobuf))
            new FormatterPair<T>(new ProtobufFormatter<T>(contract), new ProtobufFormatter<T>(ByReflection.Protobuf)) { RefusesPrefixes = false }.CheckRandomValues(seed, ValueCount);
    }
}
