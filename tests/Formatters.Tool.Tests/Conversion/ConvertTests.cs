using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Orders;
using Npgsql;
using Xunit;

namespace Formatters.Tools.Tests.Conversion;

/// <summary>The command <c>convert</c>.</summary>
public sealed class ConvertTests : IDisposable
{
    private static readonly string[] OrderTypes = ["--type", "Formatters.Orders.OrderWithList", "--assembly", typeof(OrderWithList).Assembly.Location];
    private static readonly LegacyBinaryFormatter<OrderWithList> Legacy = new();

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-convert-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_folder_becomes_json_that_reads_back_the_same()
    {
        OrderWithList[] orders = WriteOrders(25);
        ToolResult result = await new Tool().RunAsync(["convert", At("old"), At("new"), "--to-format", "json", .. OrderTypes]);
        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        for (int i = 0; i < orders.Length; i++)
        {
            byte[] json = await File.ReadAllBytesAsync(At("new", "sub", $"{i}.bin.json"));
            Assert.Equal(Json(orders[i]), Json((OrderWithList)new JsonFormatter<OrderWithList>().Read(new MessageBody(json))!));
        }
    }

    [Fact]
    public async Task A_bad_body_is_counted_and_named_and_the_others_are_converted()
    {
        WriteOrders(3);
        await File.WriteAllBytesAsync(At("old", "sub", "bad.bin"), File.ReadAllBytes(At("old", "sub", "0.bin"))[..40]);
        ToolResult result = await new Tool().RunAsync(["convert", At("old"), At("new"), "--to-format", "messagepack", "--from-format", "legacy-binary", .. OrderTypes]);
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("bad.bin", result.Output, StringComparison.Ordinal);
        Assert.Equal(["0.bin", "1.bin", "2.bin"], Directory.GetFiles(At("new", "sub")).Select(Path.GetFileName).Order());
    }

    [Serializable]
    public sealed class Indexed
    {
        public int Id { get; set; } = 7;

        [System.Runtime.Serialization.OnDeserialized]
        private void Index(System.Runtime.Serialization.StreamingContext context) => Id = 0;
    }

    /// <summary>Legacy binary bodies are read without callbacks, and a user who may rely on them is told.</summary>
    [Theory]
    [InlineData("auto", true)]
    [InlineData("legacy-binary", true)]
    [InlineData("messagepack", false)]
    public async Task A_callback_that_is_not_called_is_named(string format, bool isNamed)
    {
        Directory.CreateDirectory(At("old"));
        await File.WriteAllBytesAsync(At("old", "0.bin"), format == "messagepack" ? new MessagePackFormatter<Indexed>().Write(new Indexed()) : new LegacyBinaryFormatter<Indexed>().Write(new Indexed()));
        ToolResult result = await new Tool().RunAsync(
            "convert", At("old"), At("new"), "--from-format", format, "--to-format", "json", "--type", typeof(Indexed).FullName!, "--assembly", typeof(Indexed).Assembly.Location);
        Assert.Equal((0, isNamed), (result.ExitCode, result.Error.Contains("+Indexed.Index", StringComparison.Ordinal)));
    }

    /// <summary>A type in a member of type object that the user has not declared is reported by its name, and its file is left out.</summary>
    [Fact]
    public async Task An_undeclared_type_is_named()
    {
        WriteOrders(1);
        ToolResult result = await new Tool().RunAsync(
            "convert", At("old"), At("new"), "--to-format", "json", "--from-format", "legacy-binary", "--type", "Formatters.Orders.Address", "--assembly", typeof(OrderWithList).Assembly.Location);
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("Formatters.Orders.OrderWithList", result.Output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(At("new")));
    }

    [Fact]
    public async Task Without_types_the_json_is_that_of_the_inspector()
    {
        WriteOrders(1);
        var tool = new Tool();
        Assert.Equal(0, (await tool.RunAsync("convert", At("old"), At("new"), "--to-format", "json")).ExitCode);
        string inspected = (await tool.RunAsync("inspect", At("old", "sub", "0.bin"))).Output;
        Assert.Equal(inspected.Trim(), (await File.ReadAllTextAsync(At("new", "sub", "0.bin.json"))).Trim());
    }

    [Fact]
    public async Task A_run_that_is_repeated_converts_the_rest()
    {
        WriteOrders(4);
        string[] args = ["convert", At("old"), At("new"), "--to-format", "xml", .. OrderTypes];
        Assert.Equal(0, (await new Tool().RunAsync(args)).ExitCode);
        File.Delete(At("new", "sub", "2.bin.xml"));
        await File.WriteAllTextAsync(At("new", "sub", "1.bin.xml"), "mine");
        ToolResult result = await new Tool().RunAsync(args);
        Assert.Equal(0, result.ExitCode);
        Assert.Contains("3 files were left out", result.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(At("new", "sub", "2.bin.xml")));
        Assert.Equal("mine", await File.ReadAllTextAsync(At("new", "sub", "1.bin.xml")));
    }

    [Fact]
    public async Task A_dry_run_writes_nothing()
    {
        WriteOrders(2);
        ToolResult result = await new Tool().RunAsync(["convert", At("old"), At("new"), "--to-format", "json", "--dry-run", .. OrderTypes]);
        Assert.Equal(0, result.ExitCode);
        Assert.Contains("would be written as json", result.Output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(At("new")));
    }

    [Theory]
    [InlineData("convert NOTHING NEW --to-format json")]
    [InlineData("convert OLD --to-format json")]
    [InlineData("convert OLD OLD/new --to-format json")]
    [InlineData("convert OLD NEW --to-format json --table t")]
    [InlineData("convert OLD NEW --to-format messagepack")]
    [InlineData("convert OLD NEW --to-format json --from-format nonsense")]
    [InlineData("convert OLD NEW --to-format json --allow a:kind")]
    [InlineData("convert postgres://h/d?sslmode=disable --to-format json --table t --key k --column c --to-column d")]
    [InlineData("convert postgres://h/d NEW --to-format json --table t --key k --column c --to-column d")]
    [InlineData("convert postgres://h/d --to-format json --table t --key k --column c")]
    public async Task Usage(string line)
    {
        WriteOrders(1);
        ToolResult result = await new Tool().RunAsync([.. line.Replace("OLD", At("old"), StringComparison.Ordinal).Replace("NEW", At("new"), StringComparison.Ordinal)
            .Replace("NOTHING", At("nothing"), StringComparison.Ordinal).Split(' ')]);
        Assert.Equal((2, ""), (result.ExitCode, result.Output));
        Assert.False(Directory.Exists(At("new")));
    }

    [PostgresFact]
    public async Task A_column_becomes_another_of_the_same_rows()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        await using NpgsqlConnection connection = await OpenAsync(database);
        OrderWithList[] orders = WriteOrders(1200);
        await ExecuteAsync(connection, "CREATE TABLE \"Old orders\" (id bigint PRIMARY KEY, body bytea, body_json jsonb, body_new bytea)");
        for (int i = 0; i < orders.Length; i++)
            await ExecuteAsync(connection, "INSERT INTO \"Old orders\" VALUES ($1, $2)", (long)i, File.ReadAllBytes(At("old", "sub", $"{i}.bin")));
        await ExecuteAsync(connection, "INSERT INTO \"Old orders\" VALUES (5000, NULL), (5001, '\\x0001')");
        string[] args = ["convert", database.Address, "--table", "Old orders", "--key", "id", "--column", "body", "--from-format", "legacy-binary"];

        ToolResult result = await new Tool().RunAsync([.. args, "--to-column", "body_json", "--to-format", "json", .. OrderTypes]);
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("the row id = 5001", result.Output, StringComparison.Ordinal);
        Assert.Equal(1200L, await ScalarAsync(connection, "SELECT count(*) FROM \"Old orders\" WHERE body_json IS NOT NULL"));
        Assert.Equal(0L, await ScalarAsync(connection, "SELECT count(*) FROM \"Old orders\" WHERE body_json IS NOT NULL AND id >= 5000"));
        string json = (string)(await ScalarAsync(connection, "SELECT body_json::text FROM \"Old orders\" WHERE id = 7"))!;
        Assert.Equal(Json(orders[7]), Json((OrderWithList)new JsonFormatter<OrderWithList>().Read(new MessageBody(Encoding.UTF8.GetBytes(json)))!));

        result = await new Tool().RunAsync([.. args, "--to-column", "body_new", "--to-format", "versioned", .. OrderTypes]);
        Assert.Equal((1, 1200L), (result.ExitCode, await ScalarAsync(connection, "SELECT count(*) FROM \"Old orders\" WHERE body_new IS NOT NULL")));
        byte[] versioned = (byte[])(await ScalarAsync(connection, "SELECT body_new FROM \"Old orders\" WHERE id = 1199"))!;
        Assert.Equal(Json(orders[1199]), Json((OrderWithList)new VersionedFormatter<OrderWithList>().Read(new MessageBody(versioned))!));

        // One value that the column does not accept leaves the others of its page alone.
        await ExecuteAsync(connection, "ALTER TABLE \"Old orders\" ADD COLUMN body_short varchar(1000000), ADD CHECK (id <> 3 OR body_short IS NULL)");
        result = await new Tool().RunAsync([.. args, "--to-column", "body_short", "--to-format", "xml", .. OrderTypes]);
        Assert.Equal(3, result.ExitCode);
        Assert.Contains("cannot be written: BadValue", result.Output, StringComparison.Ordinal);
        Assert.Equal(1199L, await ScalarAsync(connection, "SELECT count(*) FROM \"Old orders\" WHERE body_short IS NOT NULL"));
        Assert.Equal(0L, await ScalarAsync(connection, "SELECT count(*) FROM \"Old orders\" WHERE id = 3 AND body_short IS NOT NULL"));

        foreach ((string option, string value, string message) in new[]
            { ("--column", "none", "none"), ("--table", "none", "none"), ("--key", "none", "none"), ("--to-column", "id", "bigint") })
        {
            string[] changed = [.. args, "--to-column", "body_json", "--to-format", "json", .. OrderTypes];
            changed[Array.IndexOf(changed, option) + 1] = value;
            result = await new Tool().RunAsync(changed);
            Assert.Equal(2, result.ExitCode);
            Assert.Contains(message, result.Error, StringComparison.Ordinal);
        }
    }

    private OrderWithList[] WriteOrders(int count)
    {
        Directory.CreateDirectory(At("old", "sub"));
        OrderWithList[] orders = [.. Enumerable.Range(0, count).Select(static i => OrderWithList.From(SampleOrders.Create(i % 5)))];
        for (int i = 0; i < count; i++)
        {
            var body = new MessageBody();
            ((IMessageFormatter)Legacy).Write(body, orders[i]);
            File.WriteAllBytes(At("old", "sub", i.ToString(CultureInfo.InvariantCulture) + ".bin"), body.ToArray());
        }

        return orders;
    }

    private string At(params string[] parts) => Path.Combine([_folder, .. parts]);

    private static string Json(OrderWithList order) => JsonSerializer.Serialize(order);

    private static async Task<NpgsqlConnection> OpenAsync(TestDatabase database)
    {
        var uri = new Uri(database.Address);
        string[] user = uri.UserInfo.Split(':');
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder
        {
            Host = uri.Host, Port = uri.Port, Username = user[0], Password = user[1], Database = uri.AbsolutePath.Trim('/'), Pooling = false,
        }.ConnectionString);
        await connection.OpenAsync();
        return connection;
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, params object[] values)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        foreach (object value in values)
            command.Parameters.Add(new NpgsqlParameter { Value = value });
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<object?> ScalarAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        return await command.ExecuteScalarAsync();
    }
}
