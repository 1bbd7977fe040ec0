/** `npm start`: Byleave in front of two real MCP servers, ready to be tried. */
import { spawn, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { demoConfig, demoFolder, prepareWorkspace } from "../examples/demo/prepare.ts"

const byleave = fileURLToPath(new URL("../apps/cli/dist/byleave.js", import.meta.url))

console.log(`Byleave is the approval layer for AI agents that use MCP tools: nothing an agent proposes runs without someone's leave.
This is a demonstration: agents need no token, approving needs no PIN, and everything lies in ${demoFolder}.
`)

prepareWorkspace()
const data = ["--data", demoFolder]
const set = spawnSync(process.execPath, [byleave, "init", "--presence", "none", ...data], {
  stdio: ["inherit", "ignore", "inherit"],
})
if (set.status !== 0) process.exit(set.status ?? 1)

// In the same group as this process: what stops one, Ctrl-C for instance, reaches the other as well.
const service = spawn(
  process.execPath,
  [byleave, "serve", ...data, "--config", demoConfig, "--demo", "--or-any-port", ...process.argv.slice(2)],
  {
    stdio: ["inherit", "pipe", "inherit"],
  },
)
service.stdout.on("data", (text: Buffer) => {
  process.stdout.write(text)
  if (!text.includes("listening")) return
  // A demonstration has no PIN, so its link can be made here; anywhere else it is made by a person who knows the PIN.
  const link = spawnSync(process.execPath, [byleave, "open", "--print", ...data], { encoding: "utf8" }).stdout.trim()
  console.log(`
Open the inbox (this link signs one browser in, within ten minutes; npm run -s byleave -- open --print --data ${demoFolder} makes another):
  ${link}

Next, in another terminal:
  npm run demo                                             a small agent meets each kind of answer
  npm run -s byleave -- run "tidy my notes" --data ${demoFolder}   an agent run: it pauses at a write until you approve, even if you stop this in between
  npm run -s byleave -- pending --data ${demoFolder}       what waits for a person
  npm run -s byleave -- watch --data ${demoFolder}         the same, live; decide by key
`)
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill(signal))
service.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))
