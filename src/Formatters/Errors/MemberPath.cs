using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Formatters.Generated;

/// <summary>The position of the writer or reader in an object graph; tracked only when generated code is run again after an error.</summary>
internal sealed class MemberPath(string root)
{
    // As in MessageFormatException.PrependPath: at the greatest depths the outer part is sufficient.
    private const int MaxCharCount = 1024;

    private readonly List<(string? Member, int Index)> _parts = [(root, -1)];

    /// <summary>Gets the number of parts that lead to the current value.</summary>
    internal int Depth => _parts.Count;

    /// <summary>
    /// Sets the current part of the value at a depth: a member, an element, or an element of a member whose collection has no depth of its own; with
    /// neither, the value itself.
    /// </summary>
    internal void Set(int depth, string? member = null, int index = -1)
    {
        _parts.RemoveRange(depth, _parts.Count - depth);
        if (member is not null || index >= 0)
            _parts.Add((member, index));
    }

    public override string ToString()
    {
        var text = new StringBuilder();
        foreach ((string? member, int index) in _parts)
        {
            if (text.Length >= MaxCharCount)
                break;
            if (member is not null)
                text.Append(text.Length > 0 ? "." : "").Append(member);
            if (index >= 0)
                text.Append('[').Append(index.ToString(CultureInfo.InvariantCulture)).Append(']');
        }

        return text.ToString();
    }
}
