using System.Reflection;

namespace System.Messaging;

/// <summary>Finds types by names that the program or its settings give: never by names in bodies.</summary>
internal static class TypesOfTheProgram
{
    /// <summary>Finds a type by its name, with or without its assembly.</summary>
    internal static Type? Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        // The assembly of a name from .NET Framework may have another version here.
        if (Type.GetType(name, ResolveAssembly, null, throwOnError: false) is { } type)
            return type;
        if (name.Contains(',', StringComparison.Ordinal))
            return null;
        foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
        {
            if (!assembly.IsDynamic && assembly.GetType(name, throwOnError: false) is { } found)
                return found;
        }

        return null;
    }

    internal static Assembly? ResolveAssembly(AssemblyName name)
    {
        try
        {
            return Assembly.Load(new AssemblyName(name.Name!));
        }
        catch (Exception e) when (e is IO.IOException or BadImageFormatException)
        {
            return null;
        }
    }
}
