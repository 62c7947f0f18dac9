using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Contracts;
using Formatters.Generated;

namespace Formatters;

/// <summary>Writes and reads any public class or struct in the binary format, with a generated contract or one found by reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or one of the collections and single values listed below.</typeparam>
/// <remarks>
/// <para>The bytes are those of a hand-coded <c>Save</c> over <c>System.IO.BinaryWriter</c> that writes the members in order: those of base classes
/// first; of each class first its fields, then its properties, each as declared. A generated contract and one found by reflection have the same
/// bytes, and the same errors at the same offsets. Wire format and contract: docs/wire/binary.md. Members cannot be added or removed later: see <see
/// cref="VersionedFormatter{T}"/>.</para>
/// <para>Members are the public instance fields, and the public properties with a getter and a setter, <c>init</c>, or a constructor parameter of
/// their name. Those with <c>[IgnoreDataMember]</c>, <c>[XmlIgnore]</c> or <c>[NonSerialized]</c> are left out. Values are those of <see
/// cref="BinaryBodyWriter"/>, enums, <c>byte[]</c>, <c>T[]</c>, <c>List&lt;T&gt;</c>, <c>Dictionary&lt;TKey, TValue&gt;</c> and their interfaces,
/// sets, queues, immutable and other collections of the base library, <c>ArrayList</c> and <c>Hashtable</c> with declared element types (<see
/// cref="ElementTypeAttribute"/>), <c>Nullable&lt;T&gt;</c>, tuples, key-value pairs, other records, unions (<see cref="MessageUnionAttribute"/>),
/// types with their own <c>Save</c> and <c>Load</c> (<see cref="IBinaryBody"/>), which are then used, also for the payload, unless <see
/// cref="BinaryBodyOptions.UseOwnBodies"/> is off, and types and members with a codec (<see cref="MemberCodecAttribute"/>).</para>
/// <para>A member declared nullable (<c>string?</c>, <c>int?</c>) has a presence byte before it; a null in any other is an error. A reference type
/// declared without nullable annotations is not nullable. Writing an object of a class derived from the declared one is an error, unless <see
/// cref="AllowDerivedAttribute"/> or <see cref="ContractOptions.AllowDerived"/> allows it.</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is processed a second time, so setters may run twice.</para>
/// <para>A dictionary with keys that are not strings is created with a comparer that hashes under a random key, so that no sender can choose keys
/// that collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new BinaryBodyFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class BinaryBodyFormatter<T> : BinaryContractFormatter<T>
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for the binary format, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="BinaryBodyOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public BinaryBodyFormatter(BinaryBodyOptions? options = null)
        : base(GetContract(options ?? BinaryBodyOptions.Default, ContractFormats.Binary), (options ?? BinaryBodyOptions.Default).Limits,
            options?.UseUtf16 ?? false, ContentTypes.Binary, BodyTypes.Binary)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="BinaryBodyOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include the binary format.</exception>
    public BinaryBodyFormatter(MessageContract<T> contract, BinaryBodyOptions? options = null)
        : base(GetCodec(contract, options), (options ?? BinaryBodyOptions.Default).Limits, options?.UseUtf16 ?? false,
            ContentTypes.Binary, BodyTypes.Binary)
    {
    }

    private static BinaryCodec<T> GetCodec(MessageContract<T> contract, BinaryBodyOptions? options)
    {
        if (contract is null)
            throw new ArgumentNullException(nameof(contract));
        options?.RequireGenerated(typeof(T));
        return contract.Binary;
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class BinaryBodyFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Binary"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="BinaryBodyOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for the binary format.</exception>
    public static BinaryBodyFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(BinaryBodyOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Binary), options);
}
