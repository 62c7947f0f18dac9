namespace Formatters.Benchmarks.Generators;

/// <param name="ContractCount">How many contracts the project has.</param>
/// <param name="RoundCount">How many rounds of edits were measured.</param>
/// <param name="ProcessCount">How many new processes each generator had.</param>
internal sealed record GeneratorReport(IReadOnlyList<GeneratorRow> Rows, int ContractCount, int RoundCount, int ProcessCount);

/// <param name="Name">The generator.</param>
/// <param name="CharCount">How many characters it generates.</param>
/// <param name="First">Its first runs in a new process.</param>
/// <param name="Compile">Milliseconds of the compilation of the result.</param>
/// <param name="Edits">For each of <see cref="GeneratorProject.Edits"/> the milliseconds of the rounds.</param>
internal sealed record GeneratorRow(string Name, long CharCount, GeneratorFirstRun First, double Compile, IReadOnlyList<List<double>> Edits);
