using Formatters;

namespace Formatters_Worker;

/// <summary>A message. Members can be added and removed while messages wait: give each a new number, and never use one again.</summary>
[MessageContract]
public sealed partial record OrderPlaced([MessageMember(1)] int Id, [MessageMember(2)] string Customer);
