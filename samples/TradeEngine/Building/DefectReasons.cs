namespace Formatters.TradeEngine.Building;

/// <summary>With which reason a bad message must end in the exception queue.</summary>
internal static class DefectReasons
{
    /// <summary>Returns the reasons that are right: one, or two for a message in the queue of another type, which only some formats can
    /// read.</summary>
    internal static ExceptionReason[] Of(Defect defect) => defect switch
    {
        Defect.UnknownParticipant => [ExceptionReason.UnknownParticipant],
        Defect.UnknownSecurity => [ExceptionReason.UnknownSecurity],
        Defect.UnknownCurrency => [ExceptionReason.UnknownCurrency],
        Defect.UnknownCountry => [ExceptionReason.UnknownCountry],
        Defect.SettlementDate => [ExceptionReason.InvalidSettlementDate],
        Defect.PaymentDate => [ExceptionReason.InvalidPaymentDate],
        Defect.Amount => [ExceptionReason.InvalidAmount],
        Defect.Quantity => [ExceptionReason.InvalidQuantity],
        Defect.Sender => [ExceptionReason.SenderNotParty],
        Defect.Code => [ExceptionReason.InvalidValue],
        Defect.Truncated => [ExceptionReason.Unreadable],
        Defect.Label => [ExceptionReason.UnknownType],
        Defect.Misrouted => [ExceptionReason.Unreadable, ExceptionReason.WrongType],
        Defect.Signature => [ExceptionReason.SignatureInvalid],
        _ => [],
    };
}
