using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>
/// Lists the numbers of former members of a type. No member may use one of them again: bodies with the old member may still be in a queue.
/// </summary>
/// <param name="numbers">The numbers.</param>
/// <remarks>The numbers of base classes count as well. A reader skips such a member as it skips any unknown one.</remarks>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, AllowMultiple = true, Inherited = false)]
public sealed class RetiredMembersAttribute(params int[] numbers) : Attribute
{
    /// <summary>Gets the numbers.</summary>
    public IReadOnlyList<int> Numbers { get; } = numbers ?? throw new ArgumentNullException(nameof(numbers));
}
