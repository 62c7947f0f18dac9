using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

/// <summary>A node of a selector's syntax tree.</summary>
/// <param name="depth">How many levels it has.</param>
internal abstract class SelectorNode(int depth)
{
    internal int Depth { get; } = depth;

    internal abstract T Translate<T>(SelectorTranslator<T> translator);
}

/// <summary>A part of a selector that has a value for each message: a property, a literal, arithmetic.</summary>
internal abstract class SelectorOperand(int depth) : SelectorNode(depth)
{
    internal abstract SelectorValue Evaluate(QueueMessage message);
}

/// <summary>A node that is true, false or unknown (null).</summary>
internal abstract class SelectorCondition(int depth) : SelectorNode(depth)
{
    internal abstract bool? Test(QueueMessage message);
}

internal sealed class LiteralNode(SelectorValue value) : SelectorOperand(1)
{
    internal SelectorValue Value { get; } = value;

    internal override SelectorValue Evaluate(QueueMessage message) => Value;

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.Literal(Value.ToObject());
}

internal sealed class PropertyNode(string name) : SelectorOperand(1)
{
    private readonly SelectorProperty.Reader? _read = SelectorProperty.Find(name);

    internal override SelectorValue Evaluate(QueueMessage message)
    {
        if (_read is not null)
            return _read(message);
        return message.HasHeaders && message.Headers.TryGetValue(name, out object? value) ? SelectorValue.From(value) : default;
    }

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.Property(name);
}

internal sealed class NegateNode(SelectorOperand operand) : SelectorOperand(operand.Depth + 1)
{
    internal override SelectorValue Evaluate(QueueMessage message) => operand.Evaluate(message).Negated();

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.Negate(operand.Translate(translator));
}

internal sealed class ArithmeticNode(SelectorArithmetic operation, SelectorOperand left, SelectorOperand right)
    : SelectorOperand(System.Math.Max(left.Depth, right.Depth) + 1)
{
    internal override SelectorValue Evaluate(QueueMessage message) =>
        SelectorValue.Compute(operation, left.Evaluate(message), right.Evaluate(message));

    internal override T Translate<T>(SelectorTranslator<T> translator) =>
        translator.Arithmetic(operation, left.Translate(translator), right.Translate(translator));
}

internal sealed class CompareNode(SelectorComparison comparison, SelectorOperand left, SelectorOperand right)
    : SelectorCondition(System.Math.Max(left.Depth, right.Depth) + 1)
{
    internal override bool? Test(QueueMessage message) => SelectorValue.Compare(comparison, left.Evaluate(message), right.Evaluate(message));

    internal override T Translate<T>(SelectorTranslator<T> translator) =>
        translator.Compare(comparison, left.Translate(translator), right.Translate(translator));
}

internal sealed class LikeNode(PropertyNode property, SelectorPattern pattern) : SelectorCondition(2)
{
    internal override bool? Test(QueueMessage message)
    {
        SelectorValue value = property.Evaluate(message);
        return value.IsNull ? null : value.Text is { } text && pattern.IsMatch(text);
    }

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.Like(property.Translate(translator), pattern);
}

internal sealed class InNode(PropertyNode property, IReadOnlyList<string> values) : SelectorCondition(2)
{
    private readonly HashSet<string> _set = new(values, System.StringComparer.Ordinal);

    internal override bool? Test(QueueMessage message)
    {
        SelectorValue value = property.Evaluate(message);
        return value.IsNull ? null : value.Text is { } text && _set.Contains(text);
    }

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.In(property.Translate(translator), values);
}

internal sealed class IsNullNode(PropertyNode property) : SelectorCondition(2)
{
    internal override bool? Test(QueueMessage message) => property.Evaluate(message).IsNull;

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.IsNull(property.Translate(translator));
}

internal sealed class IsTrueNode(PropertyNode property) : SelectorCondition(2)
{
    internal override bool? Test(QueueMessage message)
    {
        SelectorValue value = property.Evaluate(message);
        return value.IsNull ? null : value.IsTrue;
    }

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.IsTrue(property.Translate(translator));
}

internal sealed class ConstantNode(bool value) : SelectorCondition(1)
{
    internal bool Value { get; } = value;

    internal override bool? Test(QueueMessage message) => Value;

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.Constant(Value);
}

internal sealed class NotNode(SelectorCondition condition) : SelectorCondition(condition.Depth + 1)
{
    internal override bool? Test(QueueMessage message) => !condition.Test(message);

    internal override T Translate<T>(SelectorTranslator<T> translator) => translator.Not(condition.Translate(translator));
}

internal sealed class AndNode(IReadOnlyList<SelectorCondition> conditions) : SelectorCondition(conditions.Max(condition => condition.Depth) + 1)
{
    private readonly SelectorCondition[] _conditions = [.. conditions];

    internal override bool? Test(QueueMessage message)
    {
        bool? result = true;
        foreach (SelectorCondition condition in _conditions)
        {
            result &= condition.Test(message);
            if (result == false)
                break;
        }

        return result;
    }

    internal override T Translate<T>(SelectorTranslator<T> translator) =>
        translator.And(System.Array.ConvertAll(_conditions, condition => condition.Translate(translator)));
}

internal sealed class OrNode(IReadOnlyList<SelectorCondition> conditions) : SelectorCondition(conditions.Max(condition => condition.Depth) + 1)
{
    private readonly SelectorCondition[] _conditions = [.. conditions];

    internal override bool? Test(QueueMessage message)
    {
        bool? result = false;
        foreach (SelectorCondition condition in _conditions)
        {
            result |= condition.Test(message);
            if (result == true)
                break;
        }

        return result;
    }

    internal override T Translate<T>(SelectorTranslator<T> translator) =>
        translator.Or(System.Array.ConvertAll(_conditions, condition => condition.Translate(translator)));
}
