// A reverse proxy and nothing else: what any gateway written in Node pays before it has looked at a single byte.
// Arguments: the port to listen on, the address behind.
import { Agent, createServer, request } from "node:http"

const [port, behind] = process.argv.slice(2)
const target = new URL(behind ?? "")
const agent = new Agent({ keepAlive: true })

createServer((incoming, response) => {
  const outgoing = request(
    {
      hostname: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, host: target.host },
      agent,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      // A stream may have nothing to say for long, and whoever opened it waits for its head.
      if (incoming.method === "GET") response.flushHeaders()
      answer.pipe(response)
    },
  )
  outgoing.once("error", () => response.destroy())
  response.once("close", () => outgoing.destroy())
  incoming.pipe(outgoing)
}).listen(Number(port), "127.0.0.1")
