using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Xunit;

namespace Formatters.Msmq.Tests;

/// <summary>
/// Without arguments: runs the tests, and ends with 1 if one fails. <c>send PATH FORMAT</c>, <c>receive PATH</c>: the far end of a test on .NET.
/// </summary>
internal static class Program
{
    /// <summary>The broker, as <c>eng/rabbitmq start</c> prints it: <c>amqp://guest:guest@127.0.0.1:5672</c>.</summary>
    private static readonly string? Address = Environment.GetEnvironmentVariable("FORMATTERS_RABBITMQ");

    private static int Main(string[] args)
    {
        // Mono over RabbitMQ says something for every operation.
        TextWriter output = Console.Out;
        Console.SetOut(TextWriter.Null);
        int exitCode = args.Length == 0 ? RunTests(output) : FarEnd.Run(args, output);
        output.Flush();
        // Mono's connection to the broker has a thread that would not let the process end.
        Environment.Exit(exitCode);
        return exitCode;
    }

    private static int RunTests(TextWriter output)
    {
        Type[] classes = [typeof(FormatterAdapterTests), typeof(GenuineFormatterTests), typeof(MessageQueueTests)];
        int passed = 0;
        int failed = 0;
        foreach (MethodInfo method in classes.SelectMany(type => type.GetMethods()).Where(method => method.IsDefined(typeof(FactAttribute))))
        {
            string name = $"{method.DeclaringType!.Name}.{method.Name}";
            if (method.DeclaringType == typeof(MessageQueueTests) && string.IsNullOrEmpty(Address))
            {
                if (Environment.GetEnvironmentVariable("CI") == "true")
                    failed++;
                output.WriteLine($"{name}: left out, no broker: FORMATTERS_RABBITMQ is not set");
                continue;
            }

            try
            {
                object test = Activator.CreateInstance(method.DeclaringType);
                using (test as IDisposable)
                    method.Invoke(test, null);
                passed++;
                output.WriteLine($"{name}: ok");
            }
            catch (TargetInvocationException e)
            {
                failed++;
                output.WriteLine($"{name}: {e.InnerException}");
            }
        }

        output.WriteLine($"{passed} tests passed, {failed} failed, on {RuntimeInformation.FrameworkDescription}.");
        return failed == 0 && passed > 0 ? 0 : 1;
    }

    /// <summary>The path of a queue on the broker: Mono takes a host with a port for a machine.</summary>
    internal static string PathOf(string name) => $"{new Uri(Address!).Authority.Split('@').Last()}\\{name}";
}
