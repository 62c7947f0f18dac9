using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.Generator;

/// <summary>Compares the contracts with <c>formatters.schema.json</c>; without the file it does nothing.</summary>
internal static class SchemaOutput
{
    internal const string FileName = "formatters.schema.json";

    /// <summary>The name of the step that outputs the changes, for tests.</summary>
    internal const string ChangesStep = "SchemaChanges";

    /// <summary>The property of a diagnostic with the updated content of the file.</summary>
    internal const string TextProperty = "Schema";

    /// <summary>The file from which the target UpdateFormattersSchema takes the content, in a comment.</summary>
    private const string UpdateHint = "formatters.schema.g.cs";

    internal static void Register(IncrementalGeneratorInitializationContext context,
        IncrementalValueProvider<ImmutableArray<EquatableArray<SchemaRecord>>> records, IncrementalValueProvider<bool> areGood)
    {
        IncrementalValueProvider<SchemaFile?> file = context.AdditionalTextsProvider
            .Where(static f => string.Equals(Path.GetFileName(f.Path), FileName, StringComparison.OrdinalIgnoreCase))
            .Select(static (f, token) => SchemaJson.Read(f.Path, f.GetText(token)?.ToString() ?? "")).Collect()
            .Select(static (files, _) => files.FirstOrDefault());
        IncrementalValueProvider<bool> isUpdate = context.AnalyzerConfigOptionsProvider.Select(static (options, _) =>
            options.GlobalOptions.TryGetValue("build_property.UpdateFormattersSchema", out string? value)
            && string.Equals(value, "true", StringComparison.OrdinalIgnoreCase));
        IncrementalValueProvider<SchemaState?> state = records.Combine(areGood).Combine(file).Combine(isUpdate)
            .Select(static (input, _) => SchemaState.Create(input.Left.Left.Left, input.Left.Left.Right, input.Left.Right, input.Right))
            .WithTrackingName(ChangesStep);
        context.RegisterSourceOutput(state, static (c, state) =>
        {
            if (state is { IsUpdate: true })
                c.AddSource(UpdateHint, SourceText.From("/*\n" + state.Text + "*/\n", Encoding.UTF8));
        });
        context.RegisterSourceOutput(state.Combine(context.CompilationProvider), static (c, input) =>
        {
            if (input.Left is SchemaState { IsUpdate: false } state)
                Report(c, state, input.Right);
        });
    }

    private static void Report(SourceProductionContext context, SchemaState state, Compilation compilation)
    {
        SchemaFile file = state.File!;
        if (file.Error is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(Descriptors.SchemaUnreadable, InFile(file, file.ErrorLine), FileName, file.Error));
            return;
        }

        ImmutableDictionary<string, string?> properties = ImmutableDictionary<string, string?>.Empty.Add(TextProperty, state.Text);
        foreach (SchemaChange change in state.Changes)
        {
            string what = change.Member.Length == 0 ? change.Record : change.Record + "." + change.Member;
            Location location = Find(compilation, change) ?? InFile(file, 0);
            context.ReportDiagnostic(Diagnostic.Create(change.IsBreaking ? Descriptors.SchemaBroken : Descriptors.SchemaOutdated, location,
                properties, what, change.What));
        }
    }

    private static Location InFile(SchemaFile file, int line) =>
        Location.Create(file.Path, new TextSpan(0, 0), new LinePositionSpan(new LinePosition(line, 0), new LinePosition(line, 0)));

    /// <summary>Returns the name of a member in the map form of MessagePack; empty for a symbol that is not a member.</summary>
    private static string WireNameOf(ISymbol symbol)
    {
        ITypeSymbol? type = symbol is IFieldSymbol field ? field.Type : (symbol as IPropertySymbol)?.Type;
        return type is null ? "" : PackedMark.Of(Member.Of(symbol), null).Name ?? symbol.Name;
    }

    /// <summary>Finds the location of the member in the source, or of its type.</summary>
    private static Location? Find(Compilation compilation, SchemaChange change)
    {
        // For a generic type the location is the definition: N.Box<string> is declared as N.Box<T>.
        int generic = change.Record.IndexOf('<');
        string[] names = (generic < 0 ? change.Record : change.Record.Substring(0, generic)).Split('.');
        IEnumerable<INamespaceOrTypeSymbol> found = [compilation.Assembly.GlobalNamespace];
        foreach (string name in names)
            found = found.SelectMany(s => s.GetMembers(name.TrimStart('@')).OfType<INamespaceOrTypeSymbol>()
                .Concat(s is ITypeSymbol type && name == names[names.Length - 1] && type.GetMembers(name).Length == 0 ? [s] : [])).ToArray();
        INamedTypeSymbol? record = found.OfType<INamedTypeSymbol>().FirstOrDefault();
        string memberName = change.IsByWireName ? change.Member : change.Member.Split('#')[0];
        ISymbol? member = record is null
            ? null
            : Symbols.Levels(record).Reverse().SelectMany(l => l.GetMembers())
            .FirstOrDefault(m => m.CanBeReferencedByName && (change.IsByWireName ? WireNameOf(m) : m.Name) == memberName);
        return (member ?? record)?.LocationIn(compilation);
    }
}

/// <summary>The state of the snapshot, from which diagnostics are reported.</summary>
/// <param name="File">The snapshot; null if there is none yet.</param>
/// <param name="Changes">The changes since.</param>
/// <param name="Text">The content that it should have.</param>
/// <param name="IsUpdate">Whether it is being updated, so that no change is reported.</param>
internal sealed record SchemaState(SchemaFile? File, EquatableArray<SchemaChange> Changes, string Text, bool IsUpdate)
{
    internal static SchemaState? Create(ImmutableArray<EquatableArray<SchemaRecord>> files, bool areGood, SchemaFile? snapshot, bool isUpdate)
    {
        if (snapshot is null && !isUpdate)
            return null;
        EquatableArray<SchemaRecord> old = snapshot?.Records ?? default;
        // The members of contracts with errors are unknown, so the snapshot is kept.
        if (!areGood)
            files = files.Add(old.Where(o => !files.Any(f => f.Any(r => r.Name == o.Name && r.Format == o.Format))).ToEquatable());
        EquatableArray<SchemaRecord> records = SchemaBuilder.Merge(files, old);
        return new SchemaState(snapshot, SchemaComparison.Compare(records, old), SchemaJson.Print(records), isUpdate);
    }
}
