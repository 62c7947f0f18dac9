namespace Formatters.Benchmarks.Models;

/// <summary>The code that a user would write by hand for a model, which the formatters are compared with, and a copy that none can beat.</summary>
internal interface IModel<T>
{
    /// <summary>Writes the members over a <see cref="BinaryWriter"/>.</summary>
    static abstract void Save(BinaryWriter w, T value);

    /// <summary>Reads what <see cref="Save"/> has written.</summary>
    static abstract T Load(BinaryReader r);

    /// <summary>Creates the object, its collections and its strings again, from an object in place of a body.</summary>
    static abstract T Copy(T value);
}

/// <summary>The calls that <see cref="BinaryWriter"/> and <see cref="BinaryReader"/> do not have.</summary>
internal static class ModelCode
{
    internal static void Write(this BinaryWriter w, DateTime value) => w.Write(value.ToBinary());

    internal static DateTime ReadDate(this BinaryReader r) => DateTime.FromBinary(r.ReadInt64());

    internal static void Write(this BinaryWriter w, Guid value)
    {
        Span<byte> bytes = stackalloc byte[16];
        value.TryWriteBytes(bytes);
        w.Write(bytes);
    }

    internal static Guid ReadGuid(this BinaryReader r)
    {
        Span<byte> bytes = stackalloc byte[16];
        r.ReadExactly(bytes);
        return new Guid(bytes);
    }

    /// <summary>Writes whether there is a value; the caller writes the value.</summary>
    internal static bool Has<T>(this BinaryWriter w, T? value)
        where T : struct
    {
        w.Write(value.HasValue);
        return value.HasValue;
    }

    internal static void WriteOptional(this BinaryWriter w, string? value)
    {
        w.Write(value is not null);
        if (value is not null)
            w.Write(value);
    }

    internal static string? ReadOptional(this BinaryReader r) => r.ReadBoolean() ? r.ReadString() : null;

    internal static string Copy(string value) => new(value.AsSpan());

    internal static string? CopyOptional(string? value) => value is null ? null : Copy(value);
}

public sealed partial class Person : IModel<Person>
{
    static void IModel<Person>.Save(BinaryWriter w, Person value)
    {
        w.Write(value.X);
        w.Write(value.Y);
        w.Write(value.FirstName);
        w.Write(value.LastName);
    }

    static Person IModel<Person>.Load(BinaryReader r) =>
        new() { X = r.ReadInt32(), Y = r.ReadInt32(), FirstName = r.ReadString(), LastName = r.ReadString() };

    static Person IModel<Person>.Copy(Person value) =>
        new() { X = value.X, Y = value.Y, FirstName = ModelCode.Copy(value.FirstName), LastName = ModelCode.Copy(value.LastName) };
}

public sealed partial class Path3 : IModel<Path3>
{
    static void IModel<Path3>.Save(BinaryWriter w, Path3 value)
    {
        w.Write(value.Points.Length);
        foreach (Vector point in value.Points)
        {
            w.Write(point.X);
            w.Write(point.Y);
            w.Write(point.Z);
        }
    }

    static Path3 IModel<Path3>.Load(BinaryReader r)
    {
        var points = new Vector[r.ReadInt32()];
        for (int i = 0; i < points.Length; i++)
            points[i] = new Vector { X = r.ReadSingle(), Y = r.ReadSingle(), Z = r.ReadSingle() };
        return new Path3 { Points = points };
    }

    static Path3 IModel<Path3>.Copy(Path3 value) => new() { Points = value.Points.AsSpan().ToArray() };
}

public sealed partial class ResponsePage : IModel<ResponsePage>
{
    static void IModel<ResponsePage>.Save(BinaryWriter w, ResponsePage value)
    {
        w.Write(value.Id);
        w.Write(value.Type);
        w.Write(value.Count);
        w.Write(value.Created);
        w.Write(value.Updated);
        w.Write(value.Expires);
        w.Write(value.Previous);
        w.Write(value.Following);
        w.Write(value.Items.Count);
        foreach (ResponseItem item in value.Items)
            item.Save(w);
    }

    static ResponsePage IModel<ResponsePage>.Load(BinaryReader r)
    {
        var page = new ResponsePage
        {
            Id = r.ReadString(), Type = r.ReadString(), Count = r.ReadInt32(), Created = r.ReadDate(), Updated = r.ReadDate(), Expires = r.ReadDate(),
            Previous = r.ReadString(), Following = r.ReadString(),
        };
        int count = r.ReadInt32();
        page.Items = new List<ResponseItem>(count);
        for (int i = 0; i < count; i++)
            page.Items.Add(ResponseItem.Load(r));
        return page;
    }

    static ResponsePage IModel<ResponsePage>.Copy(ResponsePage value)
    {
        var page = new ResponsePage
        {
            Id = ModelCode.Copy(value.Id), Type = ModelCode.Copy(value.Type), Count = value.Count, Created = value.Created, Updated = value.Updated,
            Expires = value.Expires, Previous = ModelCode.Copy(value.Previous), Following = ModelCode.Copy(value.Following),
            Items = new List<ResponseItem>(value.Items.Count),
        };
        foreach (ResponseItem item in value.Items)
            page.Items.Add(item.Copy());
        return page;
    }
}

public sealed partial class ResponseItem
{
    internal void Save(BinaryWriter w)
    {
        w.Write(Id);
        w.Write(Type);
        w.Write(Category);
        w.Write(Description);
        w.Write(Value);
        w.Write(Upvotes);
        w.Write(Created);
        w.Write(IsActive);
    }

    internal static ResponseItem Load(BinaryReader r) => new()
    {
        Id = r.ReadString(), Type = r.ReadString(), Category = r.ReadString(), Description = r.ReadString(), Value = r.ReadInt32(),
        Upvotes = r.ReadSingle(), Created = r.ReadDate(), IsActive = r.ReadBoolean(),
    };

    internal ResponseItem Copy() => new()
    {
        Id = ModelCode.Copy(Id), Type = ModelCode.Copy(Type), Category = ModelCode.Copy(Category), Description = ModelCode.Copy(Description),
        Value = Value, Upvotes = Upvotes, Created = Created, IsActive = IsActive,
    };
}

public sealed partial class NetworkLayer : IModel<NetworkLayer>
{
    static void IModel<NetworkLayer>.Save(BinaryWriter w, NetworkLayer value)
    {
        w.Write(value.Id);
        w.Write(value.Index);
        Save(w, value.Weights);
        Save(w, value.Biases);
        w.Write(value.Updated);
    }

    static NetworkLayer IModel<NetworkLayer>.Load(BinaryReader r) =>
        new() { Id = r.ReadString(), Index = r.ReadInt32(), Weights = Load(r), Biases = Load(r), Updated = r.ReadDate() };

    static NetworkLayer IModel<NetworkLayer>.Copy(NetworkLayer value) => new()
    {
        Id = ModelCode.Copy(value.Id), Index = value.Index, Weights = value.Weights.AsSpan().ToArray(), Biases = value.Biases.AsSpan().ToArray(),
        Updated = value.Updated,
    };

    private static void Save(BinaryWriter w, float[] values)
    {
        w.Write(values.Length);
        foreach (float value in values)
            w.Write(value);
    }

    private static float[] Load(BinaryReader r)
    {
        float[] values = new float[r.ReadInt32()];
        for (int i = 0; i < values.Length; i++)
            values[i] = r.ReadSingle();
        return values;
    }
}

public sealed partial class Answer : IModel<Answer>
{
    static void IModel<Answer>.Save(BinaryWriter w, Answer value)
    {
        Save(w, value.QuestionId);
        Save(w, value.AnswerId);
        Save(w, value.Locked);
        Save(w, value.Created);
        Save(w, value.LastEdit);
        Save(w, value.LastActivity);
        Save(w, value.Score);
        Save(w, value.CommunityOwned);
        Save(w, value.IsAccepted);
        w.WriteOptional(value.Body);
        w.WriteOptional(value.Title);
        Save(w, value.UpVotes);
        Save(w, value.DownVotes);
        w.WriteOptional(value.Link);
        Save(w, value.Upvoted);
        Save(w, value.Downvoted);
        Save(w, value.Accepted);
        Save(w, value.CommentCount);
        if (w.Has(value.Rank))
            w.Write(value.Rank.GetValueOrDefault());
        if (w.Has(value.ViewCount))
            w.Write(value.ViewCount.GetValueOrDefault());
    }

    static Answer IModel<Answer>.Load(BinaryReader r) => new()
    {
        QuestionId = Int32(r), AnswerId = Int32(r), Locked = Date(r), Created = Date(r), LastEdit = Date(r), LastActivity = Date(r), Score = Int32(r),
        CommunityOwned = Date(r), IsAccepted = Boolean(r), Body = r.ReadOptional(), Title = r.ReadOptional(), UpVotes = Int32(r),
        DownVotes = Int32(r), Link = r.ReadOptional(), Upvoted = Boolean(r), Downvoted = Boolean(r), Accepted = Boolean(r), CommentCount = Int32(r),
        Rank = r.ReadBoolean() ? r.ReadDouble() : null, ViewCount = r.ReadBoolean() ? r.ReadInt64() : null,
    };

    static Answer IModel<Answer>.Copy(Answer value) => new()
    {
        QuestionId = value.QuestionId, AnswerId = value.AnswerId, Locked = value.Locked, Created = value.Created, LastEdit = value.LastEdit,
        LastActivity = value.LastActivity, Score = value.Score, CommunityOwned = value.CommunityOwned, IsAccepted = value.IsAccepted,
        Body = ModelCode.CopyOptional(value.Body), Title = ModelCode.CopyOptional(value.Title), UpVotes = value.UpVotes, DownVotes = value.DownVotes,
        Link = ModelCode.CopyOptional(value.Link), Upvoted = value.Upvoted, Downvoted = value.Downvoted, Accepted = value.Accepted,
        CommentCount = value.CommentCount, Rank = value.Rank, ViewCount = value.ViewCount,
    };

    private static void Save(BinaryWriter w, int? value)
    {
        if (w.Has(value))
            w.Write(value.GetValueOrDefault());
    }

    private static void Save(BinaryWriter w, DateTime? value)
    {
        if (w.Has(value))
            w.Write(value.GetValueOrDefault());
    }

    private static void Save(BinaryWriter w, bool? value)
    {
        if (w.Has(value))
            w.Write(value.GetValueOrDefault());
    }

    private static int? Int32(BinaryReader r) => r.ReadBoolean() ? r.ReadInt32() : null;

    private static DateTime? Date(BinaryReader r) => r.ReadBoolean() ? r.ReadDate() : null;

    private static bool? Boolean(BinaryReader r) => r.ReadBoolean() ? r.ReadBoolean() : null;
}

public sealed partial class Login : IModel<Login>
{
    static void IModel<Login>.Save(BinaryWriter w, Login value)
    {
        w.Write(value.Email);
        w.Write(value.Password);
        w.Write(value.RememberMe);
    }

    static Login IModel<Login>.Load(BinaryReader r) => new() { Email = r.ReadString(), Password = r.ReadString(), RememberMe = r.ReadBoolean() };

    static Login IModel<Login>.Copy(Login value) =>
        new() { Email = ModelCode.Copy(value.Email), Password = ModelCode.Copy(value.Password), RememberMe = value.RememberMe };
}

public sealed partial class Location : IModel<Location>
{
    static void IModel<Location>.Save(BinaryWriter w, Location value)
    {
        w.Write(value.Id);
        w.Write(value.Address1);
        w.Write(value.Address2);
        w.Write(value.City);
        w.Write(value.State);
        w.Write(value.PostalCode);
        w.Write(value.Name);
        w.Write(value.PhoneNumber);
        w.Write(value.Country);
    }

    static Location IModel<Location>.Load(BinaryReader r) => new()
    {
        Id = r.ReadInt32(), Address1 = r.ReadString(), Address2 = r.ReadString(), City = r.ReadString(), State = r.ReadString(),
        PostalCode = r.ReadString(), Name = r.ReadString(), PhoneNumber = r.ReadString(), Country = r.ReadString(),
    };

    static Location IModel<Location>.Copy(Location value) => new()
    {
        Id = value.Id, Address1 = ModelCode.Copy(value.Address1), Address2 = ModelCode.Copy(value.Address2), City = ModelCode.Copy(value.City),
        State = ModelCode.Copy(value.State), PostalCode = ModelCode.Copy(value.PostalCode), Name = ModelCode.Copy(value.Name),
        PhoneNumber = ModelCode.Copy(value.PhoneNumber), Country = ModelCode.Copy(value.Country),
    };
}

public sealed partial class EventList : IModel<EventList>
{
    static void IModel<EventList>.Save(BinaryWriter w, EventList value)
    {
        Save(w, value.Current);
        Save(w, value.Future);
        Save(w, value.Past);
    }

    static EventList IModel<EventList>.Load(BinaryReader r) => new() { Current = LoadItems(r), Future = LoadItems(r), Past = LoadItems(r) };

    static EventList IModel<EventList>.Copy(EventList value) =>
        new() { Current = Copy(value.Current), Future = Copy(value.Future), Past = Copy(value.Past) };

    private static void Save(BinaryWriter w, List<EventItem> items)
    {
        w.Write(items.Count);
        foreach (EventItem item in items)
            item.Save(w);
    }

    private static List<EventItem> LoadItems(BinaryReader r)
    {
        int count = r.ReadInt32();
        var items = new List<EventItem>(count);
        for (int i = 0; i < count; i++)
            items.Add(EventItem.Load(r));
        return items;
    }

    private static List<EventItem> Copy(List<EventItem> items)
    {
        var copy = new List<EventItem>(items.Count);
        foreach (EventItem item in items)
            copy.Add(item.Copy());
        return copy;
    }
}

public sealed partial class EventItem
{
    internal void Save(BinaryWriter w)
    {
        w.Write(Id);
        w.Write(Name);
        w.Write(Start);
        w.Write(End);
        w.Write(TimeZone);
        w.Write(Campaign);
        w.Write(Organization);
        w.Write(VolunteerCount);
        w.Write(Tasks.Count);
        foreach (EventTask task in Tasks)
        {
            w.Write(task.Name);
            w.Write(task.Start);
            w.Write(task.End);
        }
    }

    internal static EventItem Load(BinaryReader r)
    {
        var item = new EventItem
        {
            Id = r.ReadInt32(), Name = r.ReadString(), Start = r.ReadDate(), End = r.ReadDate(), TimeZone = r.ReadString(), Campaign = r.ReadString(),
            Organization = r.ReadString(), VolunteerCount = r.ReadInt32(),
        };
        int count = r.ReadInt32();
        item.Tasks = new List<EventTask>(count);
        for (int i = 0; i < count; i++)
            item.Tasks.Add(new EventTask { Name = r.ReadString(), Start = r.ReadDate(), End = r.ReadDate() });
        return item;
    }

    internal EventItem Copy()
    {
        var item = new EventItem
        {
            Id = Id, Name = ModelCode.Copy(Name), Start = Start, End = End, TimeZone = ModelCode.Copy(TimeZone), Campaign = ModelCode.Copy(Campaign),
            Organization = ModelCode.Copy(Organization), VolunteerCount = VolunteerCount, Tasks = new List<EventTask>(Tasks.Count),
        };
        foreach (EventTask task in Tasks)
            item.Tasks.Add(new EventTask { Name = ModelCode.Copy(task.Name), Start = task.Start, End = task.End });
        return item;
    }
}

public sealed partial class Collections : IModel<Collections>
{
    static void IModel<Collections>.Save(BinaryWriter w, Collections value)
    {
        w.Write(value.Bytes.Length);
        w.Write(value.Bytes);
        w.Write(value.Names.Count);
        foreach ((int key, string name) in value.Names)
        {
            w.Write(key);
            w.Write(name);
        }

        w.Write(value.Dates.Length);
        foreach (DateTime date in value.Dates)
            w.Write(date);
        w.Write(value.Numbers.Count);
        foreach (int number in value.Numbers)
            w.Write(number);
    }

    static Collections IModel<Collections>.Load(BinaryReader r)
    {
        var collections = new Collections { Bytes = r.ReadBytes(r.ReadInt32()) };
        int count = r.ReadInt32();
        collections.Names = new Dictionary<int, string>(count);
        for (int i = 0; i < count; i++)
            collections.Names.Add(r.ReadInt32(), r.ReadString());
        collections.Dates = new DateTime[r.ReadInt32()];
        for (int i = 0; i < collections.Dates.Length; i++)
            collections.Dates[i] = r.ReadDate();
        count = r.ReadInt32();
        collections.Numbers = new List<int>(count);
        for (int i = 0; i < count; i++)
            collections.Numbers.Add(r.ReadInt32());
        return collections;
    }

    static Collections IModel<Collections>.Copy(Collections value)
    {
        var names = new Dictionary<int, string>(value.Names.Count);
        foreach ((int key, string name) in value.Names)
            names.Add(key, ModelCode.Copy(name));
        return new Collections
        {
            Bytes = value.Bytes.AsSpan().ToArray(), Names = names, Dates = value.Dates.AsSpan().ToArray(), Numbers = new List<int>(value.Numbers),
        };
    }
}

public sealed partial class Settings : IModel<Settings>
{
    static void IModel<Settings>.Save(BinaryWriter w, Settings value)
    {
        w.Write(value.Values.Count);
        foreach ((string key, string text) in value.Values)
        {
            w.Write(key);
            w.Write(text);
        }
    }

    static Settings IModel<Settings>.Load(BinaryReader r)
    {
        int count = r.ReadInt32();
        var values = new Dictionary<string, string>(count);
        for (int i = 0; i < count; i++)
            values.Add(r.ReadString(), r.ReadString());
        return new Settings { Values = values };
    }

    static Settings IModel<Settings>.Copy(Settings value)
    {
        var values = new Dictionary<string, string>(value.Values.Count);
        foreach ((string key, string text) in value.Values)
            values.Add(ModelCode.Copy(key), ModelCode.Copy(text));
        return new Settings { Values = values };
    }
}

public sealed partial class Tree : IModel<Tree>
{
    static void IModel<Tree>.Save(BinaryWriter w, Tree value)
    {
        w.Write(value.Value);
        Save(w, value.Left);
        Save(w, value.Right);
    }

    static Tree IModel<Tree>.Load(BinaryReader r) => Load(r);

    static Tree IModel<Tree>.Copy(Tree value) => Copy(value)!;

    private static void Save(BinaryWriter w, Tree? value)
    {
        w.Write(value is not null);
        if (value is null)
            return;
        w.Write(value.Value);
        Save(w, value.Left);
        Save(w, value.Right);
    }

    private static Tree Load(BinaryReader r) => new()
    {
        Value = r.ReadInt32(), Left = r.ReadBoolean() ? Load(r) : null, Right = r.ReadBoolean() ? Load(r) : null,
    };

    private static Tree? Copy(Tree? value) =>
        value is null ? null : new Tree { Value = value.Value, Left = Copy(value.Left), Right = Copy(value.Right) };
}

public sealed partial class Mixed : IModel<Mixed>
{
    static void IModel<Mixed>.Save(BinaryWriter w, Mixed value)
    {
        w.Write(value.Id);
        w.Write(value.Tag);
        w.Write(value.Guid);
        w.Write(value.Created);
        w.Write(value.Name);
        w.Write(value.Description);
        w.Write(value.Numbers.Length);
        foreach (int number in value.Numbers)
            w.Write(number);
        w.Write(value.Dates.Count);
        foreach (DateTime date in value.Dates)
            w.Write(date);
        w.Write(value.Names.Count);
        foreach ((int key, string name) in value.Names)
        {
            w.Write(key);
            w.Write(name);
        }

        w.Write(value.Counts.Count);
        foreach ((int key, int count) in value.Counts)
        {
            w.Write(key);
            w.Write(count);
        }
    }

    static Mixed IModel<Mixed>.Load(BinaryReader r)
    {
        var mixed = new Mixed
        {
            Id = r.ReadInt32(), Tag = r.ReadBoolean(), Guid = r.ReadGuid(), Created = r.ReadDate(), Name = r.ReadString(),
            Description = r.ReadString(), Numbers = new int[r.ReadInt32()],
        };
        for (int i = 0; i < mixed.Numbers.Length; i++)
            mixed.Numbers[i] = r.ReadInt32();
        int count = r.ReadInt32();
        mixed.Dates = new List<DateTime>(count);
        for (int i = 0; i < count; i++)
            mixed.Dates.Add(r.ReadDate());
        count = r.ReadInt32();
        mixed.Names = new Dictionary<int, string>(count);
        for (int i = 0; i < count; i++)
            mixed.Names.Add(r.ReadInt32(), r.ReadString());
        count = r.ReadInt32();
        mixed.Counts = new Dictionary<int, int>(count);
        for (int i = 0; i < count; i++)
            mixed.Counts.Add(r.ReadInt32(), r.ReadInt32());
        return mixed;
    }

    static Mixed IModel<Mixed>.Copy(Mixed value)
    {
        var mixed = new Mixed
        {
            Id = value.Id, Tag = value.Tag, Guid = value.Guid, Created = value.Created, Name = ModelCode.Copy(value.Name),
            Description = ModelCode.Copy(value.Description), Numbers = value.Numbers.AsSpan().ToArray(), Dates = new List<DateTime>(value.Dates),
            Names = new Dictionary<int, string>(value.Names.Count), Counts = new Dictionary<int, int>(value.Counts.Count),
        };
        foreach ((int key, string name) in value.Names)
            mixed.Names.Add(key, ModelCode.Copy(name));
        foreach ((int key, int count) in value.Counts)
            mixed.Counts.Add(key, count);
        return mixed;
    }
}

public sealed partial class NumberBag : IModel<NumberBag>
{
    static void IModel<NumberBag>.Save(BinaryWriter w, NumberBag value)
    {
        w.Write(value.A);
        w.Write(value.B);
        w.Write(value.C);
        w.Write(value.D);
        w.Write(value.E);
        w.Write(value.F);
        w.Write(value.G);
        w.Write(value.H);
        w.Write(value.I);
        w.Write(value.J);
    }

    static NumberBag IModel<NumberBag>.Load(BinaryReader r) => new()
    {
        A = r.ReadByte(), B = r.ReadInt16(), C = r.ReadInt32(), D = r.ReadInt64(), E = r.ReadSingle(), F = r.ReadDouble(), G = r.ReadUInt16(),
        H = r.ReadUInt32(), I = r.ReadUInt64(), J = r.ReadBoolean(),
    };

    static NumberBag IModel<NumberBag>.Copy(NumberBag value) => new()
    {
        A = value.A, B = value.B, C = value.C, D = value.D, E = value.E, F = value.F, G = value.G, H = value.H, I = value.I, J = value.J,
    };
}

public sealed partial class Doubles : IModel<Doubles>
{
    static void IModel<Doubles>.Save(BinaryWriter w, Doubles value)
    {
        w.Write(value.Values.Length);
        foreach (double number in value.Values)
            w.Write(number);
    }

    static Doubles IModel<Doubles>.Load(BinaryReader r)
    {
        double[] values = new double[r.ReadInt32()];
        for (int i = 0; i < values.Length; i++)
            values[i] = r.ReadDouble();
        return new Doubles { Values = values };
    }

    static Doubles IModel<Doubles>.Copy(Doubles value) => new() { Values = value.Values.AsSpan().ToArray() };
}

public sealed partial class Integers : IModel<Integers>
{
    static void IModel<Integers>.Save(BinaryWriter w, Integers value)
    {
        w.Write(value.Values.Count);
        foreach (int number in value.Values)
            w.Write(number);
    }

    static Integers IModel<Integers>.Load(BinaryReader r)
    {
        int count = r.ReadInt32();
        var values = new List<int>(count);
        for (int i = 0; i < count; i++)
            values.Add(r.ReadInt32());
        return new Integers { Values = values };
    }

    static Integers IModel<Integers>.Copy(Integers value) => new() { Values = new List<int>(value.Values) };
}

public sealed partial class WordCounts : IModel<WordCounts>
{
    static void IModel<WordCounts>.Save(BinaryWriter w, WordCounts value)
    {
        w.Write(value.Counts.Count);
        foreach ((string word, int count) in value.Counts)
        {
            w.Write(word);
            w.Write(count);
        }
    }

    static WordCounts IModel<WordCounts>.Load(BinaryReader r)
    {
        int count = r.ReadInt32();
        var counts = new Dictionary<string, int>(count);
        for (int i = 0; i < count; i++)
            counts.Add(r.ReadString(), r.ReadInt32());
        return new WordCounts { Counts = counts };
    }

    static WordCounts IModel<WordCounts>.Copy(WordCounts value)
    {
        var counts = new Dictionary<string, int>(value.Counts.Count);
        foreach ((string word, int count) in value.Counts)
            counts.Add(ModelCode.Copy(word), count);
        return new WordCounts { Counts = counts };
    }
}

public sealed partial class Invoice : IModel<Invoice>
{
    static void IModel<Invoice>.Save(BinaryWriter w, Invoice value)
    {
        w.Write(value.Id);
        w.Write(value.Date);
        w.Write(value.Total);
        w.Write(value.Positions.Count);
        foreach (InvoicePosition position in value.Positions)
        {
            w.Write(position.Article);
            w.Write(position.Price);
            w.Write(position.Quantity);
            w.Write(position.Discount);
            w.Write(position.Delivery);
        }
    }

    static Invoice IModel<Invoice>.Load(BinaryReader r)
    {
        var invoice = new Invoice { Id = r.ReadGuid(), Date = r.ReadDate(), Total = r.ReadDecimal() };
        int count = r.ReadInt32();
        invoice.Positions = new List<InvoicePosition>(count);
        for (int i = 0; i < count; i++)
        {
            invoice.Positions.Add(new InvoicePosition
            {
                Article = r.ReadGuid(), Price = r.ReadDecimal(), Quantity = r.ReadDecimal(), Discount = r.ReadDecimal(), Delivery = r.ReadDate(),
            });
        }

        return invoice;
    }

    static Invoice IModel<Invoice>.Copy(Invoice value)
    {
        var positions = new List<InvoicePosition>(value.Positions.Count);
        foreach (InvoicePosition position in value.Positions)
        {
            positions.Add(new InvoicePosition
            {
                Article = position.Article, Price = position.Price, Quantity = position.Quantity, Discount = position.Discount,
                Delivery = position.Delivery,
            });
        }

        return new Invoice { Id = value.Id, Date = value.Date, Total = value.Total, Positions = positions };
    }
}

public sealed partial class Titles : IModel<Titles>
{
    static void IModel<Titles>.Save(BinaryWriter w, Titles value)
    {
        w.Write(value.Values.Count);
        foreach (string title in value.Values)
            w.Write(title);
    }

    static Titles IModel<Titles>.Load(BinaryReader r)
    {
        int count = r.ReadInt32();
        var values = new List<string>(count);
        for (int i = 0; i < count; i++)
            values.Add(r.ReadString());
        return new Titles { Values = values };
    }

    static Titles IModel<Titles>.Copy(Titles value)
    {
        var values = new List<string>(value.Values.Count);
        foreach (string title in value.Values)
            values.Add(ModelCode.Copy(title));
        return new Titles { Values = values };
    }
}
