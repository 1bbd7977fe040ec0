/** `npm start`: what Byleave is, what can be tried, and every example run once. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

console.log(`Byleave is the approval layer for AI agents that use MCP tools: nothing an agent proposes runs without
someone's leave. Policy says what runs, what is refused and what waits for a person; each approved call runs once,
and the audit trail proves who allowed what.

Try it:
  npm run -s byleave -- policy check --config FILE                     every problem in a byleave.yaml
  npm run -s byleave -- policy explain --config FILE SERVER TOOL       why a call is decided so
  npm test                                                             everything it promises, tried`)

const failed = examples().filter((example) => !runExample(example))
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`)
  process.exit(1)
}

function examples(): readonly string[] {
  const folder = join(root, "examples")
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "main.ts")))
    .sort()
}

function runExample(name: string): boolean {
  console.log(`\n── examples/${name}`)
  const done = spawnSync(process.execPath, [join(root, "examples", name, "main.ts")], { cwd: root, stdio: "inherit" })
  return done.status === 0
}
