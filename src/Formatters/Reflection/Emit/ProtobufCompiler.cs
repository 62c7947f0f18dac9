#if NET
using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>
/// Emits the code of a record in protobuf, as the generator's ProtobufEmitter prints it: numbers, times and strings inline, any other member as a
/// call of its <see cref="ProtobufField{T}"/>.
/// </summary>
/// <remarks>The arguments of the code are as in <see cref="ContractCompiler"/>; when reading, argument 3 is whether the message is merged.</remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed partial class ProtobufCompiler
{
    private const BindingFlags Declared =
        BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private const int MaxInlinedTextCount = 8;
    private const int MemberBitCount = 64;

    // A length, two tags, an int64 and an int32 that may be negative.
    private const int MaxTimeByteCount = 1 + (2 * (1 + ProtobufBytes.MaxVarintByteCount));

    private static readonly Type Writer = typeof(ProtobufBodyWriter).MakeByRefType();
    private static readonly Type Reader = typeof(ProtobufBodyReader).MakeByRefType();
    private static readonly Type Position = typeof(byte).MakeByRefType();

    private static readonly Dictionary<(Type Type, string Name), MethodInfo> Methods =
        new[] { typeof(ProtobufCode), typeof(EmittedProtobuf) }
            .SelectMany(static type => type.GetMethods(Declared), static (type, method) => (type, method))
            .Where(static pair => pair.method.GetParameters() is [{ ParameterType: var first }, ..] && first != Position)
            .GroupBy(static pair => (pair.type, pair.method.Name), static pair => pair.method)
            .ToDictionary(static methods => methods.Key, static methods => methods.First());

    private readonly object _record;
    private readonly ProtobufLayout _layout;
    private readonly DynamicMethod _method;
    private readonly ILGenerator _il;
    private readonly List<object> _constants = [];

    private ProtobufCompiler(object record, ProtobufLayout layout, string name, Type returnType, params Type[] parameterTypes)
    {
        _record = record;
        _layout = layout;
        _method = new DynamicMethod(name + layout.Type.Name, returnType, [typeof(object[]), .. parameterTypes], typeof(ProtobufCompiler).Module,
            skipVisibility: true);
        _il = _method.GetILGenerator();
    }

    internal static TDelegate CompileWrite<TDelegate>(object record, ProtobufLayout layout)
        where TDelegate : Delegate
    {
        var compiler = new ProtobufCompiler(record, layout, "Write", Position, Writer, layout.Type, Position);
        compiler.EmitWrite();
        return compiler.Finish<TDelegate>();
    }

    internal static TDelegate CompileRead<TDelegate>(object record, ProtobufLayout layout)
        where TDelegate : Delegate
    {
        var compiler = new ProtobufCompiler(record, layout, "Read", layout.Type, Reader, layout.Type, typeof(bool));
        new ReadEmitter(compiler).Emit();
        return compiler.Finish<TDelegate>();
    }

    private TDelegate Finish<TDelegate>()
        where TDelegate : Delegate => (TDelegate)_method.CreateDelegate(typeof(TDelegate), _constants.ToArray());

    private void EmitWrite()
    {
        ContractCompiler.EmitTypeCheck(_il, _layout.Type, _layout.ChecksDerived);
        ContractCompiler.EmitCallbacks(_il, _layout.OnSerializing, () => ContractCompiler.EmitOwner(_il, _layout.Type));
        if (_layout.Oneofs.Count > 0)
        {
            EmitConstant(_record);
            _il.Emit(OpCodes.Ldarga_S, (byte)2);
            EmitRecordCall(nameof(ProtobufRecord<>.CheckOneofs));
        }

        EmitReserve(RunFrom(0));
        for (int i = 0; i < _layout.Members.Count; i++)
            EmitWriteMember(_layout.Members[i], RunFrom(i + 1));
        if (_layout.Unknown is not null)
        {
            ContractCompiler.EmitPlace(_il);
            EmitGet(_layout.Unknown.Info);
            EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.PutUnknown));
            ContractCompiler.EmitSetPosition(_il);
        }

        ContractCompiler.EmitCallbacks(_il, _layout.OnSerialized, () => ContractCompiler.EmitOwner(_il, _layout.Type));
        ContractCompiler.EmitReturnPosition(_il);
    }

    private void EmitWriteMember(ProtobufMember member, int following)
    {
        ContractCompiler.EmitPlace(_il);
        if (IsInline(member))
        {
            _il.Emit(OpCodes.Ldc_I4, (int)member.WrittenTag);
            _il.Emit(OpCodes.Ldc_I4, ProtobufBytes.GetByteCount(member.WrittenTag));
        }
        else
        {
            EmitConstant(member.Field);
        }

        EmitGet(member.Info);
        if (!IsInline(member))
        {
            EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.PutField), member.Type);
        }
        else if (member.Scalar == typeof(string))
        {
            _il.Emit(OpCodes.Ldc_I4, following);
            if (!member.IsNullable)
                _il.Emit(OpCodes.Ldc_I4_0);
            EmitCall(member.IsNullable ? typeof(EmittedProtobuf) : typeof(ProtobufCode), member.IsNullable
                ? nameof(EmittedProtobuf.PutOptionalText)
                : nameof(ProtobufCode.PutText));
        }
        else
        {
            _il.Emit(OpCodes.Ldc_I4, (int)member.Encoding);
            if (member.IsNullable)
                EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.PutOptional), Nullable.GetUnderlyingType(member.Type)!, member.Scalar!);
            else
                EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.PutScalar), member.Scalar!);
        }

        ContractCompiler.EmitSetPosition(_il);
        if (!IsInline(member))
            EmitReserve(following);
    }

    private void EmitReserve(int byteCount)
    {
        if (byteCount == 0)
            return;
        ContractCompiler.EmitPlace(_il);
        _il.Emit(OpCodes.Ldc_I4, byteCount);
        EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.Reserve));
        ContractCompiler.EmitSetPosition(_il);
    }

    /// <summary>Returns the space for the members from an index up to the next one of unbounded size.</summary>
    private int RunFrom(int index) => _layout.Members.Skip(index).TakeWhile(static member => IsInline(member) && member.Scalar != typeof(string))
        .Sum(static member => ProtobufBytes.GetByteCount(member.WrittenTag)
            + (IsTime(member) ? MaxTimeByteCount : ProtobufBytes.MaxVarintByteCount));

    private static bool IsInline(ProtobufMember member) =>
        member.Scalar is Type type && (type == typeof(string) || type == typeof(bool) || type == typeof(int) || type == typeof(uint)
            || type == typeof(long) || type == typeof(ulong) || type == typeof(float) || type == typeof(double) || IsTime(member));

    private static bool IsTime(ProtobufMember member) => member.Scalar == typeof(DateTime) || member.Scalar == typeof(TimeSpan);

    private void EmitGet(MemberInfo member)
    {
        ContractCompiler.EmitOwner(_il, _layout.Type);
        ContractCompiler.EmitGetOf(_il, member);
    }

    private void EmitConstant(object value)
    {
        int index = _constants.IndexOf(value);
        if (index < 0)
            _constants.Add(value);
        _il.Emit(OpCodes.Ldarg_0);
        _il.Emit(OpCodes.Ldc_I4, index < 0 ? _constants.Count - 1 : index);
        _il.Emit(OpCodes.Ldelem_Ref);
        _il.Emit(OpCodes.Castclass, value.GetType());
    }

    private void EmitRecordCall(string method) => _il.Emit(OpCodes.Call, _record.GetType().GetMethod(method, Declared)!);

    private void EmitCall(Type type, string method, params Type[] typeArguments)
    {
        MethodInfo found = Methods[(type, method)];
        _il.Emit(OpCodes.Call, typeArguments.Length == 0 ? found : found.MakeGenericMethod(typeArguments));
    }
}
#endif
