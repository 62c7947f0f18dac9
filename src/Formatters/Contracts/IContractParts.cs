using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>The code of a generated contract, format by format.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IContractParts
{
    /// <summary>Finds the code of one format.</summary>
    /// <param name="format">The format.</param>
    /// <returns>What <see cref="ContractCode"/> made of it, always the same instance; null if there is none.</returns>
    object? Find(ContractFormats format);
}
