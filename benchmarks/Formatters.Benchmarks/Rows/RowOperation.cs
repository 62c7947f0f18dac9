namespace Formatters.Benchmarks.Rows;

/// <summary>The measured operation of a row.</summary>
internal enum RowOperation
{
    /// <summary>An order to bytes, into a buffer that is reused.</summary>
    Write,

    /// <summary>Bytes to a new order.</summary>
    Read,

    /// <summary>Bytes into an order that exists, keeping what is equal.</summary>
    Overwrite,
}
