using System.Collections.Generic;

namespace Formatters;

/// <summary>The further parts of message fields that occur more than once in their containing message, until they are read together.</summary>
internal sealed class MessageParts
{
    /// <summary>The approximate size of a part in memory.</summary>
    internal const int PartAllocation = 32;

    // One field of one message each, in the order of nesting: a message reads its deferred parts before it ends, so the fields of the innermost
    // message come last.
    private readonly List<Field> _deferred = [];
    private readonly Stack<Field> _reading = new();
    private readonly Stack<Field> _unused = new();
    private Field? _selected;

    /// <summary>Gets whether the tag of the selected parts has been read, so that these parts are the value of the field.</summary>
    internal bool IsTagRead { get; private set; }

    /// <summary>Adds a part of a field of the message at a depth.</summary>
    internal void Defer(int depth, uint tag, int byteOffset, int byteCount)
    {
        int index = Find(depth, tag);
        if (index < 0)
        {
            index = _deferred.Count;
            _deferred.Add(_unused.Count > 0 ? _unused.Pop() : new Field());
            _deferred[index].Start(depth, tag);
        }

        _deferred[index].Parts.Add((byteOffset, byteCount));
    }

    /// <summary>Removes the parts of a field, if there are any.</summary>
    internal void Discard(int depth, uint tag)
    {
        int index = Find(depth, tag);
        if (index < 0)
            return;
        _unused.Push(_deferred[index]);
        _deferred.RemoveAt(index);
    }

    /// <summary>Selects a deferred field of the message at a depth, to be read next.</summary>
    /// <returns>Whether there is one.</returns>
    internal bool TrySelect(int depth)
    {
        int last = _deferred.Count - 1;
        if (_selected is not null)
            return true;
        if (last < 0 || _deferred[last].Depth != depth)
            return false;
        _selected = _deferred[last];
        _deferred.RemoveAt(last);
        return true;
    }

    /// <summary>Returns the tag of the selected field.</summary>
    internal uint ReadTag()
    {
        IsTagRead = true;
        return _selected!.Tag;
    }

    /// <summary>Starts reading the selected field, which is a message at a depth.</summary>
    internal void Enter(int depth)
    {
        _selected!.Depth = depth;
        _reading.Push(_selected);
        _selected = null;
        IsTagRead = false;
    }

    /// <summary>Finishes reading the innermost message in parts.</summary>
    internal void Leave() => _unused.Push(_reading.Pop());

    /// <summary>Gets the next part of the message at a depth, if that message is read in parts.</summary>
    internal bool TryGetNext(int depth, out int byteOffset, out int byteCount)
    {
        if (_reading.Count > 0 && _reading.Peek() is { } field && field.Depth == depth && field.ReadPartCount < field.Parts.Count)
        {
            (byteOffset, byteCount) = field.Parts[field.ReadPartCount++];
            return true;
        }

        (byteOffset, byteCount) = (0, 0);
        return false;
    }

    private int Find(int depth, uint tag)
    {
        for (int i = _deferred.Count - 1; i >= 0 && _deferred[i].Depth == depth; i--)
        {
            if (_deferred[i].Tag == tag)
                return i;
        }

        return -1;
    }

    /// <summary>The parts of a field of one message.</summary>
    private sealed class Field
    {
        /// <summary>Gets or sets the depth of the containing message; of the field's own message once it is being read.</summary>
        internal int Depth { get; set; }

        internal uint Tag { get; private set; }

        internal List<(int ByteOffset, int ByteCount)> Parts { get; } = [];

        internal int ReadPartCount { get; set; }

        internal void Start(int depth, uint tag)
        {
            (Depth, Tag, ReadPartCount) = (depth, tag, 0);
            Parts.Clear();
        }
    }
}
