using System;
using Formatters.ActiveX;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints the value of an ActiveX body: docs/inspector.md.</summary>
internal sealed class ActiveXInspector(int varType) : MessageInspector("activex", ContentTypes.ActiveX)
{
    internal override int BodyType => varType;

    internal static bool IsKnown(int varType) =>
        varType is VarTypes.Null or VarTypes.StreamedObject || ActiveXContract.ForVarType(varType) is not null;

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        writer.At(0);
        if (varType == VarTypes.StreamedObject)
        {
            InspectObject(body, writer, limits);
            return;
        }

        writer.WriteValue(new ActiveXFormatter(limits).Read(new MessageBody(body.ToArray(), varType)));
    }

    /// <summary>Prints the class id of an object; its content does not describe itself.</summary>
    private static void InspectObject(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        const int ClassIdByteCount = 16;
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        if (body.Length < ClassIdByteCount)
            ThrowHelper.ThrowTruncated(body.Length, ClassIdByteCount - body.Length);
        writer.BeginObject();
        writer.WriteName("$class");
        writer.Write(new Guid(body.Slice(0, ClassIdByteCount).ToArray()).ToString("D"));
        writer.At(ClassIdByteCount);
        writer.WriteName("$content");
        byte[] content = body.Slice(ClassIdByteCount).ToArray();
        writer.BaseOffset += ClassIdByteCount;
        Binary.InspectInside(content, writer, limits);
        writer.BaseOffset -= ClassIdByteCount;
        writer.EndObject();
    }
}
