using System.CommandLine;
using System.Numerics;

namespace Formatters.Benchmarks;

/// <summary>Options that take a number.</summary>
internal static class NumberOption
{
    /// <summary>Makes an option whose values are checked: what is no number, or not a right one, is refused with the same message.</summary>
    /// <param name="name">With its dashes.</param>
    /// <param name="description">For the help.</param>
    /// <param name="defaultValue">Without the option.</param>
    /// <param name="isRight">Whether a number is taken.</param>
    /// <param name="rule">What is taken: "a number from 1 to 1000".</param>
    internal static Option<T> Create<T>(string name, string description, T defaultValue, Func<T, bool> isRight, string rule)
        where T : INumber<T> => new(name)
        {
            Description = description,
            HelpName = "N",
            DefaultValueFactory = _ => defaultValue,
            CustomParser = result =>
            {
                if (T.TryParse(result.Tokens[0].Value, CultureInfo.InvariantCulture, out T? number) && isRight(number))
                    return number;
                result.AddError($"{name} takes {rule}.");
                return defaultValue;
            },
        };

    /// <summary>Makes an option that takes a whole number of a range.</summary>
    internal static Option<int> Create(string name, string description, int defaultValue, int min, int max) =>
        Create(name, description, defaultValue, number => number >= min && number <= max, $"a number from {min} to {max}");
}
