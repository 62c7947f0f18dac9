using System;
using System.ComponentModel;
using Formatters.Binary;

namespace Formatters.Generated;

/// <summary>The member table of a versioned record, used while it is read. For generated code: nothing here checks its use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct MemberTable
{
    private readonly int _byteOffset;
    private readonly int _maxNumber;
    private readonly int _bytesBehind;

    /// <summary>Reads the byte count of a record and its table.</summary>
    /// <param name="reader">The reader, before the byte count; after the table then.</param>
    /// <exception cref="MessageFormatException">The byte count needs more than remains, or the bytes are not a valid table.</exception>
    public MemberTable(ref BinaryBodyReader reader)
    {
        _bytesBehind = reader.BeginLong();
        _maxNumber = reader.ReadByte();
        _byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> kinds = reader.ReadSpan((_maxNumber + 1) / 2);
        for (int i = 0; i < kinds.Length; i++)
        {
            if ((kinds[i] & 15) == MemberKind.Nullable || kinds[i] >> 4 == MemberKind.Nullable)
                ThrowHelper.ThrowBadKind(_byteOffset + i);
        }

        // Each record has one form: the highest number is that of a member, and the half byte after an odd one is 0.
        if (_maxNumber > 0 && (KindOf(ref reader, _maxNumber) == MemberKind.Absent || _maxNumber % 2 == 1 && kinds[kinds.Length - 1] > 15))
            ThrowHelper.ThrowBadKind(OffsetOf(_maxNumber));
    }

    /// <summary>Gets the number of the next member.</summary>
    public int Number { get; private set; }

    /// <summary>Gets the kind of its value, 1 to 7; plus 8 if a presence byte comes first.</summary>
    public int Kind { get; private set; }

    /// <summary>Advances to the next member.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>False after the last one.</returns>
    public bool Next(ref BinaryBodyReader reader)
    {
        while (Number < _maxNumber)
        {
            Kind = KindOf(ref reader, ++Number);
            if (Kind != MemberKind.Absent)
                return true;
        }

        return false;
    }

    /// <summary>
    /// In traced mode, sets the member in the path; then checks that it has the kind that the contract declares, and reads its presence byte, if it
    /// has one.
    /// </summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="expectedKind">The kind that the contract declares; plus 8 if the member is declared nullable.</param>
    /// <param name="level">The depth of the record.</param>
    /// <param name="member">The name of the member.</param>
    /// <param name="isThere">Set: the body has the member.</param>
    /// <returns>Whether the value follows.</returns>
    /// <exception cref="MessageFormatException">It has another kind, or is a null where none is declared.</exception>
    public readonly bool IsPresent<TMode>(ref BinaryBodyReader reader, int expectedKind, int level, string member, out bool isThere)
        where TMode : struct, IMode
    {
        isThere = true;
        if (typeof(TMode) == typeof(Traced))
            ContractCode.At(ref reader, level, member);
        return IsPresent(ref reader, expectedKind);
    }

    /// <summary>Checks that a member has the kind that the contract declares, and reads its presence byte, if it has one.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="expectedKind">The kind that the contract declares; plus 8 if the member is declared nullable.</param>
    /// <returns>Whether the value follows.</returns>
    /// <exception cref="MessageFormatException">It has another kind, or is a null where none is declared.</exception>
    internal readonly bool IsPresent(ref BinaryBodyReader reader, int expectedKind)
    {
        if (((Kind ^ expectedKind) & 7) != 0)
            ThrowHelper.ThrowMemberMismatch(OffsetOf(Number), Number, Kind, expectedKind);
        if (Kind < MemberKind.Nullable || reader.ReadBoolean())
            return true;
        if (expectedKind < MemberKind.Nullable)
            ThrowHelper.ThrowNullMember(reader.ByteOffset - 1);
        return false;
    }

    /// <summary>Skips a member.</summary>
    /// <param name="reader">The reader.</param>
    public readonly void Skip(ref BinaryBodyReader reader) => reader.SkipMember(Kind);

    /// <summary>Stores an unknown member.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="unknown">Receives the member; created if it is null.</param>
    public readonly void Keep(ref BinaryBodyReader reader, ref UnknownMembers? unknown) =>
        (unknown ??= new UnknownMembers(BodyTypes.Versioned, isMap: false)).Add(ref reader, Number, Kind);

    /// <summary>Checks that the record ends after its last member.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">It does not.</exception>
    public readonly void End(ref BinaryBodyReader reader) => reader.End(_bytesBehind);

    private readonly int KindOf(ref BinaryBodyReader reader, int number) =>
        (reader.ReadAgain(OffsetOf(number), 1)[0] >> (number % 2 == 0 ? 4 : 0)) & 15;

    private readonly int OffsetOf(int number) => _byteOffset + ((number - 1) / 2);
}
