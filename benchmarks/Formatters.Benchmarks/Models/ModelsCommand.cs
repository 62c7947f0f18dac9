using System.CommandLine;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Models;

/// <summary>The verb <c>models</c>: other people's payloads, in the formats of this library and of others.</summary>
internal static class ModelsCommand
{
    /// <summary>Parses the arguments after the verb and runs.</summary>
    /// <param name="args">The arguments after <c>models</c>.</param>
    /// <returns>0; 2 if the arguments are wrong.</returns>
    internal static int Run(string[] args, TextWriter output, TextWriter error) => Verb.Run(Create(output, error), args, output, error);

    /// <param name="duration">About how long the whole takes.</param>
    internal static RatioReport Measure(
        IReadOnlyList<Model> models, TimeSpan duration, TextWriter progress, CancellationToken cancellationToken = default)
    {
        var leftOut = new List<string>();
        RatioCase[][] groups = [.. models.SelectMany(model => model.CreateCases(leftOut))];
        foreach (string line in leftOut)
            progress.WriteLine("Left out: " + line);
        return RatioRun.Run(groups, duration, progress, cancellationToken);
    }

    private static Command Create(TextWriter output, TextWriter error)
    {
        string names = string.Join(", ", Model.All.Select(static model => model.Name));
        var chosen = new Option<string[]>("--model")
        {
            Description = $"A model; may be repeated. Default: all of {names}.",
            HelpName = "NAME",
        };
        chosen.Validators.Add(result =>
        {
            foreach (string name in result.GetValueOrDefault<string[]>() ?? [])
            {
                if (!Model.All.Any(model => model.Name == name))
                    result.AddError($"There is no model '{name}'. The models are: {names}.");
            }
        });
        Option<double> seconds = NumberOption.Create(
            "--seconds", "About how long the whole run takes.", 180d, static number => number is > 0 and <= 7200, "a number above 0, up to 7200");
        var tsv = new Option<bool>("--tsv") { Description = "Print tab-separated values: row, payload, operation, ratio, bytes, allocated bytes." };
        var models = new Command(
            "models",
            $"Measures payloads that other projects publish, in the formats of this library and by other libraries. Times "
                + $"are divided by those of hand-written code over {Model.Baseline} and BinaryReader.")
        {
            chosen, seconds, tsv,
        };
        models.SetAction(result =>
        {
            TextWriter facts = result.GetValue(tsv) ? error : output;
            foreach (string line in Machine.Describe())
                facts.WriteLine(line);
            string[] given = result.GetValue(chosen) ?? [];
            RatioReport report = Measure(
                [.. Model.All.Where(model => given.Length == 0 || given.Contains(model.Name))], TimeSpan.FromSeconds(result.GetValue(seconds)),
                    error);
            if (result.GetValue(tsv))
                RatioTable.WriteTsv(output, report);
            else
                RatioTable.WriteText(output, report);
            return 0;
        });
        return models;
    }
}
