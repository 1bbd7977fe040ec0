import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { pathOf } from "../../apps/cli/src/setup/client-files.ts"
import { clientPrograms } from "../../packages/formats/src/clients/client-programs.ts"
import { clientTexts } from "../../packages/formats/src/clients/fixtures/client-texts.ts"
import { type Row, tableOf } from "../row.ts"

const byleave = fileURLToPath(new URL("../../apps/cli/dist/byleave.js", import.meta.url))
const rounds = 9
const mostMs = 2_000
/** As large as Claude Code's file grows with the history of its projects. */
const historyBytes = 4_000_000

/** `byleave setup --dry-run` in a home with a file of each of ten clients, as a process of its own. */
export function measureSetup(): string {
  const plain = Math.min(...timesOf(0))
  const large = Math.min(...timesOf(historyBytes))
  const row = (what: string, ms: number): Row => ({
    ...{ what, reach: `< ${mostMs / 1000} s`, measured: `${(ms / 1000).toFixed(2)} s`, reached: ms < mostMs },
  })
  return `
\`byleave setup --dry-run\` as a process of its own, from its start to its end; the best of ${rounds}. Repeat it with \`npm run bench -- --setup\`.

${tableOf([
  row("difference over ten clients", plain),
  row(`the same, with ${historyBytes / 1_000_000} MB of history in Claude Code's file`, large),
])}`
}

function timesOf(history: number): readonly number[] {
  const home = mkdtempSync(join(tmpdir(), "byleave-bench-setup-"))
  try {
    layOut(home, history)
    return Array.from({ length: rounds }, () => {
      const started = performance.now()
      const env = { PATH: process.env.PATH ?? "", HOME: home }
      const { status, stdout } = spawnSync(process.execPath, [byleave, "setup", "--dry-run"], {
        env,
        cwd: home,
        encoding: "utf8",
      })
      const missing = clientPrograms.filter(({ title }) => !stdout.includes(`${title}  `))
      if (status !== 0 || missing.length > 0) throw new Error(`setup ended with ${status}: ${stdout}`)
      return performance.now() - started
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function layOut(home: string, history: number): void {
  const machine = { home, cwd: home, platform: process.platform, env: new Map<string, string>() }
  for (const { client: id, file, text } of clientTexts) {
    const found = clientPrograms.find((client) => client.id === id)?.files[file]
    const path = found === undefined ? null : pathOf(found, machine)
    if (path === null) throw new Error(`${id} has no place here`)
    mkdirSync(dirname(path), { recursive: true })
    const past = Array.from({ length: Math.floor(history / 100) }, (_, at) => `${at} ${"history ".repeat(12)}`)
    const isClaude = id === "claude-code" && history > 0
    writeFileSync(path, isClaude ? text.replace("{", `{ "history": ${JSON.stringify(past)},`) : text)
  }
}
