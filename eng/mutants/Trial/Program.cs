using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Text.Json;
using System.Threading;
using Formatters.Mutants;
using Xunit.Abstractions;
using Xunit.Sdk;

// Trial TESTS.dll FILTER [all]: runs the tests that a filter of `dotnet test` selects, until one fails or, with "all", to the end.
// Prints "failed NAME" for each failure, and at the end: fails, passes, skipped (what a test needs is missing), or nothing (no test ran).
// `dotnet test` starts three processes for this, and discovers every test of the project.
Assembly assembly = AssemblyLoadContext.Default.LoadFromAssemblyPath(Path.GetFullPath(args[0]));
var filter = TestFilter.Parse(args[1]);
using var trial = new Trial(stopsAtFailure: args.Length < 3);
CustomAttributeData? custom = assembly.CustomAttributes.FirstOrDefault(static data => data.AttributeType == typeof(Xunit.TestFrameworkAttribute));
Type type = custom is null ? typeof(XunitTestFramework) : assembly.GetType((string)custom.ConstructorArguments[0].Value!, throwOnError: true)!;
using var framework = (ITestFramework)Activator.CreateInstance(type, trial)!;
var options = new TestOptions { ["xunit.discovery.PreEnumerateTheories"] = true };
string settings = Path.Combine(AppContext.BaseDirectory, "xunit.runner.json");
if (File.Exists(settings) && JsonDocument.Parse(File.ReadAllText(settings)).RootElement.TryGetProperty("maxParallelThreads", out JsonElement threads)
    && threads.ValueKind == JsonValueKind.Number)
    options["xunit.execution.MaxParallelThreads"] = threads.GetInt32();

using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(Reflector.Wrap(assembly));
foreach (Type tests in assembly.GetTypes()
    .Where(tests => tests is { IsClass: true, IsAbstract: false } && tests.GetMethods().Any(method => filter.MayMatch($"{tests.FullName}.{method.Name}"))))
{
    trial.Discovered.Reset();
    discoverer.Find(tests.FullName!, false, trial, options);
    trial.Discovered.Wait();
}

ITestCase[] cases = [.. trial.Cases.Where(one => filter.Matches($"{one.TestMethod.TestClass.Class.Name}.{one.TestMethod.Method.Name}", one.DisplayName))];
if (cases.Length > 0)
{
    using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
    executor.RunTests(cases, trial, options);
    trial.Finished.Wait();
}

Console.WriteLine(trial.Result);
Console.Out.Flush();
// Threads that tests left behind do not keep the process.
Environment.Exit(0);
