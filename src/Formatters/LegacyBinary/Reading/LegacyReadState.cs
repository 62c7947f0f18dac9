using System;
using System.Collections;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters;

/// <summary>The state of a body while it is read. Reused from body to body, by one thread at a time.</summary>
internal sealed class LegacyReadState
{
    private const int KeptLength = 4096;

    /// <summary>
    /// The memory for array elements that a body may use beyond its budget: a run of nulls takes 5 bytes in it, whatever its length, as at the end of
    /// a list with spare capacity.
    /// </summary>
    private const int FreeElementByteCount = 2 * 1024 * 1024;

    private int _freeElementByteCount = FreeElementByteCount;
    private Fixup[] _fixups = new Fixup[64];
    private readonly List<Fixup> _bagFixups = [];
    private readonly List<LegacyPlaceholder> _placeholders = [];
    private readonly List<(LegacyClassContract Contract, object Value, int ByteOffset)> _completions = [];

    private readonly Dictionary<(ArrayList Source, LegacyListMaker Maker), object> _lists = [];
    private readonly List<(LegacyListMaker Maker, ArrayList Source, object List, string Path, int ByteOffset)> _emptyLists = [];

    internal IdTable<object> Objects { get; } = new();

    internal IdTable<LegacyLibrary> Libraries { get; } = new();

    internal IdTable<LegacyClass> Classes { get; } = new();

    /// <summary>Gets or sets the class of the last record that referred to one, and its id.</summary>
    internal LegacyClass? LastClass { get; set; }

    internal int LastClassId { get; set; }

    /// <summary>Gets the number of values that must still be stored in their locations.</summary>
    internal int FixupCount { get; private set; }

    internal void AddFixup(LegacySlot slot, object target, int index, int id, object? value, int byteOffset)
    {
        var fixup = new Fixup(slot, target, index, id, value, byteOffset);
        if (slot.IsBag)
        {
            _bagFixups.Add(fixup);
            return;
        }

        if (FixupCount == _fixups.Length)
            Array.Resize(ref _fixups, 2 * FixupCount);
        _fixups[FixupCount++] = fixup;
    }

    /// <summary>Takes memory for elements from the amount that every body may use.</summary>
    /// <returns>How much of it there was.</returns>
    internal int TakeFreeElements(long byteCount)
    {
        int taken = (int)Math.Min(byteCount, _freeElementByteCount);
        _freeElementByteCount -= taken;
        return taken;
    }

    internal void AddPlaceholder(LegacyPlaceholder placeholder) => _placeholders.Add(placeholder);

    internal void AddCompletion(LegacyClassContract contract, object value, int byteOffset) => _completions.Add((contract, value, byteOffset));

    /// <summary>
    /// Stores every value in its location after all records have been read: first existing objects, then those created late, then the rest, then the
    /// items of collections.
    /// </summary>
    /// <param name="body">Charged with the collections: many of them can have one array of pairs.</param>
    internal void Finish(ref BinaryBodyReader body)
    {
        SetBagValues();
        if (_placeholders.Count > 0)
        {
            SetWhatIsThere();
            foreach (LegacyPlaceholder placeholder in _placeholders)
                Make(placeholder, ref body, depth: 1);
        }

        // In the order in which they were found: references are stored in a struct before it is stored in an object or an array.
        for (int i = 0; i < FixupCount; i++)
        {
            ref Fixup fixup = ref _fixups[i];
            if (fixup.Slot is null)
                continue;
            object value = Resolve(fixup);
            if (IsOtherList(fixup.Slot, value))
                value = CreateList(fixup.Slot.ListMaker!, (ArrayList)value, fixup.Slot.Path, fixup.ByteOffset);
            fixup.Slot.Set(fixup.Target, fixup.Index, value, fixup.ByteOffset);
        }

        foreach ((LegacyClassContract contract, object value, int byteOffset) in _completions)
            contract.Complete(value, byteOffset);
        FillLists(ref body);
        for (int i = _placeholders.Count - 1; i >= 0; i--)
            Fill(_placeholders[i]);
        for (int i = _placeholders.Count - 1; i >= 0; i--)
        {
            LegacyPlaceholder placeholder = _placeholders[i];
            placeholder.Contract!.AddItems(placeholder.Value!, placeholder.Bag, placeholder.ByteOffset);
        }
    }

    /// <summary>Determines whether a value is an ArrayList where a list of another type is declared.</summary>
    internal static bool IsOtherList(LegacySlot slot, object? value) => value is ArrayList && !slot.IsBag && slot.ListMaker is not null;

    /// <summary>Creates the list for an ArrayList that is the root of the body.</summary>
    internal object ToList(LegacyListMaker maker, ArrayList source, string path, ref BinaryBodyReader body)
    {
        object list = CreateList(maker, source, path, byteOffset: 0);
        FillLists(ref body);
        return list;
    }

    private object CreateList(LegacyListMaker maker, ArrayList source, string path, int byteOffset)
    {
        // Members that share an ArrayList share the list.
        if (!_lists.TryGetValue((source, maker), out object? list))
        {
            list = maker.Create();
            _lists.Add((source, maker), list);
            _emptyLists.Add((maker, source, list, path, byteOffset));
        }

        return list;
    }

    private void FillLists(ref BinaryBodyReader body)
    {
        foreach ((LegacyListMaker maker, ArrayList source, object list, string path, int byteOffset) in _emptyLists)
        {
            body.Charge(byteOffset, source.Count, LegacyKeyedContract.ItemByteCount);
            maker.Fill(list, source, path, byteOffset);
        }

        _emptyLists.Clear();
    }

    /// <summary>
    /// Discards what cannot be reached from the root: pending values, and objects to be created or checked. Every object of the body is a pending
    /// value here.
    /// </summary>
    internal void DropUnreachable(object root)
    {
        // The values of each target, as a list linked through next: the table has the index of the first one, starting at 1.
        var first = new ReferenceTable();
        int[] next = new int[FixupCount + _bagFixups.Count + 1];
        for (int i = 1; i < next.Length; i++)
            next[i] = first.Exchange(FixupAt(i).Target, i);
        var reached = new ReferenceTable();
        var open = new Stack<object>();
        Reach(root);
        while (open.Count > 0)
        {
            object target = open.Pop();
            if (target is LegacyPlaceholder { Contract: not null } placeholder)
                Reach(placeholder.Bag);
            for (int i = first.Find(target); i != 0; i = next[i])
            {
                Fixup fixup = FixupAt(i);
                if ((fixup.Value ?? Find(fixup.Id)) is object value)
                    Reach(value);
            }
        }

        int kept = 0;
        for (int i = 0; i < FixupCount; i++)
        {
            if (reached.Find(_fixups[i].Target) != 0)
                _fixups[kept++] = _fixups[i];
        }

        Array.Clear(_fixups, kept, FixupCount - kept);
        FixupCount = kept;
        _bagFixups.RemoveAll(fixup => reached.Find(fixup.Target) == 0);
        _placeholders.RemoveAll(placeholder => reached.Find(placeholder) == 0);
        _completions.RemoveAll(completion => reached.Find(completion.Value) == 0);

        Fixup FixupAt(int i) => i <= FixupCount ? _fixups[i - 1] : _bagFixups[i - FixupCount - 1];

        void Reach(object value)
        {
            if (reached.Exchange(value, 1) == 0)
                open.Push(value);
        }
    }

    /// <summary>Completes the values from which objects are created late. Those that are created late themselves are awaited.</summary>
    private void SetBagValues()
    {
        Dictionary<object, LegacyPlaceholder>? owners = null;
        foreach (Fixup fixup in _bagFixups)
        {
            object value = Resolve(fixup);
            if (value is LegacyPlaceholder { Contract: not null } awaited)
            {
                owners ??= FindOwners();
                if (owners.TryGetValue(fixup.Target, out LegacyPlaceholder? owner))
                {
                    (owner.Awaited ??= []).Add((fixup.Slot!, awaited, fixup.ByteOffset));
                    continue;
                }
            }

            fixup.Slot!.Set(fixup.Target, fixup.Index, value, fixup.ByteOffset);
        }
    }

    private Dictionary<object, LegacyPlaceholder> FindOwners()
    {
        var owners = new Dictionary<object, LegacyPlaceholder>();
        foreach (LegacyPlaceholder placeholder in _placeholders)
            owners.Add(placeholder.Bag, placeholder);
        return owners;
    }

    /// <summary>
    /// Completes objects as far as possible, for the code that creates others from them. Structs are copied into their locations later, when they are
    /// complete.
    /// </summary>
    private void SetWhatIsThere()
    {
        for (int i = 0; i < FixupCount; i++)
        {
            ref Fixup fixup = ref _fixups[i];
            if (fixup.Slot!.IsValue || Resolve(fixup) is not object value || value is LegacyPlaceholder { Contract: not null }
                || IsOtherList(fixup.Slot, value))
                continue;
            fixup.Slot.Set(fixup.Target, fixup.Index, value, fixup.ByteOffset);
            fixup = default;
        }
    }

    private static void Make(LegacyPlaceholder placeholder, ref BinaryBodyReader body, int depth)
    {
        if (placeholder.Value is not null)
            return;
        if (placeholder.IsBeingMade)
            NrbfThrow.Malformed(placeholder.ByteOffset,
                "Objects of types that write their own members refer to each other in a cycle: give LegacyBinaryOptions.WithSerializable a delegate "
                + "that creates them empty.");
        if (depth > body.Limits.MaxDepth)
            throw new MessageFormatException(MessageFormatErrorCode.DepthExceeded, "Objects are made of each other deeper than allowed.",
                placeholder.ByteOffset);
        if (placeholder.Contract is ILegacyOpenContract { IsFilled: true } filled)
        {
            placeholder.Value = filled.Make(placeholder.Bag, placeholder.Members, placeholder.ByteOffset);
            return;
        }

        placeholder.IsBeingMade = true;
        foreach ((LegacySlot slot, LegacyPlaceholder awaited, int byteOffset) in placeholder.Awaited ?? [])
        {
            Make(awaited, ref body, depth + 1);
            slot.Set(placeholder.Bag, 0, awaited.Value, byteOffset);
        }

        LegacyBagContract contract = placeholder.Contract!;
        int capacity = contract.GetCapacity(placeholder.Bag, placeholder.ByteOffset);
        body.Charge(placeholder.ByteOffset, capacity, LegacyKeyedContract.ItemByteCount);
        placeholder.Value = contract.IsOpen
            ? ((ILegacyOpenContract)contract).Make(placeholder.Bag, placeholder.Members, placeholder.ByteOffset)
            : contract.Make(placeholder.Bag, placeholder.ByteOffset);
    }

    /// <summary>Fills an object that was created empty, after all its values exist.</summary>
    private static void Fill(LegacyPlaceholder placeholder)
    {
        if (placeholder.Contract is not ILegacyOpenContract { IsFilled: true } contract)
            return;
        foreach ((LegacySlot slot, LegacyPlaceholder awaited, int byteOffset) in placeholder.Awaited ?? [])
            slot.Set(placeholder.Bag, 0, awaited.Value, byteOffset);
        contract.Fill(placeholder.Value!, placeholder.Bag, placeholder.Members, placeholder.ByteOffset);
    }

    /// <summary>Returns the object of a reference, or its placeholder.</summary>
    internal object? Find(int id) => Objects.TryGet(id, out object? value) ? value : null;

    internal void Clear()
    {
        Objects.Clear();
        Libraries.Clear();
        Classes.Clear();
        LastClass = null;
        LastClassId = 0;
        _freeElementByteCount = FreeElementByteCount;
        if (_fixups.Length > KeptLength)
            _fixups = new Fixup[64];
        else
            Array.Clear(_fixups, 0, FixupCount);
        FixupCount = 0;
        _bagFixups.Clear();
        _placeholders.Clear();
        _completions.Clear();
        _lists.Clear();
        _emptyLists.Clear();
    }

    private object Resolve(in Fixup fixup)
    {
        object? value = fixup.Value ?? Find(fixup.Id);
        if (value is null)
            NrbfThrow.Malformed(fixup.ByteOffset, "The body refers to an object that it does not have.");
        return value is LegacyPlaceholder { Value: object made } ? made : value;
    }

    private readonly record struct Fixup(LegacySlot? Slot, object Target, int Index, int Id, object? Value, int ByteOffset);
}

/// <summary>A class as described by a body: its contract, and its members in order.</summary>
/// <param name="Contract">The contract; null for a class outside the set, whose objects are skipped.</param>
/// <param name="Members">Its members in the order of the body.</param>
internal sealed record LegacyClass(LegacyClassContract? Contract, LegacyMember[] Members)
{
    /// <summary>Gets the placeholder for its objects if it is undeclared.</summary>
    internal LegacyPlaceholder Undeclared { get; init; } = LegacyPlaceholder.Undeclared;
}
