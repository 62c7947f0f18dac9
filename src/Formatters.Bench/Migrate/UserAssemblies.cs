using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;

namespace Formatters.Bench.Migrate;

/// <summary>Assemblies of the user, with the assemblies they need beside them, and with this tool's own where it has them: then the formatters are of the same types on both sides.</summary>
internal sealed class UserAssemblies : AssemblyLoadContext
{
    private readonly List<AssemblyDependencyResolver> _resolvers = [];
    private readonly List<Assembly> _assemblies = [];

    /// <summary>Loads assemblies.</summary>
    /// <exception cref="UsageException">A file is missing, or no assembly for this runtime.</exception>
    internal UserAssemblies(IEnumerable<FileInfo> files)
    {
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
            throw new UsageException($"'{name}' gives no formatter: {e.InnerException?.Message}");
        }

        return value as IMessageFormatter ?? throw new UsageException($"'{name}' is no public static property, field or method of type {typeof(IMessageFormatter)}.");
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
        _assemblies.Select(assembly => assembly.GetType(name)).FirstOrDefault(type => type is not null)
        ?? Type.GetType(name)
        ?? typeof(Orders.Order).Assembly.GetType(name);
}
