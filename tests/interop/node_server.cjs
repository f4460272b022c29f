// A small honest server on the TypeScript SDK of both eras: `node node_server.cjs NODE_MODULES stdio|http`.
// It has what tests/servers/python_server.py has; over HTTP it listens on $PORT of the loopback interface.
const { createServer } = require("node:http");
const path = require("node:path");
const [folder, transport] = process.argv.slice(2);
const sdk = require("node:module").createRequire(path.join(path.resolve(folder), "here.js"));
const { McpServer, createMcpHandler, fromJsonSchema } = sdk("@modelcontextprotocol/server");

const object = (properties) =>
  fromJsonSchema({ type: "object", properties, required: Object.keys(properties) });
const text = (value) => ({ content: [{ type: "text", text: String(value) }] });

function make() {
  const server = new McpServer({ name: "honest-typescript", version: "1.0.0" });
  const number = { type: "integer" };
  server.registerTool("add", { inputSchema: object({ a: number, b: number }) }, ({ a, b }) => text(a + b));
  server.registerTool("shout", { inputSchema: object({ text: { type: "string" } }) }, (given) =>
    text(given.text.toUpperCase()));
  server.registerResource("greeting", "memo://greeting", {}, (uri) =>
    ({ contents: [{ uri: uri.href, text: "hello" }] }));
  server.registerPrompt("review", { argsSchema: object({ code: { type: "string" } }) }, ({ code }) =>
    ({ messages: [{ role: "user", content: { type: "text", text: `Please review: ${code}` } }] }));
  return server;
}

if (transport === "stdio") {
  sdk("@modelcontextprotocol/server/stdio").serveStdio(make);
} else {
  const handle = sdk("@modelcontextprotocol/node").toNodeHandler(createMcpHandler(make));
  createServer((request, response) => void handle(request, response))
    .listen(Number(process.env.PORT), "127.0.0.1");
}
