using System;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// Interprets a reflected contract over boxed values, in any traversal format. It tracks the member path, and so explains the errors of emitted code;
/// if no code can be emitted it does all the work.
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal static partial class WireWalk<TFormat>
    where TFormat : struct, IWireFormat
{
    internal static void Write(ref WireWriter writer, ValueContract contract, object? value)
    {
        switch (contract)
        {
            case PresenceContract when value is null:
                writer.End(ref default(TFormat).WriteNull(ref writer, ref writer.Begin(1)));
                break;
            case PresenceContract presence:
                Write(ref writer, presence.Inner, value);
                break;
            case TraversedRecord record:
                WriteRecord(ref writer, record, value);
                break;
            case ListContract list:
                WriteList(ref writer, list, value);
                break;
            case DictionaryContract dictionary:
                WriteDictionary(ref writer, dictionary, value);
                break;
            case ConvertedContract { ReadAs: SetContract } set when default(TFormat).IsSorted:
                long start = BeginSorted(ref writer);
                Write(ref writer, set.Written, set.ToWritten(value));
                EndSorted(ref writer, start, isMap: false);
                break;
            case ConvertedContract converted:
                Write(ref writer, converted.Written, converted.ToWritten(value));
                break;
            case MultidimensionalArrayContract grid:
                WriteGrid(ref writer, grid, (Array?)value);
                break;
            case UnionContract union:
                WriteUnion(ref writer, union, value);
                break;
            default:
                if (value is null)
                    ContractMethods.ThrowUnexpectedNull();
                CodecOf(contract).WriteBoxed(ref writer, value);
                break;
        }
    }

    internal static object? Read(ref WireReader reader, ValueContract contract, object? existing)
    {
        switch (contract)
        {
            case PresenceContract presence:
                return default(TFormat).TryReadNull(ref reader) ? null : Read(ref reader, presence.Inner, existing);
            case TraversedRecord record:
                return ReadRecord(ref reader, record, existing);
            case ListContract list:
                return ReadList(ref reader, list, existing);
            case DictionaryContract dictionary:
                return ReadDictionary(ref reader, dictionary, existing);
            case ConvertedContract converted:
                return converted.FromRead(Read(ref reader, converted.ReadAs, null));
            case SetContract set:
                int byteOffset = reader.ByteOffset;
                return set.Make(ReadList(ref reader, set.Items, null), byteOffset);
            case MultidimensionalArrayContract grid:
                return ReadGrid(ref reader, grid);
            case UnionContract union:
                return ReadUnion(ref reader, union, existing);
            default:
                object? value = CodecOf(contract).ReadBoxed(ref reader, existing);
                return contract.Type.IsEnum ? Enum.ToObject(contract.Type, value!) : value;
        }
    }

    /// <summary>Returns the codec of a value without nested values.</summary>
    internal static WireCodec<TFormat> CodecOf(ValueContract contract)
    {
        if (contract.Codec is not WireCodec<TFormat> codec)
            contract.Codec = codec = FindCodec(contract);
        return codec;
    }

    private static WireCodec<TFormat> FindCodec(ValueContract contract) => contract switch
    {
        CodecContract { Own: WireCodec<TFormat> own } => own,
        ScalarContract scalar => WireScalarCodecs<TFormat>.Find(scalar.Scalar.Type),
        MemberCodecContract formatted =>
            (WireCodec<TFormat>)Activator.CreateInstance(
                typeof(WireFormattedCodec<,,>).MakeGenericType(typeof(TFormat), formatted.FormatterType, contract.Type))!,
        _ => WireScalarCodecs<TFormat>.Find(contract.Type),
    };

    private static void WriteArrayHeader(ref WireWriter writer, int count) =>
        writer.End(ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref writer.Output.Position, count));

    private static void WriteMapHeader(ref WireWriter writer, int count) =>
        writer.End(ref WireCode.WriteMapHeader<TFormat>(ref writer, ref writer.Output.Position, count));

    private static long BeginSorted(ref WireWriter writer) => WireCode.BeginSorted(ref writer, ref writer.Output.Position);

    private static void EndSorted(ref WireWriter writer, long start, bool isMap) =>
        WireCode.EndSorted<TFormat>(ref writer, ref writer.Output.Position, start, isMap);

    private static string IndexPart(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";

    private static void WriteList(ref WireWriter writer, ListContract contract, object? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        IList list = ListContract.ToList(value);
        int count = list.Count;
        writer.Enter();
        WriteArrayHeader(ref writer, count);
        int i = 0;
        try
        {
            for (; i < count; i++)
                Write(ref writer, contract.Element, contract.ElementAt(list, i));
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        writer.Leave();
    }

    private static IList ReadList(ref WireReader reader, ListContract contract, object? existing)
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, contract.ElementAllocation);
        IList list = contract.Prepare(existing, count);
        reader.Enter();
        int i = 0;
        try
        {
            for (; i < count; i++)
            {
                if (i < list.Count)
                    list[i] = Read(ref reader, contract.Element, list[i]);
                else
                    list.Add(Read(ref reader, contract.Element, null));
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
        }

        reader.Leave();
        return list;
    }

    private static void WriteDictionary(ref WireWriter writer, DictionaryContract contract, object? value)
    {
        IDictionary dictionary = contract.ToDictionary(value);
        if (!default(TFormat).IsSorted)
        {
            WriteEntries(ref writer, contract, dictionary);
            return;
        }

        long start = BeginSorted(ref writer);
        WriteEntries(ref writer, contract, dictionary);
        EndSorted(ref writer, start, isMap: true);
    }

    private static void WriteEntries(ref WireWriter writer, DictionaryContract contract, IDictionary dictionary)
    {
        writer.Enter();
        WriteMapHeader(ref writer, dictionary.Count);
        int i = 0;
        try
        {
            foreach (DictionaryEntry entry in dictionary)
            {
                Write(ref writer, contract.Key, entry.Key);
                Write(ref writer, contract.Value, entry.Value);
                i++;
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        writer.Leave();
    }

    private static IDictionary ReadDictionary(ref WireReader reader, DictionaryContract contract, object? existing)
    {
        int count = default(TFormat).ReadMapHeader(ref reader, contract.EntryAllocation);
        reader.Enter();
        IDictionary dictionary = contract.Prepare(existing, count);
        int i = 0;
        try
        {
            for (; i < count; i++)
            {
                int byteOffset = reader.ByteOffset;
                object key = Read(ref reader, contract.Key, null)!;
                object? value = Read(ref reader, contract.Value, null);
                if (dictionary.Contains(key))
                    ContractMethods.ThrowDuplicateKey(byteOffset);
                dictionary.Add(key, value);
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
        }

        reader.Leave();
        return dictionary;
    }

    private static void WriteGrid(ref WireWriter writer, MultidimensionalArrayContract contract, Array? grid)
    {
        if (grid is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.Enter();
        writer.End(ref WireCode.WriteLengths<TFormat>(ref writer, ref writer.Output.Position, grid));
        writer.Enter();
        WriteArrayHeader(ref writer, grid.Length);
        int i = 0;
        try
        {
            foreach (object? element in grid)
            {
                Write(ref writer, contract.Element, element);
                i++;
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }

        writer.Leave();
        writer.Leave();
    }

    private static Array ReadGrid(ref WireReader reader, MultidimensionalArrayContract contract)
    {
        int[] lengths = WireCode.ReadLengths<TFormat>(ref reader, contract.Type.GetArrayRank(), contract.ElementAllocation, out int count);
        Array items = contract.NewItems(count);
        reader.Enter();
        int i = 0;
        try
        {
            for (; i < count; i++)
                items.SetValue(Read(ref reader, contract.Element, null), i);
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
        }

        reader.Leave();
        reader.Leave();
        return MultidimensionalArrayMethods.ToMultidimensionalArray(items, lengths);
    }

    private static void WriteUnion(ref WireWriter writer, UnionContract union, object? value)
    {
        Type? type = value?.GetType();
        if (type is null)
            ContractMethods.ThrowUnexpectedNull();
        foreach ((int tag, ValueContract contract) in union.Cases)
        {
            if (contract.Type != type)
                continue;
            writer.Enter();
            WriteArrayHeader(ref writer, 2);
            writer.End(ref default(TFormat).Write(ref writer, ref writer.Begin(WireCode.MaxValueByteCount), (long)tag));
            Write(ref writer, contract, value);
            writer.Leave();
            return;
        }

        if (type != union.UnknownType)
            WireCode.ThrowUnlistedCase(value, union.Type);
        writer.End(ref WireCode.WriteUnknownCase<TFormat>(ref writer, ref writer.Output.Position, (IUnknownCase)value!));
    }

    private static object? ReadUnion(ref WireReader reader, UnionContract union, object? existing)
    {
        int tag = WireCode.ReadTag<TFormat>(ref reader, union.Type, out int byteOffset);
        object? value = null;
        foreach ((int caseTag, ValueContract contract) in union.Cases)
        {
            if (caseTag != tag)
                continue;
            value = Read(ref reader, contract, contract.Type.IsInstanceOfType(existing) ? existing : null);
            reader.Leave();
            return value;
        }

        if (union.UnknownMaker is null)
            WireCode.ThrowUnknownCase(tag, byteOffset, union.Type);
        value = WireCode.ReadUnknownCase<TFormat, IUnknownCase>(ref reader, (IUnknownCase)union.UnknownMaker.Make(null), tag, byteOffset);
        reader.Leave();
        return value;
    }
}
