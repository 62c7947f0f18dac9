using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>The generated code of a contract, by format.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IContractParts
{
    /// <summary>Finds the code of one format.</summary>
    /// <param name="format">The format.</param>
    /// <returns>The codec created by <see cref="ContractCode"/>, always the same instance; null if there is none.</returns>
    object? Find(ContractFormats format);
}
