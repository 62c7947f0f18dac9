using System;
using System.Collections.Generic;
using System.IO;

namespace Formatters.Mutants;

/// <summary>A bug of mutants.txt.</summary>
internal sealed class Mutant
{
    /// <summary>From 1; FORMATTERS_MUTANT has it where the bug is to be on.</summary>
    public required int Number { get; init; }

    public required string Name { get; init; }

    public required string File { get; init; }

    /// <summary>The text that the bug replaces; once in the file.</summary>
    public required string Old { get; init; }

    public required string New { get; init; }

    public required string Project { get; init; }

    public required string Filter { get; init; }

    /// <summary>Why it could not be woven in; null if it was.</summary>
    public string? Problem { get; set; }

    public static IReadOnlyList<Mutant> ReadList(string path)
    {
        var mutants = new List<Mutant>();
        string[] lines = System.IO.File.ReadAllLines(path);
        for (int at = 0; at < lines.Length; at++)
        {
            if (lines[at].Length == 0 || lines[at].StartsWith('#'))
                continue;
            if (at + 5 >= lines.Length)
                throw new InvalidDataException($"{path}: line {at + 1}: a mutant has six lines: its name, file, old text, new text, project and filter.");
            mutants.Add(new Mutant
            {
                Number = mutants.Count + 1,
                Name = lines[at],
                File = lines[at + 1],
                Old = lines[at + 2],
                New = lines[at + 3],
                Project = lines[at + 4],
                Filter = lines[at + 5],
            });
            at += 5;
        }

        return mutants;
    }
}
