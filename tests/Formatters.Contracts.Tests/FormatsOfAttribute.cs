using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Xunit.Sdk;

namespace Formatters.Contracts.Tests;

/// <summary>The names of <see cref="AllFormats"/> of a type, each as a row of a theory.</summary>
/// <typeparam name="T">The type.</typeparam>
internal sealed class FormatsOfAttribute<T> : DataAttribute
{
    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => AllFormats.NamesOf<T>().Select(static name => new object[] { name });
}
