using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Generated contracts against reflection in the versioned wire format: bytes, acceptance, errors; on good bodies, prefixes and mutants.</summary>
public class VersionedDifferentialTests(ITestOutputHelper output)
{
    /// <summary>The number of values of every payload; with those of all payloads about 100,000.</summary>
    internal static readonly int ValueCount = TestScale.Values(2500);

    private static readonly int Seed = TestScale.Seed(20261121);

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.VersionedContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.VersionedContract, n),
#endif
        [nameof(Nullables)] = n => Run(Nullables.VersionedContract, n),
        [nameof(Collections)] = n => Run(Collections.VersionedContract, n),
        [nameof(Derived)] = n => Run(Derived.VersionedContract, n),
        [nameof(Positional)] = n => Run(Positional.VersionedContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.VersionedContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.VersionedContract, n),
        [nameof(Required)] = n => Run(Required.VersionedContract, n),
        [nameof(Empty)] = n => Run(Empty.VersionedContract, n),
        [nameof(Node)] = n => Run(Node.VersionedContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.VersionedContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.VersionedContract, n),
        [nameof(Shape)] = n => Run(Shape.VersionedContract, n),
        [nameof(Group)] = n => Run(Group.VersionedContract, n),
        [nameof(Drawing)] = n => Run(Drawing.VersionedContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.VersionedContract, n),
        [nameof(HasPet)] = n => Run(HasPet.VersionedContract, n),
        [nameof(HasMoney)] = n => Run(HasMoney.VersionedContract, n),
        [nameof(OptIn)] = n => Run(OptIn.VersionedContract, n),
        [nameof(OptInDerived)] = n => Run(OptInDerived.VersionedContract, n),
        [nameof(Marked)] = n => Run(Marked.VersionedContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.VersionedContract, n),
        [nameof(CalledStruct)] = n => Run(CalledStruct.VersionedContract, n),
        [nameof(Concurrents)] = n => Run(Concurrents.VersionedContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.VersionedContract, n),
        [nameof(HasPart)] = n => Run(HasPart.VersionedContract, n),
        [nameof(Vectors)] = n => Run(Vectors.VersionedContract, n),
        [nameof(Declared)] = n => Run(Declared.VersionedContract, n),
        [nameof(Invoice)] = n => Run(Invoice.VersionedContract, n),
        [nameof(HasFormatted)] = n => Run(HasFormatted.VersionedContract, n),
        [nameof(Further)] = n => Run(Further.VersionedContract, n),
        [nameof(Called)] = n => Run(Called.VersionedContract, n),
        [nameof(HasRefusing)] = n => Run(HasRefusing.VersionedContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.VersionedContract, n),
        ["Box<string>"] = n => Run(ContextContracts.VersionedBoxOfString, n),
        ["List<Place>"] = n => Run(ContextContracts.VersionedPlaces, n),
        ["Dictionary<string, Point?>"] = n => Run(ContextContracts.VersionedPointsByName, n),
        ["int[][]"] = n => Run(ContextContracts.VersionedJagged, n),
        ["OwnBody"] = n => Run(ContextContracts.VersionedOwnBody, n),
        ["Node, by a context"] = n => Run(ContextContracts.VersionedNodeAgain, n),
        ["(int, Point)"] = n => Run(ContextContracts.VersionedPair, n),
        ["string"] = n => Run(ContextContracts.VersionedText, n),
    };

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    private static int Run<T>(VersionedContract<T> contract, int count) =>
        new FormatterPair<T>(new VersionedFormatter<T>(contract), Versions.Reflection<T>()).CheckRandomValues(Seed, count);
}
