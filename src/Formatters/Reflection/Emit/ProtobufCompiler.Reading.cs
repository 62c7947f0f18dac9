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

// The code that reads a record.
internal sealed partial class ProtobufCompiler
{
    /// <summary>Emits reading: the fields are compared in the order of their numbers, with one comparison each; any other tag is searched.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private sealed class ReadEmitter
    {
        private readonly ProtobufCompiler _compiler;
        private readonly ProtobufLayout _layout;
        private readonly ILGenerator _il;
        private readonly LocalBuilder _value;
        private readonly LocalBuilder _mode;
        private readonly LocalBuilder _position;
        private readonly LocalBuilder _tag;
        private readonly LocalBuilder[] _seen;

        /// <summary>The values of the members: of an object that is made of them, and of those that are set at the end of the message.</summary>
        private readonly LocalBuilder?[] _locals;

        private readonly LocalBuilder?[] _states;

        internal ReadEmitter(ProtobufCompiler compiler)
        {
            _compiler = compiler;
            _layout = compiler._layout;
            _il = compiler._il;
            IReadOnlyList<ProtobufMember> members = _layout.Members;
            _value = _il.DeclareLocal(_layout.Type);
            _mode = _il.DeclareLocal(typeof(int));
            _position = _il.DeclareLocal(Position);
            _tag = _il.DeclareLocal(typeof(uint));
            _seen = [.. Enumerable.Range(0, (members.Count + MemberBitCount - 1) / MemberBitCount).Select(_ => _il.DeclareLocal(typeof(ulong)))];
            _locals = [.. members.Select((member, i) => member.Owner != i
                ? null
                : _layout.IsMadeAtOnce ? _il.DeclareLocal(member.Type) : member.IsHeld ? _il.DeclareLocal(typeof(object)) : null)];
            _states = [.. members.Select((member, i) => member.Owner != i || IsInline(member) ? null : _il.DeclareLocal(typeof(FieldState)))];
        }

        internal void Emit()
        {
            EmitBeginning();
            LocalBuilder? unknown = _layout.Unknown is null ? null : _il.DeclareLocal(typeof(UnknownMembers));
            EmitFields(unknown);
            EmitFinish();
            if (_layout.IsMadeAtOnce)
                EmitMake();
            if (unknown is not null)
                EmitSetUnknown(unknown);
            ContractCompiler.EmitCallbacks(_il, _layout.OnDeserialized, EmitOwner);
            _il.Emit(OpCodes.Ldloc, _value);
            _il.Emit(OpCodes.Ret);
        }

        private bool IsSkipped(ProtobufMember member) => !_layout.IsMadeAtOnce && !member.CanSet;

        /// <summary>Determines whether a bit records that a field of the member has been read; otherwise its state does.</summary>
        private static bool HasBit(ProtobufMember member) => IsInline(member);

        /// <summary>Emits choosing whether a new object is created, an existing one filled or one merged with: mode 0, 1 and 2.</summary>
        private void EmitBeginning()
        {
            Label createNew = _il.DefineLabel();
            Label begin = _il.DefineLabel();
            bool isMadeAtOnce = _layout.IsMadeAtOnce;
            if (isMadeAtOnce || _layout.Type.IsValueType)
            {
                _il.Emit(OpCodes.Ldarg_3);
                _il.Emit(OpCodes.Brfalse, createNew);
            }

            if (!_layout.Type.IsValueType)
                ContractCompiler.EmitReuseCheck(_il, _layout.Type, createNew);
            _il.Emit(OpCodes.Ldc_I4_1);
            _il.Emit(OpCodes.Ldarg_3);
            _il.Emit(OpCodes.Add);
            _il.Emit(OpCodes.Stloc, _mode);
            for (int i = 0; i < _locals.Length && isMadeAtOnce; i++)
            {
                if (_locals[i] is not LocalBuilder local)
                    continue;
                _compiler.EmitGet(_layout.Members[i].Info);
                _il.Emit(OpCodes.Stloc, local);
            }

            if (!isMadeAtOnce)
            {
                _il.Emit(OpCodes.Ldarg_2);
                _il.Emit(OpCodes.Stloc, _value);
            }

            _il.Emit(OpCodes.Br, begin);
            _il.MarkLabel(createNew);
            if (!isMadeAtOnce)
            {
                ContractCompiler.EmitNew(_il, _layout.Type, _layout.Maker);
                _il.Emit(OpCodes.Stloc, _value);
            }

            _il.MarkLabel(begin);
            if (!isMadeAtOnce)
                ContractCompiler.EmitCallbacks(_il, _layout.OnDeserializing, EmitOwner);
        }

        private void EmitFields(LocalBuilder? unknown)
        {
            IReadOnlyList<ProtobufMember> members = _layout.Members;
            Label[] starts = [.. members.Select(_ => _il.DefineLabel())];
            Label begin = _il.DefineLabel();
            Label end = _il.DefineLabel();
            EmitBegin();
            _il.MarkLabel(begin);
            for (int i = 0; i < members.Count; i++)
            {
                Label after = _il.DefineLabel();
                int tagByteCount = ProtobufBytes.GetByteCount(members[i].WrittenTag);
                if (tagByteCount <= 2)
                {
                    EmitPlace();
                    EmitLoadTag(members[i].WrittenTag);
                    _il.Emit(OpCodes.Ldc_I4, tagByteCount);
                    _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.IsTag));
                    _il.Emit(OpCodes.Brfalse, after);
                    _il.Emit(OpCodes.Ldloc, _position);
                    _il.Emit(OpCodes.Ldc_I4, tagByteCount);
                    _il.Emit(OpCodes.Add);
                    _il.Emit(OpCodes.Stloc, _position);
                    EmitLoadTag(members[i].WrittenTag);
                    _il.Emit(OpCodes.Stloc, _tag);
                }
                else
                {
                    _il.Emit(OpCodes.Br, after);
                }

                _il.MarkLabel(starts[i]);
                EmitReadMember(i);
                _il.MarkLabel(after);
            }

            EmitPlace();
            _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.IsEnd));
            _il.Emit(OpCodes.Brtrue, end);
            LocalBuilder? tagOffset = unknown is null ? null : _il.DeclareLocal(typeof(int));
            if (tagOffset is not null)
            {
                EmitByteOffset();
                _il.Emit(OpCodes.Stloc, tagOffset);
            }

            _il.Emit(OpCodes.Ldarg_1);
            _il.Emit(OpCodes.Ldloca, _tag);
            _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.GetTag));
            _il.Emit(OpCodes.Stloc, _position);
            for (int i = 0; i < members.Count; i++)
            {
                foreach (uint tag in members[i].Tags)
                {
                    _il.Emit(OpCodes.Ldloc, _tag);
                    EmitLoadTag(tag);
                    _il.Emit(OpCodes.Beq, starts[i]);
                }
            }

            if (unknown is null)
            {
                EmitSkip();
            }
            else
            {
                _il.Emit(OpCodes.Ldarg_1);
                _il.Emit(OpCodes.Ldloc, _tag);
                _il.Emit(OpCodes.Ldloc, tagOffset!);
                _il.Emit(OpCodes.Ldloca, unknown);
                _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.KeepField));
                EmitBegin();
            }

            _il.Emit(OpCodes.Br, begin);
            _il.MarkLabel(end);
        }

        private void EmitReadMember(int index)
        {
            ProtobufMember member = _layout.Members[index];
            if (IsSkipped(member))
            {
                EmitEnd();
                EmitSkip();
                return;
            }

            if (IsInline(member))
            {
                EmitReadInline(member);
                return;
            }

            EmitEnd();
            if (IsHeld(member))
            {
                _il.Emit(OpCodes.Ldarg_1);
                _compiler.EmitConstant(member);
                _il.Emit(OpCodes.Ldloc, _tag);
                _il.Emit(OpCodes.Ldloca, _value);
                _il.Emit(OpCodes.Ldloca, _locals[member.Owner]!);
                EmitState(member);
                _compiler.EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.ReadHeld), _layout.Type);
            }
            else
            {
                EmitSet(member, () =>
                {
                    _il.Emit(OpCodes.Ldarg_1);
                    _compiler.EmitConstant(member.Field);
                    _il.Emit(OpCodes.Ldloc, _tag);
                    EmitTarget(member);
                    EmitState(member);
                    _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.GetField), member.Type);
                });
            }

            EmitClearOtherCases(index);
            EmitBegin();
        }

        private void EmitReadInline(ProtobufMember member)
        {
            bool isText = member.Scalar == typeof(string);
            LocalBuilder item = _il.DeclareLocal(member.Scalar!);
            EmitPlace();
            if (isText && _layout.IsMadeAtOnce)
                _il.Emit(OpCodes.Ldnull);
            else if (isText)
                EmitTarget(member);
            _il.Emit(OpCodes.Ldloca, item);
            bool isInlined = !isText || _layout.Members.Count(static other => other.Scalar == typeof(string)) <= MaxInlinedTextCount;
            string name = !isInlined
                ? nameof(ProtobufCode.GetOther)
                : "Get" + (member.Encoding == MemberEncoding.Default ? "" : member.Encoding.ToString());
            _il.Emit(OpCodes.Call, typeof(ProtobufCode).GetMethod(name, isText
                ? [Reader, Position, typeof(string), typeof(string).MakeByRefType()]
                : [Reader, Position, member.Scalar!.MakeByRefType()])!);
            _il.Emit(OpCodes.Stloc, _position);
            if (!_layout.IsMadeAtOnce && !member.IsAutomatic)
                EmitEnd();
            EmitSet(member, () =>
            {
                _il.Emit(OpCodes.Ldloc, item);
                if (!isText && member.IsNullable)
                    _il.Emit(OpCodes.Newobj, member.Type.GetConstructor([Nullable.GetUnderlyingType(member.Type)!])!);
            });
            LocalBuilder seen = _seen[member.Owner / MemberBitCount];
            _il.Emit(OpCodes.Ldloc, seen);
            _il.Emit(OpCodes.Ldc_I8, 1L << (member.Owner % MemberBitCount));
            _il.Emit(OpCodes.Or);
            _il.Emit(OpCodes.Stloc, seen);
            EmitClearOtherCases(member.Owner);
        }

        /// <summary>Emits removing what has been read of the other cases of a oneof.</summary>
        private void EmitClearOtherCases(int index)
        {
            foreach (int other in _layout.OneofOf[index] ?? [])
            {
                ProtobufMember member = _layout.Members[other];
                if (other == index || IsSkipped(member))
                    continue;
                if (HasBit(member))
                {
                    LocalBuilder seen = _seen[other / MemberBitCount];
                    _il.Emit(OpCodes.Ldloc, seen);
                    _il.Emit(OpCodes.Ldc_I8, ~(1L << (other % MemberBitCount)));
                    _il.Emit(OpCodes.And);
                    _il.Emit(OpCodes.Stloc, seen);
                }
                else
                {
                    ContractCompiler.EmitDefault(_il, _states[other]!);
                }

                Label end = _il.DefineLabel();
                if (!_layout.IsMadeAtOnce)
                    EmitUnlessMerged(end, OpCodes.Bne_Un);
                EmitSet(member, () => EmitDefaultOf(member.Type));
                _il.MarkLabel(end);
            }
        }

        /// <summary>Emits completing the members at the end of the message, in the order of their numbers.</summary>
        private void EmitFinish()
        {
            IReadOnlyList<ProtobufMember> members = _layout.Members;
            for (int i = 0; i < members.Count;)
            {
                ProtobufMember member = members[i];
                if (!HasBit(member) || IsSkipped(member))
                {
                    if (member.Owner == i && !IsSkipped(member))
                        EmitFinishField(i);
                    i++;
                    continue;
                }

                // A run of members with bits in one word: in most bodies, each has been read.
                int end = i;
                long bits = 0;
                for (; end < members.Count && end / MemberBitCount == i / MemberBitCount && HasBit(members[end]); end++)
                    bits |= IsSkipped(members[end]) ? 0 : 1L << (end % MemberBitCount);
                LocalBuilder seen = _seen[i / MemberBitCount];
                Label done = _il.DefineLabel();
                EmitUnlessMerged(done, OpCodes.Beq);
                _il.Emit(OpCodes.Ldloc, seen);
                _il.Emit(OpCodes.Ldc_I8, bits);
                _il.Emit(OpCodes.And);
                _il.Emit(OpCodes.Ldc_I8, bits);
                _il.Emit(OpCodes.Beq, done);
                for (; i < end; i++)
                {
                    if (IsSkipped(members[i]))
                        continue;
                    Label next = _il.DefineLabel();
                    _il.Emit(OpCodes.Ldloc, seen);
                    _il.Emit(OpCodes.Ldc_I8, 1L << (i % MemberBitCount));
                    _il.Emit(OpCodes.And);
                    _il.Emit(OpCodes.Brtrue, next);
                    if (IsTime(members[i]) && !members[i].IsNullable)
                        EmitSetMissing(i);
                    else if (members[i].Scalar == typeof(string) && !members[i].IsNullable)
                        EmitSet(members[i], () => _il.Emit(OpCodes.Ldstr, ""));
                    else
                        EmitSet(members[i], () => EmitDefaultOf(members[i].Type));
                    _il.MarkLabel(next);
                }

                _il.MarkLabel(done);
            }
        }

        private void EmitFinishField(int index)
        {
            ProtobufMember member = _layout.Members[index];
            Label done = _il.DefineLabel();
            if (IsHeld(member))
            {
                _il.Emit(OpCodes.Ldarg_1);
                _compiler.EmitConstant(member);
                _il.Emit(OpCodes.Ldloca, _value);
                _il.Emit(OpCodes.Ldloc, _locals[index]!);
                EmitState(member);
                _compiler.EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.FinishHeld), _layout.Type);
                _il.Emit(OpCodes.Brfalse, done);
            }
            else
            {
                _il.Emit(OpCodes.Ldloca, _states[index]!);
                _il.Emit(member.FinishesItems ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
                _il.Emit(OpCodes.Ldloc, _mode);
                _compiler.EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.MustFinish));
                _il.Emit(OpCodes.Brfalse, done);
                LocalBuilder item = _locals[index] ?? _il.DeclareLocal(member.Type);
                if (!_layout.IsMadeAtOnce)
                {
                    EmitTarget(member);
                    _il.Emit(OpCodes.Stloc, item);
                }

                _il.Emit(OpCodes.Ldarg_1);
                _compiler.EmitConstant(member.Field);
                _il.Emit(OpCodes.Ldloca, item);
                EmitState(member);
                _compiler.EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.FinishField), member.Type);
                Label missing = _il.DefineLabel();
                _il.Emit(OpCodes.Brtrue, missing);
                if (!_layout.IsMadeAtOnce)
                    EmitSet(member, () => _il.Emit(OpCodes.Ldloc, item));
                _il.Emit(OpCodes.Br, done);
                _il.MarkLabel(missing);
            }

            EmitSetMissing(index);
            _il.MarkLabel(done);
        }

        /// <summary>Emits giving a member without a default the value that a new object has.</summary>
        private void EmitSetMissing(int index)
        {
            if (!_layout.IsMadeAtOnce)
            {
                _compiler.EmitConstant(_compiler._record);
                _il.Emit(OpCodes.Ldarg_1);
                _il.Emit(OpCodes.Ldloca, _value);
                _il.Emit(OpCodes.Ldc_I4, index);
                _il.Emit(OpCodes.Ldloc, _mode);
                _compiler.EmitRecordCall(nameof(ProtobufRecord<>.SetMissing));
            }
            else if (!_layout.Members[index].Type.IsValueType)
            {
                _il.Emit(OpCodes.Ldarg_1);
                _il.Emit(OpCodes.Ldloc, _locals[index]!);
                _compiler.EmitCall(typeof(EmittedProtobuf), nameof(EmittedProtobuf.Require));
            }
        }

        private void EmitMake()
        {
            ConstructorInfo constructor = _layout.Maker.Constructor!;
            ParameterInfo[] parameters = constructor.GetParameters();
            for (int i = 0; i < parameters.Length; i++)
            {
                LocalBuilder argument = _locals[_layout.Members[_layout.Maker.MemberIndexes[i]].Owner]!;
                _il.Emit(parameters[i].ParameterType.IsByRef ? OpCodes.Ldloca : OpCodes.Ldloc, argument);
            }

            _il.Emit(OpCodes.Newobj, constructor);
            _il.Emit(OpCodes.Stloc, _value);
            ContractCompiler.EmitCallbacks(_il, _layout.OnDeserializing, EmitOwner);
            for (int i = 0; i < _layout.Members.Count; i++)
            {
                ProtobufMember member = _layout.Members[i];
                if (_layout.Maker.TakesMember(i) || member.Owner != i || !member.CanSet)
                    continue;
                if (!member.IsHeld)
                {
                    EmitOwner();
                    _il.Emit(OpCodes.Ldloc, _locals[i]!);
                    ContractCompiler.EmitSet(_il, member.Info);
                    continue;
                }

                _compiler.EmitConstant(member);
                _il.Emit(OpCodes.Ldloca, _value);
                _il.Emit(OpCodes.Ldloc, _locals[i]!);
                if (member.Type.IsValueType)
                    _il.Emit(OpCodes.Box, member.Type);
                EmitByteOffset();
                _il.Emit(OpCodes.Callvirt, member.GetType().GetMethod(nameof(ProtobufMember<>.SetMade), Declared)!);
            }
        }

        private void EmitSetUnknown(LocalBuilder unknown)
        {
            Label isJoined = _il.DefineLabel();
            EmitUnlessMerged(isJoined, OpCodes.Bne_Un);
            _compiler.EmitGet(_layout.Unknown!.Info);
            _il.Emit(OpCodes.Ldloc, unknown);
            _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.JoinUnknown));
            _il.Emit(OpCodes.Stloc, unknown);
            _il.MarkLabel(isJoined);
            EmitOwner();
            _il.Emit(OpCodes.Ldloc, unknown);
            ContractCompiler.EmitSet(_il, _layout.Unknown.Info);
        }

        private bool IsHeld(ProtobufMember member) => !_layout.IsMadeAtOnce && member.IsHeld;

        private void EmitOwner() => ContractCompiler.EmitOwner(_il, _value);

        /// <summary>Emits code that puts the current value of a member on the stack.</summary>
        private void EmitTarget(ProtobufMember member)
        {
            if (_layout.IsMadeAtOnce)
            {
                _il.Emit(OpCodes.Ldloc, _locals[member.Owner]!);
                return;
            }

            EmitOwner();
            ContractCompiler.EmitGetOf(_il, member.Info);
        }

        private void EmitSet(ProtobufMember member, Action emitValue)
        {
            if (!_layout.IsMadeAtOnce)
                EmitOwner();
            emitValue();
            if (_layout.IsMadeAtOnce)
                _il.Emit(OpCodes.Stloc, _locals[member.Owner]!);
            else
                ContractCompiler.EmitSet(_il, member.Info);
        }

        private void EmitDefaultOf(Type type)
        {
            LocalBuilder none = _il.DeclareLocal(type);
            ContractCompiler.EmitDefault(_il, none);
            _il.Emit(OpCodes.Ldloc, none);
        }

        /// <summary>Emits code that puts the state of a member and the mode on the stack.</summary>
        private void EmitState(ProtobufMember member)
        {
            _il.Emit(OpCodes.Ldloca, _states[member.Owner]!);
            _il.Emit(OpCodes.Ldloc, _mode);
        }

        /// <summary>Emits a jump that compares the mode with that of a merge.</summary>
        private void EmitUnlessMerged(Label label, OpCode jump)
        {
            _il.Emit(OpCodes.Ldloc, _mode);
            _il.Emit(OpCodes.Ldc_I4, (int)FieldMode.Merge);
            _il.Emit(jump, label);
        }

        private void EmitLoadTag(uint tag) => _il.Emit(OpCodes.Ldc_I4, (int)tag);

        /// <summary>Emits code that puts the reader and the position on the stack.</summary>
        private void EmitPlace()
        {
            _il.Emit(OpCodes.Ldarg_1);
            _il.Emit(OpCodes.Ldloc, _position);
        }

        private void EmitBegin()
        {
            _il.Emit(OpCodes.Ldarg_1);
            EmitReaderCall(nameof(ProtobufBodyReader.Begin));
            _il.Emit(OpCodes.Stloc, _position);
        }

        private void EmitEnd()
        {
            EmitPlace();
            EmitReaderCall(nameof(ProtobufBodyReader.End));
        }

        private void EmitSkip()
        {
            _il.Emit(OpCodes.Ldarg_1);
            _il.Emit(OpCodes.Ldloc, _tag);
            _compiler.EmitCall(typeof(ProtobufCode), nameof(ProtobufCode.SkipField));
            _il.Emit(OpCodes.Stloc, _position);
        }

        private void EmitByteOffset()
        {
            _il.Emit(OpCodes.Ldarg_1);
            EmitReaderCall("get_" + nameof(ProtobufBodyReader.ByteOffset));
        }

        private void EmitReaderCall(string method) => _il.Emit(OpCodes.Call, typeof(ProtobufBodyReader).GetMethod(method, Declared)!);
    }
}
#endif
