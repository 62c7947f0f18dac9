using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters.Generated
{
    // Unknown members, stored by a member of type UnknownMembers.
    public static partial class WireCode
    {
        /// <summary>Stores an element of the array form without a member; in a gap only if it is not null.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="reader">The reader, at the element.</param>
        /// <param name="unknown">Receives the element; created for the first.</param>
        /// <param name="index">Its index.</param>
        /// <param name="isGap">Whether members follow.</param>
        /// <exception cref="MessageFormatException">The value is malformed.</exception>
        public static void KeepElement<TFormat>(ref WireReader reader, ref UnknownMembers? unknown, int index, bool isGap)
            where TFormat : struct, IWireFormat
        {
            if (isGap && default(TFormat).TryReadNull(ref reader))
                return;
            unknown ??= new UnknownMembers(default(TFormat).BodyType, isMap: false);
            unknown.AddTraversed<TFormat>(ref reader, index, []);
        }

        /// <summary>Stores an entry of the map form without a member.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="reader">The reader, at the value.</param>
        /// <param name="unknown">Receives the entry; created for the first.</param>
        /// <param name="keyOffset">The offset of the key.</param>
        /// <exception cref="MessageFormatException">The value is malformed.</exception>
        public static void KeepEntry<TFormat>(ref WireReader reader, [NotNull] ref UnknownMembers? unknown, int keyOffset)
            where TFormat : struct, IWireFormat
        {
            unknown ??= new UnknownMembers(default(TFormat).BodyType, isMap: true);
            unknown.AddTraversed<TFormat>(ref reader, -1, reader.Input.ReadAgain(keyOffset).ToArray());
        }

        /// <summary>Returns the stored members to write with an object.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="writer">The writer.</param>
        /// <param name="unknown">The stored members; null for none.</param>
        /// <param name="isMap">Whether the object is written in the map form.</param>
        /// <returns>Null if there are none to write.</returns>
        /// <exception cref="MessageFormatException">The members are of another format or form.</exception>
        public static UnknownMembers? TakeUnknown<TFormat>(ref WireWriter writer, UnknownMembers? unknown, bool isMap)
            where TFormat : struct, IWireFormat => UnknownMembers.Take(unknown, default(TFormat).BodyType, isMap, writer.Limits);

        /// <summary>Returns the number of elements in the array form including the stored ones.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="unknown">The stored elements; null for none.</param>
        /// <param name="count">The number without.</param>
        /// <returns>The greater of both.</returns>
        public static int ElementCount<TFormat>(UnknownMembers? unknown, int count)
            where TFormat : struct, IWireFormat => unknown is null ? count : Math.Max(unknown.CountElements(), count);

        /// <summary>Writes the stored elements for some indexes of the array form, or nulls.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="writer">The writer.</param>
        /// <param name="position">The position of the next byte.</param>
        /// <param name="unknown">The stored elements; null for none.</param>
        /// <param name="from">The first index.</param>
        /// <param name="to">The index after the last.</param>
        /// <returns>The position after it.</returns>
        public static ref byte WriteElements<TFormat>(ref WireWriter writer, ref byte position, UnknownMembers? unknown, int from, int to)
            where TFormat : struct, IWireFormat
        {
            for (int i = from; i < to; i++)
            {
                if (unknown?.FindElement(i) is byte[] value)
                    position = ref writer.WriteRaw(ref position, value);
                else
                    position = ref default(TFormat).WriteNull(ref writer, ref writer.Reserve(ref position, MaxValueByteCount));
            }

            return ref writer.Reserve(ref position, MaxValueByteCount);
        }

        /// <summary>Returns the number of stored entries of the map form that are still without a member.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="unknown">The stored entries; null for none.</param>
        /// <param name="keys">The keys of the members.</param>
        /// <returns>The number.</returns>
        public static int EntryCount<TFormat>(UnknownMembers? unknown, WireKeys keys)
            where TFormat : struct, IWireFormat => unknown is null ? 0 : unknown.FindEntries<TFormat>(keys).Count;

        /// <summary>Writes the stored entries of the map form.</summary>
        /// <typeparam name="TFormat">The format.</typeparam>
        /// <param name="writer">The writer.</param>
        /// <param name="position">The position of the next byte.</param>
        /// <param name="unknown">The stored entries.</param>
        /// <param name="keys">The keys of the members.</param>
        /// <returns>The position after it.</returns>
        public static ref byte WriteEntries<TFormat>(ref WireWriter writer, ref byte position, UnknownMembers unknown, WireKeys keys)
            where TFormat : struct, IWireFormat
        {
            foreach ((byte[] key, byte[] value) in unknown.FindEntries<TFormat>(keys))
            {
                position = ref writer.WriteRaw(ref position, key);
                position = ref writer.WriteRaw(ref position, value);
            }

            return ref position;
        }
    }
}

namespace Formatters
{
    // MessagePack and the other traversal formats: elements by their indexes in the array form, entries by their keys in the map form.
    public sealed partial class UnknownMembers
    {
        // The index is -1 for an entry, the key empty for an element.
        private readonly List<(int Index, byte[] Key, byte[] Value)> _traversed = [];

        internal void AddTraversed<TFormat>(ref WireReader reader, int index, byte[] key)
            where TFormat : struct, IWireFormat
        {
            int byteOffset = reader.ByteOffset;
            ReadOnlySpan<byte> value = reader.ReadRaw<TFormat>();
            reader.Input.CheckCount(byteOffset, 1, 0, key.Length + value.Length + EntryAllocation);
            _traversed.Add((index, key, value.ToArray()));
        }

        internal int CountElements() => _traversed.Count == 0 ? 0 : _traversed[_traversed.Count - 1].Index + 1;

        internal byte[]? FindElement(int index)
        {
            int at = _traversed.FindIndex(v => v.Index == index);
            return at < 0 ? null : _traversed[at].Value;
        }

        internal List<(byte[] Key, byte[] Value)> FindEntries<TFormat>(WireKeys known)
            where TFormat : struct, IWireFormat
        {
            var entries = new List<(byte[], byte[])>();
            foreach ((_, byte[] key, byte[] value) in _traversed)
            {
                if (!known.Contains<TFormat>(key))
                    entries.Add((key, value));
            }

            return entries;
        }

        private bool HasTraversedOf(UnknownMembers other)
        {
            if (other._traversed.Count != _traversed.Count)
                return false;
            for (int i = 0; i < _traversed.Count; i++)
            {
                (int index, byte[] key, byte[] value) = _traversed[i];
                (int otherIndex, byte[] otherKey, byte[] otherValue) = other._traversed[i];
                if (index != otherIndex || !key.AsSpan().SequenceEqual(otherKey)
                    || !value.AsSpan().SequenceEqual(otherValue))
                    return false;
            }

            return true;
        }
    }
}
