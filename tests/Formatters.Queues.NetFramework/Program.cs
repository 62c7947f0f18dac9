using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>
/// Runs the tests, and ends with 1 if one fails: those of queues in memory and, given the place of MSMQ's queues (<c>DIRECT=OS:.\private$\</c>; on Mono
/// <c>DIRECT=OS:127.0.0.1:5672\private$\</c>, a broker with <c>default_consumer_prefetch</c> 1), those over System.Messaging. A second argument: only tests whose name contains it.
/// </summary>
internal static class Program
{
    /// <summary>Where MSMQ's queues are.</summary>
    internal static string MsmqPlace { get; private set; } = "";

    private static int Main(string[] args)
    {
        // Mono over RabbitMQ says something for every operation.
        TextWriter output = Console.Out;
        Console.SetOut(TextWriter.Null);
        // .NET runs the tests without cultures: here "i" and "I" are two letters.
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("tr-TR");
        MsmqPlace = args.Length > 0 ? args[0] : "";
        int exitCode = RunAsync(args.Length > 1 ? args[1] : "", TextWriter.Synchronized(output)).GetAwaiter().GetResult();
        output.Flush();
        // Mono's connection to the broker has a thread that would not let the process end.
        Environment.Exit(exitCode);
        return exitCode;
    }

    private static async Task<int> RunAsync(string part, TextWriter output)
    {
        Type[] memory = [typeof(MemoryExpressTests), typeof(MemoryTransactionTests), typeof(MemoryTopicTests)];
        Type[] msmq = MsmqPlace.Length == 0 ? [] : [typeof(MsmqExpressTests), typeof(MsmqRecoverableTests), typeof(MsmqTransactionTests), typeof(MsmqQueueTests)];
        int passed = 0;
        int failed = 0;
        int skipped = 0;
        foreach (Type type in memory)
            await RunClassAsync(type);
        // Side by side: on Mono they wait for most of their time.
        await Task.WhenAll(msmq.Select(type => Task.Run(() => RunClassAsync(type))));
        output.WriteLine($"{passed} tests passed, {failed} failed, {skipped} skipped, on {RuntimeInformation.FrameworkDescription}.");
        return failed == 0 && passed > 0 ? 0 : 1;

        async Task RunClassAsync(Type type)
        {
            foreach (MethodInfo method in type.GetMethods().Where(method => method.IsDefined(typeof(FactAttribute))))
            {
                string name = $"{type.Name}.{method.Name}";
                if (!name.Contains(part, StringComparison.OrdinalIgnoreCase))
                    continue;
                try
                {
                    await RunAsync(type, method);
                    Interlocked.Increment(ref passed);
                    output.WriteLine($"{name}: ok");
                }
                catch (TestSkippedException e)
                {
                    Interlocked.Increment(ref skipped);
                    output.WriteLine($"{name}: skipped. {e.Message}");
                }
                catch (Exception e)
                {
                    Interlocked.Increment(ref failed);
                    output.WriteLine($"{name}: {(e as TargetInvocationException)?.InnerException ?? e}");
                }

                output.Flush();
            }
        }
    }

    private static async Task RunAsync(Type type, MethodInfo method)
    {
        var test = (QueueTestBase)Activator.CreateInstance(type);
        await test.InitializeAsync();
        try
        {
            await (method.Invoke(test, null) as Task ?? Task.CompletedTask);
        }
        finally
        {
            await test.DisposeAsync();
        }
    }
}
