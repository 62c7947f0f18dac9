namespace Formatters.TradeEngine.Building;

/// <summary>A message of a set, as the driver sends it.</summary>
/// <param name="Label">The code of its type, or what stands there in a bad one.</param>
/// <param name="MessageId">The sender's number.</param>
/// <param name="Defect">What is wrong with it beside what it says.</param>
internal readonly record struct SetMessage(string Label, string MessageId, TradeMessage Message, Defect Defect = Defect.None);
