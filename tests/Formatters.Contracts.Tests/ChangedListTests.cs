using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>A list that a getter changes while it is written: the count that stands in the body is that of the elements behind it.</summary>
public class ChangedListTests
{
    public static TheoryData<string> Formats => [.. AllFormats.NamesOf<ChangedList>()];

    public static TheoryData<string> FormatsOfObjects => [.. AllFormats.NamesOf<ChangedObjects>()];

    [Theory]
    [MemberData(nameof(Formats))]
    public void List_IsWrittenAsItWas(string format) =>
        Check(AllFormats.Of<ChangedList>(format), new ChangedList(), static list => list.Items);

    [Theory]
    [MemberData(nameof(FormatsOfObjects))]
    public void ArrayList_IsWrittenAsItWas(string format) =>
        Check(AllFormats.Of<ChangedObjects>(format), new ChangedObjects(), static list => list.Items);

    private static void Check<T>(MessageFormatter<T> formatter, T value, Func<T, IList> itemsOf)
    {
        IList items = itemsOf(value);
        for (int i = 0; i < 4; i++)
        {
            Fill(items).Cast<ChangedItem>().ElementAt(i).Change = () =>
            {
                for (int id = 0; id < 40; id++)
                    items.Add(new ChangedItem { Id = id });
            };
            Assert.Equal([1, 2, 3, 4], itemsOf(formatter.Read(formatter.Write(value))).Cast<ChangedItem>().Select(static item => item.Id));
        }

        // Of one that has become shorter, the elements that are gone may be missed; what is written is whole.
        Fill(items).Cast<ChangedItem>().First().Change = () => items.RemoveAt(3);
        byte[] body;
        try
        {
            body = formatter.Write(value);
        }
        catch (Exception e) when (e is MessageFormatException or ArgumentOutOfRangeException)
        {
            return;
        }

        Assert.Equal(4, itemsOf(formatter.Read(body)).Count);
    }

    private static IList Fill(IList items)
    {
        items.Clear();
        for (int id = 1; id <= 4; id++)
            items.Add(new ChangedItem { Id = id });
        return items;
    }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class ChangedList
{
    [MessageMember(1)] public List<ChangedItem> Items { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class ChangedObjects
{
    [MessageMember(1), ElementType(typeof(ChangedItem))] public ArrayList Items { get; set; } = [];
}

public sealed class ChangedItem
{
    private int _id;

    internal Action? Change { get; set; }

    [MessageMember(1)]
    public int Id
    {
        get
        {
            Action? change = Change;
            Change = null;
            change?.Invoke();
            return _id;
        }
        set => _id = value;
    }
}
