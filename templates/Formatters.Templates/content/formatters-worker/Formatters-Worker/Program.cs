using Formatters_Worker;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var settings = new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory };
HostApplicationBuilder builder = Host.CreateApplicationBuilder(settings);
builder.Services.AddQueues(builder.Configuration)
    .AddSender<OrderPlaced>("orders")
    .AddConsumer<OrderPlaced, OrderHandler>("orders");
builder.Build().Run();
