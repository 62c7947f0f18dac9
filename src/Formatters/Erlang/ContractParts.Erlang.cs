namespace Formatters.Generated;

public static partial class ContractParts
{
    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object ErlangPart<T, TCode>()
        where TCode : struct, ITraversal<T> => TraversedContract<ErlangFormat, T, TCode>.Instance;
}
