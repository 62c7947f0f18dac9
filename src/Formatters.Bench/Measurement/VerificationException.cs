using System;

namespace Formatters.Bench.Measurement;

/// <summary>What was received is not what was sent: the run is void, exit code 1.</summary>
internal sealed class VerificationException(string message) : Exception(message);
