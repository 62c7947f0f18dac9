using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/versioned.md: the values of the binary format, in records with a table of their members.</summary>
/// <param name="writesUtf16">Whether strings that are not ASCII are written in UTF-16; both are read.</param>
internal sealed class VersionedJudge(bool writesUtf16 = false) : BinaryJudge(writesUtf16)
{
    internal override byte[] Likely(Shape shape, Random random)
    {
        byte[] value = LikelyBytes(random, random.Next(2) == 0 ? 8 : 20);
        return [.. BitConverter.GetBytes(value.Length + 2), 1, (byte)(random.Next(3) == 0 ? random.Next(32) : KindOf(shape.Members[0].Shape)), .. value];
    }

    internal override IEnumerable<byte[]> Forms(Shape shape) =>
        base.Forms(shape).Select(value => (byte[])[.. BitConverter.GetBytes(value.Length + 2), 1, (byte)KindOf(shape.Members[0].Shape), .. value]);

    protected override byte[] WriteRecord(Shape shape, object?[] members)
    {
        int last = shape.Members.Max(static member => member.Number);
        int[] kinds = new int[last + 2];
        foreach ((int number, _, Shape member) in shape.Members)
            kinds[number] = KindOf(member);
        byte[][] values = [.. shape.Members.Select((member, i) => (member.Number, Bytes: WriteMember(member.Shape, members[i]))).OrderBy(static member => member.Number).Select(static member => member.Bytes)];
        return WithCount([(byte)last, .. Enumerable.Range(0, (last + 1) / 2).Select(i => (byte)(kinds[(2 * i) + 1] + (kinds[(2 * i) + 2] << 4))), .. values.SelectMany(static value => value)]);
    }

    protected override object?[] ReadRecord(Shape shape, Body from)
    {
        object?[] members = shape.New();
        // A string, bytes or a collection that is missing is empty, or what it is in a new object.
        var within = new Body(from.Take(ReadInt32(from)));
        int last = within.Next();
        byte[] table = within.Take((last + 1) / 2);
        int Kind(int number) => (table[(number - 1) / 2] >> (4 * ((number - 1) % 2))) & 15;
        Refuse(last > 0 && Kind(last) == 0 || last % 2 == 1 && table[^1] >> 4 != 0, "no table");
        for (int number = 1; number <= last; number++)
        {
            int kind = Kind(number), at = Array.FindIndex(shape.Members, member => member.Number == number);
            Refuse(kind == 8, "kind 8");
            if (kind == 0)
                continue;
            Shape? member = at < 0 ? null : shape.Members[at].Shape;
            Refuse(member is not null && (kind & 7) != (KindOf(member) & 7), "another kind");
            byte presence = kind > 8 ? within.Next() : (byte)1;
            Refuse(presence > 1, "no presence byte");
            Refuse(presence == 0 && member is { IsNullable: false }, "null");
            if (member is null && presence == 1)
                within.Take((kind & 7) switch { 6 => ReadTextCount(within).ByteCount, 7 => ReadInt32(within), _ => 1 << ((kind & 7) - 1) });
            else if (member is not null)
                members[at] = presence == 0 ? null : ReadMember(member, within);
        }

        within.End();
        return members;
    }

    protected override byte[] WriteUnion(int tag, byte[] body) => WithCount([.. WriteCount7(tag), .. body]);

    protected override (int Tag, byte[] Body) ReadUnion(Body from)
    {
        var within = new Body(from.Take(ReadInt32(from)));
        return (ReadCount7(within), within.Take(within.Left));
    }

    private static byte[] WithCount(byte[] bytes) => [.. BitConverter.GetBytes(bytes.Length), .. bytes];

    /// <summary>Whether a member of kind 6 or 7 has a length of its own before its bytes.</summary>
    private static bool HasAddedCount(Shape shape) => shape.Kind is ShapeKind.List or ShapeKind.Map || shape.Type == typeof(char) || shape.Type == typeof(DateTimeOffset);

    private static int KindOf(Shape shape) => (shape.IsNullable ? 8 : 0) + KindOf(shape.Kind, shape.Type);

    private static int KindOf(ShapeKind kind, Type type) =>
        kind != ShapeKind.Scalar || type == typeof(byte[]) || type == typeof(BigInteger) ? 7
        : type.IsEnum ? KindOf(kind, type.GetEnumUnderlyingType())
        : type == typeof(string) || type == typeof(Uri) || type == typeof(IPAddress) || type == typeof(char) || type == typeof(DateTimeOffset) ? 6
        : type == typeof(bool) || type == typeof(byte) || type == typeof(sbyte) ? 1
        : type == typeof(short) || type == typeof(ushort) || type == typeof(Half) ? 2
        : type == typeof(int) || type == typeof(uint) || type == typeof(float) || type == typeof(DateOnly) ? 3
        : type == typeof(decimal) || type == typeof(Guid) || type == typeof(Int128) || type == typeof(UInt128) || type == typeof(Version) ? 5 : 4;

    private byte[] WriteMember(Shape shape, object? tree)
    {
        byte[] value = tree is null ? [] : WriteValue(shape, tree);
        byte[] added = tree is null || !HasAddedCount(shape) ? [] : KindOf(shape.Kind, shape.Type) == 6 ? WriteCount7(value.Length) : BitConverter.GetBytes(value.Length);
        return [.. shape.IsNullable ? [(byte)(tree is null ? 0 : 1)] : Array.Empty<byte>(), .. added, .. value];
    }

    private object ReadMember(Shape shape, Body from)
    {
        if (!HasAddedCount(shape))
            return ReadValue(shape, from);
        var within = new Body(from.Take(KindOf(shape.Kind, shape.Type) == 6 ? ReadCount7(from) : ReadInt32(from)));
        object value = ReadValue(shape, within);
        within.End();
        return value;
    }
}
