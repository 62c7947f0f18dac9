namespace Formatters.Generated;

public static partial class ContractParts
{
    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object CompactPart<T, TCode>()
        where TCode : struct, ITraversal<T> => TraversedContract<CompactFormat, T, TCode>.Instance;
}
