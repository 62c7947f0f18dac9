using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using Xunit;

namespace Formatters.PublicApi.Tests;

/// <summary>No option of any package takes a value that its type does not define: it would act as another, or fail much later.</summary>
public class EnumTests
{
    /// <summary>Options that configuration binds, which are validated together when the host starts; and a result.</summary>
    private static readonly string[] Excepted = ["HostedQueueOptions", "RetryOptions", "OutboxOptions", "QueueLogFinding"];

    public static TheoryData<string, string> Options
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (PropertyInfo property in AllOptions())
                data.Add(property.DeclaringType!.FullName!, property.Name);
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void UndefinedValue_IsRefused(string type, string property)
    {
        PropertyInfo option = AllOptions().Single(one => one.DeclaringType!.FullName == type && one.Name == property);
        Type value = Nullable.GetUnderlyingType(option.PropertyType) ?? option.PropertyType;
        object owner = RuntimeHelpers.GetUninitializedObject(option.DeclaringType!);
        int flags = value.IsDefined(typeof(FlagsAttribute)) ? Enum.GetValues(value).Cast<object>().Aggregate(0, static (all, one) => all | Convert.ToInt32(one, null)) : 0;
        foreach (int undefined in new[] { 99, -1, int.MinValue }.Where(one => (one & ~flags) != 0))
        {
            TargetInvocationException e = Assert.Throws<TargetInvocationException>(() => option.SetValue(owner, Enum.ToObject(value, undefined)));
            Assert.IsType<ArgumentOutOfRangeException>(e.InnerException);
        }

        foreach (object defined in Enum.GetValues(value))
            option.SetValue(owner, defined);
    }

    private static IEnumerable<PropertyInfo> AllOptions() =>
        Directory.EnumerateFiles(AppContext.BaseDirectory, "Formatters*.dll")
            .Select(static file => Assembly.Load(Path.GetFileNameWithoutExtension(file)))
            .Where(static assembly => !assembly.GetName().Name!.EndsWith(".SystemMessaging", StringComparison.Ordinal)) // System.Messaging's own rules.
            .SelectMany(static assembly => assembly.GetExportedTypes())
            .Where(static type => type is { IsClass: true, IsAbstract: false, ContainsGenericParameters: false } && !type.IsSubclassOf(typeof(Attribute))
                && !type.IsSubclassOf(typeof(Exception)) && !Excepted.Contains(type.Name))
            .SelectMany(static type => type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            .Where(static property => property.SetMethod?.IsPublic == true && (Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType).IsEnum)
            .OrderBy(static property => property.DeclaringType!.FullName, StringComparer.Ordinal);
}
