using System.CommandLine;

namespace Formatters.Benchmarks.Rows;

/// <summary>The option <c>--row</c> of the verbs.</summary>
internal static class RowOption
{
    /// <summary>Makes the option; it takes names of <see cref="RowCatalog"/>, in any case.</summary>
    public static Option<string[]> Create(string description)
    {
        var rows = new Option<string[]>("--row") { Description = description, HelpName = "NAME" };
        rows.Validators.Add(static result =>
        {
            foreach (string name in result.GetValueOrDefault<string[]>() ?? [])
            {
                if (RowCatalog.Find(name) is null)
                    result.AddError($"There is no row '{name}'. The rows are: {RowCatalog.Names}.");
            }
        });
        return rows;
    }
}
