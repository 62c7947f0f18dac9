using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Runtime.Serialization;

namespace Formatters.Tools.Migrate;

/// <summary>Assemblies of the user, with the assemblies they need beside them, and with this tool's own where it has them: then the formatters are of the
/// same types on both sides.</summary>
internal sealed class UserAssemblies : AssemblyLoadContext
{
    private readonly List<AssemblyDependencyResolver> _resolvers = [];
    private readonly List<Assembly> _assemblies = [];
    private readonly Assembly[] _known;

    /// <summary>Loads assemblies.</summary>
    /// <param name="files">The files of the assemblies.</param>
    /// <param name="known">Assemblies of this tool whose types can be named, too.</param>
    /// <exception cref="UsageException">A file is missing, or no assembly for this runtime.</exception>
    internal UserAssemblies(IEnumerable<FileInfo> files, params Assembly[] known)
    {
        _known = known;
        foreach (FileInfo file in files)
        {
            if (!file.Exists)
                throw new UsageException($"There is no assembly '{file.FullName}'.");
            try
            {
                _resolvers.Add(new AssemblyDependencyResolver(file.FullName));
                _assemblies.Add(LoadFromAssemblyPath(file.FullName));
            }
            catch (Exception e) when (e is BadImageFormatException or FileLoadException or InvalidOperationException)
            {
                throw new UsageException($"'{file.FullName}' cannot be loaded: {e.Message}");
            }
        }
    }

    /// <summary>Returns the methods of serializable types that BinaryFormatter calls when it has read an object.</summary>
    internal IEnumerable<MethodInfo> DeserializationCallbacks() => PublicTypes()
        .SelectMany(static type => type.GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
        .Where(static method => method.IsDefined(typeof(OnDeserializingAttribute), inherit: false)
            || method.IsDefined(typeof(OnDeserializedAttribute), inherit: false)
            || (method.Name.EndsWith(nameof(IDeserializationCallback.OnDeserialization), StringComparison.Ordinal)
                && typeof(IDeserializationCallback).IsAssignableFrom(method.DeclaringType)));

    /// <summary>The public types of the assemblies; those that need an assembly that is missing are left out.</summary>
    internal IEnumerable<Type> PublicTypes()
    {
        return _assemblies.SelectMany(TypesOf).Where(static type => type.IsVisible);

        static IEnumerable<Type> TypesOf(Assembly assembly)
        {
            try
            {
                return assembly.GetTypes();
            }
            catch (ReflectionTypeLoadException e)
            {
                return e.Types.OfType<Type>();
            }
        }
    }

    /// <summary>Finds a type by its full name: in the assemblies, in this tool's and in the base library.</summary>
    /// <exception cref="UsageException">There is none.</exception>
    internal Type GetType(string name) => FindType(name) ?? throw new UsageException(
        $"There is no type '{name}' in {(_assemblies.Count == 0 ? "the base library: name its assembly with --assembly" : string.Join(", ", _assemblies.Select(assembly => assembly.GetName().Name)))}.");

    /// <summary>Finds a formatter by the name of a public static property, field or method without parameters: <c>Namespace.Type.Member</c>.</summary>
    /// <exception cref="UsageException">There is none.</exception>
    internal IMessageFormatter GetFormatter(string name)
    {
        int dot = name.LastIndexOf('.');
        Type type = GetType(name[..dot]);
        string member = name[(dot + 1)..];
        object? value;
        try
        {
            value = type.GetProperty(member, BindingFlags.Public | BindingFlags.Static)?.GetValue(null)
                ?? type.GetField(member, BindingFlags.Public | BindingFlags.Static)?.GetValue(null)
                ?? type.GetMethod(member, BindingFlags.Public | BindingFlags.Static, Type.EmptyTypes)?.Invoke(null, null);
        }
        catch (TargetInvocationException e)
        {
            throw new UsageException($"'{name}' did not return a formatter: {e.InnerException?.Message}");
        }

        return value as IMessageFormatter ?? throw new UsageException($"'{name}' is not a public static property, field or method of type {typeof(IMessageFormatter)}.");
    }

    protected override Assembly? Load(AssemblyName assemblyName)
    {
        try
        {
            return Default.LoadFromAssemblyName(assemblyName);
        }
        catch (Exception e) when (e is FileNotFoundException or FileLoadException)
        {
            string? path = _resolvers.Select(resolver => resolver.ResolveAssemblyToPath(assemblyName)).FirstOrDefault(path => path is not null);
            return path is null ? null : LoadFromAssemblyPath(path);
        }
    }

    private Type? FindType(string name) =>
        FindClrType(name) ?? NestedNames(name).Select(FindClrType).FirstOrDefault(type => type is not null);

    private Type? FindClrType(string name)
    {
        try
        {
            // The arguments of a generic type are looked for in the same places.
            return Type.GetType(name, LoadFromAssemblyName, (assembly, simple, _) => assembly is null ? FindSimple(simple) : assembly.GetType(simple));
        }
        catch (Exception e) when (e is FileNotFoundException or FileLoadException)
        {
            throw new UsageException($"The type '{name}' cannot be loaded: {e.Message} Is that assembly in the same folder as the one named? 'dotnet publish' puts everything that is needed into one folder.");
        }
        catch (ArgumentException e)
        {
            throw new UsageException($"'{name}' is not the name of a type: {e.Message}");
        }
    }

    private Type? FindSimple(string name)
    {
        Type? found = _assemblies.Select(assembly => assembly.GetType(name)).FirstOrDefault(type => type is not null)
            ?? Type.GetType(name)
            ?? _known.Select(assembly => assembly.GetType(name)).FirstOrDefault(type => type is not null);
        if (found is null)
        {
            foreach (Assembly assembly in _assemblies)
            {
                try
                {
                    // Without an error, a type whose base class is in a missing assembly looks as if there were none.
                    _ = assembly.GetType(name, throwOnError: true);
                }
                catch (TypeLoadException)
                {
                    // There is none in this one.
                }
            }
        }

        return found;
    }

    /// <summary>C# has points where nested types have plus signs: <c>Shop.Order.Line</c> for <c>Shop.Order+Line</c>.</summary>
    private static IEnumerable<string> NestedNames(string name)
    {
        if (name.Contains('[', StringComparison.Ordinal))
            yield break;
        for (int dot = name.LastIndexOf('.'); dot > 0; dot = name.LastIndexOf('.', dot - 1))
        {
            name = $"{name[..dot]}+{name[(dot + 1)..]}";
            yield return name;
        }
    }
}
