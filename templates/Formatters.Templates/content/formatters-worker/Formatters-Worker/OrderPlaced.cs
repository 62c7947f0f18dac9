namespace Formatters_Worker;

/// <summary>A message. Its body is JSON; <c>[MessageContract]</c> selects another format.</summary>
public sealed record OrderPlaced(int Id, string Customer);
