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

    /// <summary>Goes to a member of the value at a level.</summary>
    internal void Set(int level, string member) => Set(level, (member, -1));

    /// <summary>Goes to an element of the value at a level.</summary>
    internal void Set(int level, int index) => Set(level, (null, index));

    /// <summary>Goes to an element of a member of the value at a level, where the collection has no level of its own.</summary>
    internal void Set(int level, string member, int index) => Set(level, (member, index));

    /// <summary>Goes back to the value at a level.</summary>
    internal void Cut(int level) => _parts.RemoveRange(level, _parts.Count - level);

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

    private void Set(int level, (string?, int) part)
    {
        Cut(level);
        _parts.Add(part);
    }
}
