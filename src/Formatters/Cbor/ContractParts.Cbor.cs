namespace Formatters.Generated;

public static partial class ContractParts
{
    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object CborPart<T, TCode>()
        where TCode : struct, ITraversal<T> => TraversedContract<CborFormat, T, TCode>.Instance;
}
