namespace Formatters.Benchmarks.Rows;

/// <summary>A row as a measurement sees it.</summary>
internal abstract class MeasuredRow
{
    /// <summary>Gets the length of the body; the mean over several.</summary>
    internal abstract int ByteCount { get; }

    /// <summary>Takes new buffers, new copies of the bodies and a new object to overwrite: their place in memory is a part of the noise.</summary>
    internal abstract void Renew();

    /// <summary>Does an operation many times, in a loop of its own.</summary>
    /// <param name="count">How many times.</param>
    internal abstract void Repeat(RowOperation operation, int count);
}
