using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO;
#if !NET
using System.Linq;
#endif
using System.Reflection;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Creates formatters for programs that choose the format, or the type of the payload, at run time.</summary>
/// <remarks>Where both are known at compile time, create the formatter of the format: <c>new CborFormatter&lt;Order&gt;()</c>.</remarks>
public static class MessageFormatter
{
    /// <summary>
    /// Creates a formatter with the generated contract of a type, if it has one for the format, otherwise with one found by reflection.
    /// </summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="format">The format.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="format"/> is null.</exception>
    /// <exception cref="ArgumentException">The type has no contract in the format. The message names the member.</exception>
    /// <exception cref="NotSupportedException">XmlSerializer or System.Text.Json does not support the type.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no generated contract, and the program is compiled ahead of time.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public static MessageFormatter<T> Create<T>(WireFormat format, FormatterLimits? limits = null) =>
        NotNull(format).CreateFormatter<T>(format.OptionsWith(limits));

    /// <summary>
    /// Creates a formatter with the generated contract of a type, if it has one for the format, otherwise with one found by reflection.
    /// </summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="format">The format.</param>
    /// <param name="options">The options, of the class that <see cref="WireFormat.DefaultOptions"/> has:
    /// <c>(ContractOptions)format.DefaultOptions with { … }</c>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The options are those of another format; or the type has no contract in the format, and the message names
    /// the member.</exception>
    /// <exception cref="NotSupportedException">XmlSerializer or System.Text.Json does not support the type.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no generated contract, and the program is compiled ahead of time.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public static MessageFormatter<T> Create<T>(WireFormat format, FormatterOptions options) =>
        NotNull(format).CreateFormatter<T>(format.Accept(options));

    /// <summary>Creates a formatter with a generated contract, without reflection, for a format that is chosen at run time.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="format">The format.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> or <paramref name="format"/> is null.</exception>
    /// <exception cref="ArgumentException">No contracts are generated for the format: JSON, legacy binary.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include the format.</exception>
    public static MessageFormatter<T> Create<T>(MessageContract<T> contract, WireFormat format, FormatterLimits? limits = null) =>
        NotNull(format).CreateFormatter(contract ?? throw new ArgumentNullException(nameof(contract)), format.OptionsWith(limits));

    /// <summary>Creates a formatter with a generated contract, without reflection, for a format that is chosen at run time.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="format">The format.</param>
    /// <param name="options">The options, of the class that <see cref="WireFormat.DefaultOptions"/> has.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">No contracts are generated for the format (JSON, legacy binary); or the options are those of another
    /// format, or require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include the format.</exception>
    public static MessageFormatter<T> Create<T>(MessageContract<T> contract, WireFormat format, FormatterOptions options) =>
        NotNull(format).CreateFormatter(contract ?? throw new ArgumentNullException(nameof(contract)), format.Accept(options));

    /// <summary>Creates a formatter for a type that is known only at run time.</summary>
    /// <param name="type">The type of the payload.</param>
    /// <param name="format">The format.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>A <see cref="MessageFormatter{T}"/> of the type.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> or <paramref name="format"/> is null.</exception>
    /// <exception cref="ArgumentException">The type has no contract in the format, or is not a type of objects.</exception>
    /// <exception cref="NotSupportedException">XmlSerializer or System.Text.Json does not support the type.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no generated contract, and the program is compiled ahead of time.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public static IMessageFormatter Create(Type type, WireFormat format, FormatterLimits? limits = null) =>
        Create(type, format, NotNull(format).OptionsWith(limits));

    /// <summary>Creates a formatter for a type that is known only at run time.</summary>
    /// <param name="type">The type of the payload.</param>
    /// <param name="format">The format.</param>
    /// <param name="options">The options, of the class that <see cref="WireFormat.DefaultOptions"/> has.</param>
    /// <returns>A <see cref="MessageFormatter{T}"/> of the type.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The options are those of another format; or the type has no contract in the format, or is not a type of
    /// objects.</exception>
    /// <exception cref="NotSupportedException">XmlSerializer or System.Text.Json does not support the type.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no generated contract, and the program is compiled ahead of time.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public static IMessageFormatter Create(Type type, WireFormat format, FormatterOptions options)
    {
        if (type is null)
            throw new ArgumentNullException(nameof(type));
        NotNull(format).Accept(options);
        if (type.ContainsGenericParameters || type.IsPointer || type.IsByRef || type == typeof(void) || IsByRefLike(type))
            throw new ArgumentException($"{type} is not a type of objects.", nameof(type));
        MethodInfo create = typeof(WireFormat).GetMethod(
            nameof(WireFormat.CreateFormatter), BindingFlags.Instance | BindingFlags.NonPublic, null, [typeof(FormatterOptions)], null)!;
        try
        {
            return (IMessageFormatter)create.MakeGenericMethod(type).Invoke(format, [options])!;
        }
        catch (TargetInvocationException e) when (e.InnerException is not null)
        {
            ExceptionDispatchInfo.Capture(e.InnerException).Throw();
            throw;
        }
    }

    private static WireFormat NotNull(WireFormat format) => format ?? throw new ArgumentNullException(nameof(format));

    private static bool IsByRefLike(Type type) =>
#if NET
        type.IsByRefLike;
#else
        type.CustomAttributes.Any(static attribute => attribute.AttributeType.FullName == "System.Runtime.CompilerServices.IsByRefLikeAttribute");
#endif
}
