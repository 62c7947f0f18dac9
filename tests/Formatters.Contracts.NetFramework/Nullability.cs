// The part of System.Reflection.NullabilityInfoContext that RandomValues uses, over the attributes of the compiler:
// https://github.com/dotnet/roslyn/blob/main/docs/features/nullable-metadata.md
using System.Collections.Generic;
using System.Linq;

namespace System.Reflection;

internal enum NullabilityState
{
    NotNull,
    Nullable,
}

internal sealed class NullabilityInfo(NullabilityState readState, NullabilityInfo[] arguments)
{
    public NullabilityState ReadState { get; } = readState;

    public NullabilityInfo? ElementType => GenericTypeArguments.FirstOrDefault();

    public NullabilityInfo[] GenericTypeArguments { get; } = arguments;
}

[System.Diagnostics.CodeAnalysis.SuppressMessage("Performance", "CA1822:Mark members as static", Justification = "As the type that it stands for.")]
internal sealed class NullabilityInfoContext
{
    private const byte Annotated = 2;

    public NullabilityInfo Create(FieldInfo field) => Create(field.FieldType, field.GetCustomAttributesData(), field.DeclaringType!);

    public NullabilityInfo Create(PropertyInfo property) => Create(property.PropertyType, property.GetCustomAttributesData(), property.DeclaringType!);

    public NullabilityInfo Create(ParameterInfo parameter) => Create(parameter.ParameterType, parameter.GetCustomAttributesData(), parameter.Member);

    private static NullabilityInfo Create(Type type, IList<CustomAttributeData> attributes, MemberInfo? scope)
    {
        byte[]? flags = Find(attributes, "NullableAttribute");
        for (; flags is null && scope is not null; scope = scope.DeclaringType)
            flags = Find(scope.GetCustomAttributesData(), "NullableContextAttribute");
        int index = 0;
        return Visit(type);

        NullabilityInfo Visit(Type visited)
        {
            if (Nullable.GetUnderlyingType(visited) is Type underlying)
                return new NullabilityInfo(NullabilityState.Nullable, [Visit(underlying)]);
            bool hasFlag = !visited.IsValueType || visited.IsGenericType;
            byte flag = !hasFlag || flags is null ? (byte)0 : flags.Length == 1 ? flags[0] : flags[index++];
            Type[] arguments = visited.IsArray ? [visited.GetElementType()!] : visited.GetGenericArguments();
            return new NullabilityInfo(
                flag == Annotated && !visited.IsValueType ? NullabilityState.Nullable : NullabilityState.NotNull, [.. arguments.Select(Visit)]);
        }
    }

    private static byte[]? Find(IList<CustomAttributeData> attributes, string name)
    {
        object? value = attributes.FirstOrDefault(a => a.AttributeType.FullName == "System.Runtime.CompilerServices." + name)?.ConstructorArguments[0].Value;
        return value is byte flag ? [flag] : (value as IEnumerable<CustomAttributeTypedArgument>)?.Select(a => (byte)a.Value!).ToArray();
    }
}
