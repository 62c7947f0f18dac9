using System;
using System.Collections.Generic;
using System.Globalization;

namespace Formatters.Queues;

/// <summary>Parses a selector by recursive descent: JMS 2.0, 3.8.1.1, "Message selector syntax".</summary>
internal sealed class SelectorParser
{
    /// <summary>The number of nested parentheses between stack checks; it fits many times into the stack that the runtime guarantees.</summary>
    private const int StackCheckInterval = 8;

    private readonly List<SelectorToken> _tokens;
    private int _next;
    private int _depth;

    internal SelectorParser(string text) => _tokens = SelectorLexer.Read(text);

    private SelectorToken Token => _tokens[_next];

    internal SelectorCondition Parse()
    {
        // JMS 2.0, 3.8.1.1: an empty selector selects every message.
        if (Token.Kind == SelectorTokenKind.End)
            return new ConstantNode(true);
        int start = Token.Position;
        SelectorCondition condition = AsCondition(ParseConditions(), start);
        if (Token.Kind != SelectorTokenKind.End)
            throw Error(Token, $"{Describe(Token)} was not expected here.");
        return condition;
    }

    /// <summary>Parses conditions that are combined by OR or, below that, by AND.</summary>
    /// <remarks>One method for both, and no delegates: the stack use per parenthesis limits the depth of a selector.</remarks>
    private SelectorNode ParseConditions(bool areAlternatives = true)
    {
        int start = Token.Position;
        string keyword = areAlternatives ? "OR" : "AND";
        SelectorNode first = areAlternatives ? ParseConditions(areAlternatives: false) : ParseNot();
        if (!IsKeyword(keyword))
            return first;
        var conditions = new List<SelectorCondition> { AsCondition(first, start) };
        while (TryTakeKeyword(keyword))
        {
            start = Token.Position;
            conditions.Add(AsCondition(areAlternatives ? ParseConditions(areAlternatives: false) : ParseNot(), start));
        }

        return areAlternatives ? CheckDepth(new OrNode(conditions), start) : CheckDepth(new AndNode(conditions), start);
    }

    private SelectorNode ParseNot()
    {
        if (!TryTakeKeyword("NOT"))
            return ParsePredicate();
        int start = Token.Position;
        EnterLevel(start);
        SelectorCondition condition = Negate(AsCondition(ParseNot(), start));
        _depth--;
        return condition;
    }

    private SelectorNode ParsePredicate()
    {
        int start = Token.Position;
        SelectorNode left = ParseArithmetic();
        if (Token.Kind == SelectorTokenKind.Symbol && ComparisonOf(Token.Text) is { } comparison)
        {
            _next++;
            int rightStart = Token.Position;
            SelectorNode right = ParseArithmetic();
            return comparison <= SelectorComparison.NotEqual
                ? Compare(comparison, AsOperand(left, start), AsOperand(right, rightStart))
                : Compare(comparison, AsNumber(left, start), AsNumber(right, rightStart));
        }

        if (TryTakeKeyword("IS"))
        {
            bool isNot = TryTakeKeyword("NOT");
            if (!TryTakeKeyword("NULL"))
                throw Error(Token, "NULL was expected.");
            return NegateIf(isNot, new IsNullNode(AsProperty(left, start)));
        }

        bool isNegated = IsKeyword("NOT") && _tokens[_next + 1] is { Kind: SelectorTokenKind.Keyword, Text: "BETWEEN" or "IN" or "LIKE" };
        if (isNegated)
            _next++;
        if (TryTakeKeyword("BETWEEN"))
            return NegateIf(isNegated, ParseBetween(AsNumber(left, start), start));
        if (TryTakeKeyword("IN"))
            return NegateIf(isNegated, ParseIn(AsProperty(left, start)));
        return TryTakeKeyword("LIKE") ? NegateIf(isNegated, ParseLike(AsProperty(left, start))) : left;
    }

    private AndNode ParseBetween(SelectorOperand operand, int start)
    {
        int lowStart = Token.Position;
        SelectorOperand low = AsNumber(ParseArithmetic(), lowStart);
        if (!TryTakeKeyword("AND"))
            throw Error(Token, "AND was expected: BETWEEN has two limits.");
        int highStart = Token.Position;
        SelectorOperand high = AsNumber(ParseArithmetic(), highStart);
        SelectorCondition isAtLeast = Compare(SelectorComparison.GreaterThanOrEqual, operand, low);
        SelectorCondition isAtMost = Compare(SelectorComparison.LessThanOrEqual, operand, high);
        return CheckDepth(new AndNode([isAtLeast, isAtMost]), start);
    }

    private InNode ParseIn(PropertyNode property)
    {
        var values = new List<string>();
        ExpectSymbol("(");
        do
            values.Add(ExpectString());
        while (TryTakeSymbol(","));
        ExpectSymbol(")");
        return new InNode(property, values);
    }

    private LikeNode ParseLike(PropertyNode property)
    {
        int start = Token.Position;
        string pattern = ExpectString();
        if (pattern.Length > MessageSelector.MaxPatternCharCount)
            throw new InvalidSelectorException($"the pattern has more than {MessageSelector.MaxPatternCharCount} characters.", start);
        char? escape = null;
        if (TryTakeKeyword("ESCAPE"))
        {
            SelectorToken token = Token;
            string text = ExpectString();
            escape = text.Length == 1 ? text[0] : throw Error(token, "the escape character is one character.");
        }

        return new LikeNode(property, new SelectorPattern(pattern, escape));
    }

    /// <summary>Parses a sum or, below that, a product. An operation on two constants is computed here.</summary>
    private SelectorNode ParseArithmetic(bool isSum = true)
    {
        int start = Token.Position;
        SelectorNode left = isSum ? ParseArithmetic(isSum: false) : ParseSign();
        while (true)
        {
            SelectorArithmetic operation;
            if (TryTakeSymbol(isSum ? "+" : "*"))
                operation = isSum ? SelectorArithmetic.Add : SelectorArithmetic.Multiply;
            else if (TryTakeSymbol(isSum ? "-" : "/"))
                operation = isSum ? SelectorArithmetic.Subtract : SelectorArithmetic.Divide;
            else
                return left;
            int rightStart = Token.Position;
            SelectorOperand leftOperand = AsNumber(left, start);
            SelectorOperand rightOperand = AsNumber(isSum ? ParseArithmetic(isSum: false) : ParseSign(), rightStart);
            left = leftOperand is LiteralNode a && rightOperand is LiteralNode b
                ? Literal(SelectorValue.Compute(operation, a.Value, b.Value), start)
                : CheckDepth(new ArithmeticNode(operation, leftOperand, rightOperand), start);
        }
    }

    private SelectorNode ParseSign()
    {
        bool isNegative = Token is { Kind: SelectorTokenKind.Symbol, Text: "-" };
        if (!isNegative && Token is not { Kind: SelectorTokenKind.Symbol, Text: "+" })
            return ParsePrimary();
        int start = Token.Position;
        _next++;
        // The smallest number has no positive counterpart.
        if (Token.Kind == SelectorTokenKind.Exact)
            return ExactLiteral(isNegative);
        int operandStart = Token.Position;
        EnterLevel(start);
        SelectorOperand operand = AsNumber(ParseSign(), operandStart);
        _depth--;
        return (isNegative, operand) switch
        {
            (false, _) => operand,
            (true, LiteralNode literal) => Literal(literal.Value.Negated(), start),
            _ => CheckDepth(new NegateNode(operand), start),
        };
    }

    private SelectorNode ParsePrimary()
    {
        SelectorToken token = Token;
        switch (token.Kind)
        {
            case SelectorTokenKind.Exact:
                return ExactLiteral(isNegative: false);
            case SelectorTokenKind.Approximate:
                _next++;
                return Literal(SelectorValue.From(double.Parse(token.Text, NumberStyles.Float, CultureInfo.InvariantCulture)), token.Position);
            case SelectorTokenKind.Text:
                _next++;
                return new LiteralNode(SelectorValue.From(token.Text));
            case SelectorTokenKind.Keyword when token.Text is "TRUE" or "FALSE":
                _next++;
                return new LiteralNode(SelectorValue.From(token.Text == "TRUE"));
            case SelectorTokenKind.Identifier:
                _next++;
                if (SelectorProperty.IsRefused(token.Text))
                    throw Error(token, $"{token.Text} is not a property that messages are selected by.");
                return new PropertyNode(token.Text);
            case SelectorTokenKind.Symbol when token.Text == "(":
                _next++;
                EnterLevel(token.Position);
                SelectorNode inner = ParseConditions();
                ExpectSymbol(")");
                _depth--;
                return inner;
            default:
                throw Error(token, $"a value, a name or '(' was expected, not {Describe(token)}.");
        }
    }

    private LiteralNode ExactLiteral(bool isNegative)
    {
        SelectorToken token = Token;
        _next++;
        string digits = token.Text;
        int radix = digits.StartsWith("0x", StringComparison.OrdinalIgnoreCase) ? 16 : digits.Length > 1 && digits[0] == '0' ? 8 : 10;
        UInt128 value = 0;
        foreach (char digit in radix == 16 ? digits.AsSpan(2) : digits)
        {
            int number = Convert.ToInt32(digit.ToString(), 16);
            if (number >= radix)
                throw Error(token, "the digits of a number that begins with 0 are octal: 0 to 7.");
            value = (value * (uint)radix) + (uint)number;
            if (value > (UInt128)long.MaxValue + (isNegative ? 1u : 0u))
                throw Error(token, "the number is beyond 64 bits; written with a decimal point it is approximate.");
        }

        if (radix == 16 && digits.Length == 2)
            throw Error(token, "the number has no digits.");
        return new LiteralNode(SelectorValue.From(isNegative ? (long)-(Int128)value : (long)value));
    }

    private static LiteralNode Literal(SelectorValue value, int position) =>
        value.IsNull ? throw new InvalidSelectorException("the number is infinite, or divided by zero.", position) : new LiteralNode(value);

    private SelectorCondition Compare(SelectorComparison comparison, SelectorOperand left, SelectorOperand right) =>
        left is LiteralNode a && right is LiteralNode b
            ? new ConstantNode(SelectorValue.Compare(comparison, a.Value, b.Value) == true)
            : CheckDepth(new CompareNode(comparison, left, right), Token.Position);

    private SelectorCondition NegateIf(bool isNegated, SelectorCondition condition) => isNegated ? Negate(condition) : condition;

    private SelectorCondition Negate(SelectorCondition condition) =>
        condition is ConstantNode constant ? new ConstantNode(!constant.Value) : CheckDepth(new NotNode(condition), Token.Position);

    private static SelectorCondition AsCondition(SelectorNode node, int position) => node switch
    {
        SelectorCondition condition => condition,
        PropertyNode property => new IsTrueNode(property),
        LiteralNode { Value.Kind: SelectorValueKind.Boolean } literal => new ConstantNode(literal.Value.IsTrue),
        _ => throw new InvalidSelectorException("a condition was expected, not a value.", position),
    };

    private static SelectorOperand AsOperand(SelectorNode node, int position) =>
        node as SelectorOperand ?? throw new InvalidSelectorException("a value was expected, not a condition.", position);

    private static SelectorOperand AsNumber(SelectorNode node, int position) =>
        AsOperand(node, position) is { } operand and not LiteralNode { Value.IsNumber: false }
        ? operand
        : throw new InvalidSelectorException("a number was expected: strings and booleans are only equal or not.", position);

    private static PropertyNode AsProperty(SelectorNode node, int position) =>
        node as PropertyNode ?? throw new InvalidSelectorException("the name of a property was expected before IS, IN and LIKE.", position);

    private void EnterLevel(int position)
    {
        if (++_depth > MessageSelector.MaxDepth)
            throw TooDeep(position);
        if (_depth % StackCheckInterval == 0 && !SelectorStack.IsSufficient())
            throw new InvalidSelectorException("it is nested deeper than the stack of this thread allows.", position);
    }

    private static T CheckDepth<T>(T node, int position)
        where T : SelectorNode => node.Depth > MessageSelector.MaxDepth ? throw TooDeep(position) : node;

    private static InvalidSelectorException TooDeep(int position) => new($"it is nested deeper than {MessageSelector.MaxDepth} levels.", position);

    private static SelectorComparison? ComparisonOf(string symbol) => symbol switch
    {
        "=" => SelectorComparison.Equal,
        "<>" => SelectorComparison.NotEqual,
        "<" => SelectorComparison.LessThan,
        "<=" => SelectorComparison.LessThanOrEqual,
        ">" => SelectorComparison.GreaterThan,
        ">=" => SelectorComparison.GreaterThanOrEqual,
        _ => null,
    };

    private bool IsKeyword(string keyword) => Token.Kind == SelectorTokenKind.Keyword && Token.Text == keyword;

    private bool TryTakeKeyword(string keyword)
    {
        if (!IsKeyword(keyword))
            return false;
        _next++;
        return true;
    }

    private bool TryTakeSymbol(string symbol)
    {
        if (Token.Kind != SelectorTokenKind.Symbol || Token.Text != symbol)
            return false;
        _next++;
        return true;
    }

    private void ExpectSymbol(string symbol)
    {
        if (!TryTakeSymbol(symbol))
            throw Error(Token, $"'{symbol}' was expected, not {Describe(Token)}.");
    }

    private string ExpectString()
    {
        SelectorToken token = Token;
        if (token.Kind != SelectorTokenKind.Text)
            throw Error(token, $"a string in single quotes was expected, not {Describe(token)}.");
        _next++;
        return token.Text;
    }

    private static string Describe(SelectorToken token) => token.Kind switch
    {
        SelectorTokenKind.End => "the end",
        SelectorTokenKind.Text => "a string",
        _ => $"'{token.Text}'",
    };

    private static InvalidSelectorException Error(SelectorToken token, string message) => new(message, token.Position);
}
