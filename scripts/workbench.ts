/**
 * `npm run workbench`: every card, state, dialog and plot from fixtures, with hot reload, in both themes and several widths. It needs no service and is
 * no part of what is shipped. `-- --port 5200` serves it on another port.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { createServer } from "vite"

const { values } = parseArgs({ options: { port: { type: "string", default: "5174" } } })
const page = await createServer({
  root: join(fileURLToPath(new URL("..", import.meta.url)), "apps", "inbox"),
  server: { host: "127.0.0.1", port: Number(values.port) },
})
await page.listen()
const [url] = page.resolvedUrls?.local ?? []
console.log(`\nThe workbench, which follows its sources: ${url}workbench/\n`)
