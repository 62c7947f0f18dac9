// A JavaScript client of the hub of SignalRTests, with the MessagePack protocol of Microsoft. Prints what it gets, a line of JSON for each step.
import { HubConnectionBuilder, LogLevel, Subject } from "@microsoft/signalr";
import { MessagePackHubProtocol } from "@microsoft/signalr-protocol-msgpack";

const print = (...values) => console.log(JSON.stringify(values));
const order = { Id: 7, Customer: "Ådá" };
const connection = new HubConnectionBuilder()
    .withUrl(process.argv[2])
    .withHubProtocol(new MessagePackHubProtocol())
    .configureLogging(LogLevel.Critical)
    .build();
const placed = new Promise(resolve => connection.on("Placed", resolve));
connection.on("Confirm", asked => ({ Id: asked.Id + 1, Customer: asked.Customer }));
const relayed = [];
connection.on("Relayed", value => relayed.push(value));
await connection.start();

print(await connection.invoke("Echo", order));
print(await connection.invoke("Echo", null));
print(await connection.invoke("Many", 7, "a", [1, 2, 3], { x: 1, y: 2.5 }));
print(await connection.invoke("Query", 3));
await connection.send("Place", order);
print(await placed);
print(await connection.invoke("AskBack", order));
for (const bad of [[{ Id: "x" }], [1, 2]])
    await connection.invoke("Echo", ...bad).then(print, error => print(error.message.includes("Echo")));
await new Promise((complete, error) => connection.stream("Orders", 3).subscribe({ next: item => print(item.Id), complete, error }));
const numbers = new Subject();
const sum = connection.invoke("Sum", numbers);
[1, 2, 3].forEach(id => numbers.next({ Id: id, Customer: "" }));
numbers.complete();
print(await sum);
for (const value of [{ text: "hello" }, [1, { a: [null, true] }], null, "x"])
    await connection.invoke("Relay", value);
print(relayed);
for (const bad of ["PushUnwritable", "UnwritableResult"])
    await connection.invoke(bad).then(print, error => print(error.message.includes("MemoryStream")));
print(await connection.invoke("Echo", order));
await connection.stop();
