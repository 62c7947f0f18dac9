using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

internal sealed partial class ShapeParser
{
    /// <summary>The attributes of callbacks, in the order of <see cref="CallbackKind"/>.</summary>
    internal static readonly string[] CallbackNames =
        [.. new[] { "OnSerializing", "OnSerialized", "OnDeserializing", "OnDeserialized" }.Select(n => $"System.Runtime.Serialization.{n}Attribute")];

    /// <summary>Finds the methods that are called before and after the members, those of base classes first.</summary>
    private EquatableArray<CallbackModel> FindCallbacks(INamedTypeSymbol type, string path)
    {
        var callbacks = new List<CallbackModel>();
        foreach (IMethodSymbol method in Symbols.Levels(type).SelectMany(l => l.GetMembers().OfType<IMethodSymbol>()))
        {
            foreach (CallbackKind kind in KindsOf(method))
            {
                INamedTypeSymbol declaring = method.ContainingType;
                bool isNameHidden = IsNameHidden(method, type);
                bool isReached = compilation.IsSymbolAccessibleWithin(method, owner, isNameHidden ? declaring : type);
                if (!IsCallback(method))
                    Report(Descriptors.BadCallback, method, PathOf(method, type, path));
                else if (!isReached && !HasAccessors(declaring))
                    Report(Descriptors.OutOfReach, method, PathOf(method, type, path), NotPublic);
                else
                    callbacks.Add(new CallbackModel(kind, Symbols.Identifier(method.Name), method.Parameters.Length > 0, isReached
                        ? ""
                        : $"{declaring.Display()}.{GeneratedClass(declaring)}", isReached && isNameHidden ? declaring.Display() : ""));
            }
        }

        return callbacks.ToEquatable();
    }

    private static IEnumerable<CallbackKind> KindsOf(IMethodSymbol method) => method.GetAttributes().Select(a => a.AttributeClass?.FullName())
        .Select(name => System.Array.IndexOf(CallbackNames, name))
        .Where(kind => kind >= 0).Select(kind => (CallbackKind)kind);

    private static bool IsCallback(IMethodSymbol method) =>
        method is { MethodKind: MethodKind.Ordinary, IsStatic: false, IsGenericMethod: false, ReturnsVoid: true, IsVirtual: false, IsOverride: false,
            IsAbstract: false, IsAsync: false }
        && (method.Parameters.IsEmpty || method.Parameters.Length == 1 && method.Parameters[0].RefKind == RefKind.None
            && method.Parameters[0].Type.FullName() == "System.Runtime.Serialization.StreamingContext");
}
