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
    /// <summary>The number of values of every payload. What both sides share, JudgeTests judges.</summary>
    internal static readonly int ValueCount = TestScale.Values(100);

    private static readonly int Seed = TestScale.Seed(20261121);

    private static readonly Dictionary<string, Func<int, int>> All = new()
    {
        [nameof(Scalars)] = n => Run(Scalars.MessageContract, n),
#if !FORMATTERS_NETSTANDARD
        [nameof(NetScalars)] = n => Run(NetScalars.MessageContract, n),
#endif
        [nameof(Nullables)] = n => Run(Nullables.MessageContract, n),
        [nameof(Collections)] = n => Run(Collections.MessageContract, n),
        [nameof(Derived)] = n => Run(Derived.MessageContract, n),
        [nameof(Positional)] = n => Run(Positional.MessageContract, n),
        [nameof(RecordStruct)] = n => Run(RecordStruct.MessageContract, n),
        [nameof(ReadOnlyPoint)] = n => Run(ReadOnlyPoint.MessageContract, n),
        [nameof(Required)] = n => Run(Required.MessageContract, n),
        [nameof(Empty)] = n => Run(Empty.MessageContract, n),
        [nameof(Node)] = n => Run(Node.MessageContract, n),
        [nameof(HasBoxes)] = n => Run(HasBoxes.MessageContract, n),
        [nameof(PickySetter)] = n => Run(PickySetter.MessageContract, n),
        [nameof(Shape)] = n => Run(Shape.MessageContract, n),
        [nameof(Group)] = n => Run(Group.MessageContract, n),
        [nameof(Drawing)] = n => Run(Drawing.MessageContract, n),
        [nameof(OldDrawing)] = n => Run(OldDrawing.MessageContract, n),
        [nameof(HasPet)] = n => Run(HasPet.MessageContract, n),
        [nameof(HasMoney)] = n => Run(HasMoney.MessageContract, n),
        [nameof(OptIn)] = n => Run(OptIn.MessageContract, n),
        [nameof(OptInDerived)] = n => Run(OptInDerived.MessageContract, n),
        [nameof(Marked)] = n => Run(Marked.MessageContract, n),
        [nameof(CalledRecord)] = n => Run(CalledRecord.MessageContract, n),
        [nameof(CalledStruct)] = n => Run(CalledStruct.MessageContract, n),
        [nameof(Concurrents)] = n => Run(Concurrents.MessageContract, n),
        [nameof(PositionalDerived)] = n => Run(PositionalDerived.MessageContract, n),
        [nameof(HasPart)] = n => Run(HasPart.MessageContract, n),
        [nameof(Vectors)] = n => Run(Vectors.MessageContract, n),
        [nameof(Declared)] = n => Run(Declared.MessageContract, n),
        [nameof(Invoice)] = n => Run(Invoice.MessageContract, n),
        [nameof(HasFormatted)] = n => Run(HasFormatted.MessageContract, n),
        [nameof(Further)] = n => Run(Further.MessageContract, n),
        [nameof(Called)] = n => Run(Called.MessageContract, n),
        [nameof(HasRefusing)] = n => Run(HasRefusing.MessageContract, n),
        [nameof(HasOwn)] = n => Run(HasOwn.MessageContract, n),
        ["Box<string>"] = n => Run(ContextContracts.BoxOfString, n),
        ["List<Place>"] = n => Run(ContextContracts.Places, n),
        ["Dictionary<string, Point?>"] = n => Run(ContextContracts.PointsByName, n),
        ["int[][]"] = n => Run(ContextContracts.Jagged, n),
        ["OwnBody"] = n => Run(ContextContracts.OwnBody, n),
        ["Node, by a context"] = n => Run(ContextContracts.NodeAgain, n),
        ["(int, Point)"] = n => Run(ContextContracts.Pair, n),
        ["string"] = n => Run(ContextContracts.Text, n),
    };

    public static TheoryData<string> Payloads => new(All.Keys.Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Payloads))]
    public void RandomValuesAndMutants_AgreeWithReflection(string payload)
    {
        int failed = All[payload](ValueCount);
        output.WriteLine($"Seed {Seed}: {ValueCount} values, as many mutants, {failed} of them refused.");
    }

    private static int Run<T>(MessageContract<T> contract, int count) =>
        new FormatterPair<T>(new VersionedFormatter<T>(contract), Versions.Reflection<T>()).CheckRandomValues(Seed, count);
}
