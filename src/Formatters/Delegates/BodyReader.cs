using System;

namespace Formatters.Custom;

/// <summary>Reads a value from a whole body.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <param name="body">The whole body; it is valid only during the call.</param>
/// <returns>The payload.</returns>
public delegate T BodyReader<out T>(ReadOnlySpan<byte> body);
