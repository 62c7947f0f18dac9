using System;
using System.Data.Common;

namespace Formatters.Hosting;

/// <summary>Adds parameters to commands, whatever the database.</summary>
internal static class DbCommandExtensions
{
    internal static void AddParameter(this DbCommand command, string name, object? value)
    {
        DbParameter parameter = command.CreateParameter();
        parameter.ParameterName = name;
        parameter.Value = value ?? DBNull.Value;
        command.Parameters.Add(parameter);
    }
}
