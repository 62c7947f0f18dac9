#if NET
using System;
using System.Linq;
using System.Reflection.Emit;
using Formatters.Generated;

namespace Formatters;

// The code that reads a short message without the reader: see IProtobufCode<T>.TryReadShort.
internal sealed partial class ProtobufCompiler
{
    private const int MaxShortMemberCount = 16;

    /// <summary>
    /// Compiles a method that reads the fields of a record in the order of their numbers. For a record that it cannot read, the method does nothing.
    /// </summary>
    internal static TDelegate CompileReadShort<TDelegate>(object record, ProtobufLayout layout)
        where TDelegate : Delegate
    {
        var compiler = new ProtobufCompiler(record, layout, "ReadShort", typeof(bool), Position, typeof(int), layout.Type.MakeByRefType());
        if (IsShort(layout))
            compiler.EmitReadShort();
        else
            compiler.EmitReturn(false);
        return compiler.Finish<TDelegate>();
    }

    private static bool IsShort(ProtobufLayout layout) =>
        !layout.IsMadeAtOnce && layout.Unknown is null && layout.Oneofs.Count == 0 && layout.OnDeserializing is null && layout.OnDeserialized is null
        && layout.Members.Count is > 0 and <= MaxShortMemberCount
        && layout.Members.All(static member => member.CanSet && member.IsAutomatic && !member.IsHeld && IsInline(member) && !IsTime(member)
            && ProtobufBytes.GetByteCount(member.WrittenTag) <= 2);

    private void EmitReadShort()
    {
        LocalBuilder at = _il.DeclareLocal(typeof(int));
        LocalBuilder value = _il.DeclareLocal(_layout.Type);
        Label isFound = _il.DefineLabel();
        if (!_layout.Type.IsValueType)
        {
            // An existing object of the type; otherwise null.
            _il.Emit(OpCodes.Ldarg_3);
            _il.Emit(OpCodes.Ldobj, _layout.Type);
            _il.Emit(OpCodes.Stloc, value);
            _il.Emit(OpCodes.Ldloc, value);
            _il.Emit(OpCodes.Brfalse, isFound);
            ContractCompiler.EmitTypeOf(_il, _layout.Type);
            _il.Emit(OpCodes.Ldloc, value);
            _il.Emit(OpCodes.Call, typeof(object).GetMethod(nameof(GetType))!);
            _il.Emit(OpCodes.Beq, isFound);
            _il.Emit(OpCodes.Ldnull);
            _il.Emit(OpCodes.Stloc, value);
            _il.MarkLabel(isFound);
        }

        LocalBuilder[] items = [.. _layout.Members.Select(member => EmitReadShortMember(member, at, value))];
        Label isRead = _il.DefineLabel();
        _il.Emit(OpCodes.Ldloc, at);
        _il.Emit(OpCodes.Ldarg_2);
        _il.Emit(OpCodes.Beq, isRead);
        EmitReturn(false);
        _il.MarkLabel(isRead);
        Label isMade = _il.DefineLabel();
        if (!_layout.Type.IsValueType)
        {
            _il.Emit(OpCodes.Ldloc, value);
            _il.Emit(OpCodes.Brtrue, isMade);
        }

        ContractCompiler.EmitNew(_il, _layout.Type, _layout.Maker);
        _il.Emit(OpCodes.Stloc, value);
        _il.MarkLabel(isMade);
        for (int i = 0; i < items.Length; i++)
        {
            ContractCompiler.EmitOwner(_il, value);
            _il.Emit(OpCodes.Ldloc, items[i]);
            ContractCompiler.EmitSet(_il, _layout.Members[i].Info);
        }

        _il.Emit(OpCodes.Ldarg_3);
        _il.Emit(OpCodes.Ldloc, value);
        _il.Emit(OpCodes.Stobj, _layout.Type);
        EmitReturn(true);
    }

    /// <summary>Emits reading a member into a local.</summary>
    private LocalBuilder EmitReadShortMember(ProtobufMember member, LocalBuilder at, LocalBuilder value)
    {
        bool isText = member.Scalar == typeof(string);
        LocalBuilder read = _il.DeclareLocal(member.Scalar!);
        LocalBuilder item = isText || !member.IsNullable ? read : _il.DeclareLocal(member.Type);
        if (isText && !member.IsNullable)
        {
            _il.Emit(OpCodes.Ldstr, "");
            _il.Emit(OpCodes.Stloc, item);
        }

        Label next = _il.DefineLabel();
        int tagByteCount = ProtobufBytes.GetByteCount(member.WrittenTag);
        _il.Emit(OpCodes.Ldarg_1);
        _il.Emit(OpCodes.Ldloc, at);
        _il.Emit(OpCodes.Ldarg_2);
        _il.Emit(OpCodes.Ldc_I4, (int)member.WrittenTag);
        _il.Emit(OpCodes.Ldc_I4, tagByteCount);
        _il.Emit(OpCodes.Call, typeof(ProtobufCode).GetMethod(nameof(ProtobufCode.IsTagAt))!);
        _il.Emit(OpCodes.Brfalse, next);
        _il.Emit(OpCodes.Ldarg_1);
        _il.Emit(OpCodes.Ldloc, at);
        _il.Emit(OpCodes.Ldc_I4, tagByteCount);
        _il.Emit(OpCodes.Add);
        _il.Emit(OpCodes.Ldarg_2);
        if (isText)
            EmitExistingText(member, value);
        else
            _il.Emit(OpCodes.Ldc_I4, (int)member.Encoding);
        _il.Emit(OpCodes.Ldloca, read);
        _il.Emit(OpCodes.Call, isText
            ? typeof(ProtobufCode).GetMethod(nameof(ProtobufCode.GetTextAt))!
            : typeof(ProtobufCode).GetMethod(nameof(ProtobufCode.GetAt))!.MakeGenericMethod(member.Scalar!));
        _il.Emit(OpCodes.Stloc, at);
        if (item != read)
        {
            _il.Emit(OpCodes.Ldloc, read);
            _il.Emit(OpCodes.Newobj, member.Type.GetConstructor([Nullable.GetUnderlyingType(member.Type)!])!);
            _il.Emit(OpCodes.Stloc, item);
        }

        _il.MarkLabel(next);
        return item;
    }

    /// <summary>Emits code that puts the string of an existing object on the stack, or null.</summary>
    private void EmitExistingText(ProtobufMember member, LocalBuilder value)
    {
        Label isNew = _il.DefineLabel();
        Label end = _il.DefineLabel();
        if (!_layout.Type.IsValueType)
        {
            _il.Emit(OpCodes.Ldloc, value);
            _il.Emit(OpCodes.Brfalse, isNew);
            ContractCompiler.EmitOwner(_il, value);
            ContractCompiler.EmitGetOf(_il, member.Info);
            _il.Emit(OpCodes.Br, end);
        }

        _il.MarkLabel(isNew);
        _il.Emit(OpCodes.Ldnull);
        _il.MarkLabel(end);
    }

    private void EmitReturn(bool value)
    {
        _il.Emit(value ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
        _il.Emit(OpCodes.Ret);
    }
}
#endif
