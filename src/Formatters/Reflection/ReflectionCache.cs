using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>The contract of a type under the default options, made once. Two threads may make it twice; one of the two stays.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal static class ReflectionCache<T>
{
    private static volatile ValueContract? _contract;
#if NET
    private static volatile CompiledContract<T>? _compiled;

    internal static CompiledContract<T> Compiled => _compiled ??= new CompiledContract<T>(Contract);
#endif

    internal static ValueContract Contract => _contract ??= ContractBuilder.Build(typeof(T), ReflectionOptions.Default);
}
