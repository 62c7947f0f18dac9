using System;

namespace Formatters.Bench;

/// <summary>The command line asks for something that does not exist: exit code 2.</summary>
internal sealed class UsageException(string message) : Exception(message);
