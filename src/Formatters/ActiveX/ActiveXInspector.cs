using System;

namespace Formatters;

/// <summary>Prints the value of an ActiveX body: docs/inspector.md.</summary>
internal sealed class ActiveXInspector(int varType) : MessageInspector("activex", ContentTypes.ActiveX)
{
    internal override int BodyType => varType;

    internal static bool IsKnown(int varType) => varType == VarTypes.Null || ActiveXContract.ForVarType(varType) is not null;

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        writer.At(0);
        writer.WriteValue(new ActiveXFormatter(limits).Read(new MessageBody(body.ToArray(), varType)));
    }
}
