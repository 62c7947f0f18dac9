namespace Formatters.Bench.Measurement;

/// <summary>A message was received that differs from the one sent: the run is void, exit code 1.</summary>
internal class VerificationException(string message) : Exception(message);

/// <summary>A message that is not of the batch was in its place.</summary>
internal sealed class ForeignMessageException(string message, ReceivedMessage foreign) : VerificationException(message)
{
    /// <summary>The message; it has left the queue.</summary>
    internal ReceivedMessage Foreign { get; } = foreign;
}
