using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Formatters.Generator;

/// <summary>FMT301: reports objects written with <c>BinaryFormatter</c>, or with System.Messaging's formatter over it.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class LegacyFormatterAnalyzer : DiagnosticAnalyzer
{
    private const string BinaryFormatter = "System.Runtime.Serialization.Formatters.Binary.BinaryFormatter";

    /// <summary>System.Messaging, and its port to .NET.</summary>
    private static readonly ImmutableArray<string> MessageFormatters =
        ImmutableArray.Create("System.Messaging.BinaryMessageFormatter", "Experimental.System.Messaging.BinaryMessageFormatter");

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Descriptors.LegacyFormatter);

    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(start =>
        {
            if (MessageFormatters.Add(BinaryFormatter).All(name => start.Compilation.GetTypesByMetadataName(name).IsEmpty))
                return;
            start.RegisterOperationAction(AnalyzeCall, OperationKind.Invocation);
            start.RegisterOperationAction(AnalyzeCreation, OperationKind.ObjectCreation);
        });
    }

    private static void AnalyzeCall(OperationAnalysisContext context)
    {
        var call = (IInvocationOperation)context.Operation;
        if (call.TargetMethod.Name == "Serialize" && call.TargetMethod.ContainingType.FullName() == BinaryFormatter
            || call.TargetMethod.Name == "Write" && IsMessageFormatter(call.TargetMethod.ContainingType))
            Report(context, call.TargetMethod.ContainingType, call.Arguments.FirstOrDefault(a => a.Parameter?.Ordinal == 1)?.Value);
    }

    // new Message(order, new BinaryMessageFormatter()) names the type; queue.Formatter = new BinaryMessageFormatter() does not.
    private static void AnalyzeCreation(OperationAnalysisContext context)
    {
        var creation = (IObjectCreationOperation)context.Operation;
        if (creation.Type is not INamedTypeSymbol type || !IsMessageFormatter(type))
            return;
        IOperation? parent = creation.Parent;
        while (parent is IConversionOperation)
            parent = parent.Parent;
        var message = parent is IArgumentOperation { Parent: IObjectCreationOperation outer } ? outer : null;
        Report(context, type, message?.Arguments.FirstOrDefault(
            a => a.Parameter is { Ordinal: 0, Type.SpecialType: SpecialType.System_Object })?.Value);
    }

    // The BinaryMessageFormatter of Formatters.SystemMessaging reads only the types that the program declares.
    private static bool IsMessageFormatter(INamedTypeSymbol type) =>
        type.ContainingAssembly.Name != "Formatters.SystemMessaging" && MessageFormatters.Contains(type.FullName());

    private static void Report(OperationAnalysisContext context, INamedTypeSymbol formatter, IOperation? value)
    {
        while (value is IConversionOperation conversion)
            value = conversion.Operand;
        bool isNamed = value?.Type is { SpecialType: not SpecialType.System_Object };
        string what = isNamed ? $"'{value!.Type!.ShortName()}'" : "The payload";
        string instead = isNamed ? $"VersionedFormatter<{value!.Type!.ShortName()}>" : "a VersionedFormatter";
        context.ReportDiagnostic(Diagnostic.Create(Descriptors.LegacyFormatter, context.Operation.Syntax.GetLocation(), what, formatter.Name,
            instead));
    }
}
