using System;
using Formatters.Bench.Measurement;

namespace Formatters.Bench.Reports;

/// <summary>What was run, where and when.</summary>
/// <param name="Tool">Name and version.</param>
/// <param name="CommandLine">The arguments, passwords left out.</param>
/// <param name="StartedAt">The local time at the start.</param>
/// <param name="Seconds">How long the run took.</param>
/// <param name="Machine">Where.</param>
internal sealed record RunInfo(string Tool, string CommandLine, DateTimeOffset StartedAt, double Seconds, MachineInfo Machine);

/// <summary>The queue of a run.</summary>
/// <param name="Address">Its address, without a password.</param>
/// <param name="Product">Its own name.</param>
/// <param name="DeliveryMode">express, recoverable or transactional.</param>
/// <param name="Durability">What is true of a message whose send has completed.</param>
internal sealed record QueueInfo(string Address, string Product, string DeliveryMode, string Durability);
