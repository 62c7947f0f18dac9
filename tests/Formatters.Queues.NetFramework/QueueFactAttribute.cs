using System;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A test of a conformance suite.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class QueueFactAttribute : FactAttribute;
