using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Formatters.Generated;

/// <summary>Where in an object graph the writer or reader is; kept in the second run only, which an error starts.</summary>
internal sealed class MemberPath(string root)
{
    // As MessageFormatException.PrependPath: at the greatest depths the outer part will do.
    private const int MaxCharCount = 1024;

    private readonly List<(string? Member, int Index)> _parts = [(root, -1)];

    /// <summary>How many parts lead to the value that is being written or read.</summary>
    internal int Level => _parts.Count;

    /// <summary>Goes to a member of the value at a level, to an element of it, or to an element of a member where the collection has no level of its own; without
    /// either back to the value.</summary>
    internal void Set(int level, string? member = null, int index = -1)
    {
        _parts.RemoveRange(level, _parts.Count - level);
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
