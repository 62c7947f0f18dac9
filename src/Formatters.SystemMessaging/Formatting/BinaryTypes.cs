using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization.Formatters;
using Formatters;
using Formatters.LegacyBinary;
using Formatters.SystemMessaging;

namespace System.Messaging;

/// <summary>The closed set of types in binary bodies, and the formatters for it, which are created again when the set has grown.</summary>
internal static class BinaryTypes
{
    private static readonly Type[] Scalars =
    [
        typeof(bool), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(char), typeof(float), typeof(double), typeof(decimal), typeof(DateTime), typeof(TimeSpan), typeof(string), typeof(Guid),
    ];

    private static readonly Type[] Collections =
    [
        typeof(object[]), typeof(ArrayList), typeof(Hashtable), typeof(DateTimeOffset), typeof(DBNull), typeof(List<string>), typeof(List<int>),
        typeof(List<object>), typeof(Dictionary<string, string>), typeof(Dictionary<string, object>), typeof(Dictionary<string, int>),
        typeof(Dictionary<int, string>),
    ];

    private static readonly object Gate = new();
    private static readonly HashSet<Type> Types = [];
    private static readonly HashSet<Assembly> Assemblies = [];
    private static readonly Dictionary<(bool MatchFullNames, FormatterTypeStyle Style), LegacyBinaryFormatter<object>> Formatters = [];
    private static MessagingConfiguration? _configuration;

    /// <summary>Gets the types that bodies always may have.</summary>
    private static IEnumerable<Type> Known => [.. Scalars, .. Scalars.Select(static type => type.MakeArrayType()), .. Collections];

    internal static Type[] Declared()
    {
        lock (Gate)
        {
            AddConfigured();
            return [.. Types];
        }
    }

    internal static void Add(Type type)
    {
        // Fails for a type that bodies cannot have.
        _ = new LegacyBinaryFormatter<object>(LegacyBinaryOptions.Default.WithType(type));
        lock (Gate)
            AddLocked(type);
    }

    /// <summary>Adds the type of an object that the program writes.</summary>
    /// <returns>Whether it was new.</returns>
    internal static bool AddWritten(Type type)
    {
        lock (Gate)
        {
            if (Types.Contains(type) || Known.Contains(type))
                return false;
        }

        Add(type);
        return true;
    }

    internal static void Add(Assembly assembly)
    {
        lock (Gate)
        {
            if (!Assemblies.Add(assembly))
                return;
        }

        foreach (Type type in assembly.GetTypes())
        {
            if (type.IsSerializable && !type.IsEnum && !type.IsInterface && !type.ContainsGenericParameters
                && !typeof(Delegate).IsAssignableFrom(type) && !typeof(Exception).IsAssignableFrom(type))
            {
                try
                {
                    Add(type);
                }
                catch (ArgumentException)
                {
                    // Bodies cannot have it; a body that does is rejected with its name.
                }
            }
        }
    }

    internal static LegacyBinaryFormatter<object> Reader(FormatterAssemblyStyle style) =>
        Formatter(style == FormatterAssemblyStyle.Full, FormatterTypeStyle.TypesAlways);

    internal static LegacyBinaryFormatter<object> Writer(FormatterTypeStyle style) => Formatter(matchFullNames: false, style);

    private static LegacyBinaryFormatter<object> Formatter(bool matchFullNames, FormatterTypeStyle style)
    {
        lock (Gate)
        {
            AddConfigured();
            if (Formatters.TryGetValue((matchFullNames, style), out LegacyBinaryFormatter<object>? formatter))
                return formatter;
            var options = new LegacyBinaryOptions
            {
                MatchFullAssemblyNames = matchFullNames,
                TypeFormat = style switch
                {
                    FormatterTypeStyle.TypesWhenNeeded => LegacyBinaryTypeFormat.TypesWhenNeeded,
                    FormatterTypeStyle.XsdString => LegacyBinaryTypeFormat.XsdString,
                    _ => LegacyBinaryTypeFormat.TypesAlways,
                },
            };
            foreach (Type type in Known.Concat(Types))
                options = options.WithType(type);
            return Formatters[(matchFullNames, style)] = new LegacyBinaryFormatter<object>(options);
        }
    }

    private static void AddConfigured()
    {
        MessagingConfiguration configuration = MessagingConfiguration.Current;
        if (ReferenceEquals(configuration, _configuration))
            return;
        _configuration = configuration;
        foreach (string name in configuration.AllowedTypes)
        {
            AddLocked(TypesOfTheProgram.Find(name) ?? throw new InvalidOperationException(
                $"The type '{name}' in the setting {nameof(MessagingConfiguration.AllowedTypes)} does not exist."));
        }

        foreach (string name in configuration.AllowedAssemblies)
        {
            Add(TypesOfTheProgram.ResolveAssembly(new AssemblyName(name)) ?? throw new InvalidOperationException(
                $"The assembly '{name}' in the setting {nameof(MessagingConfiguration.AllowedAssemblies)} does not exist."));
        }
    }

    private static void AddLocked(Type type)
    {
        if (Types.Add(type))
            Formatters.Clear();
    }
}
