/** `npm run check`: everything that can be said about the code without running it. All steps run; any failure fails. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { buildExtension } from "./bundles/build-extension.ts"
import { lockFileProblems } from "./lock-file-problems.ts"
import { coreSize } from "./sizes/core-size.ts"
import { inboxSize } from "./sizes/inbox-size.ts"
import { panelSize } from "./sizes/panel-size.ts"

/** The result of a step: one line for people if it holds, everything if it does not. */
type Found = { readonly ok: true; readonly note: string } | { readonly ok: false; readonly detail: string }

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const steps: ReadonlyArray<readonly [name: string, step: () => Promise<Found>]> = [
  ["types", () => tool("typescript/bin/tsc", ["-b", "--pretty", "false"])],
  ["lint", () => tool("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "--colors=off", "."])],
  ["unused code", () => tool("knip/bin/knip.js", ["--no-progress"])],
  ["lock file", lockFile],
  ["core's size in a browser", size],
  ["the page's size before it shows", pageSize],
  ["the side panel's size", sidePanelSize],
]

// All at once, for some keep one processor busy and some all of them; told in their order.
const running = steps.map(async ([name, step]) => {
  const started = performance.now()
  const found = await step().catch((cause: unknown): Found => ({ ok: false, detail: String(cause) }))
  return { name, found, seconds: ((performance.now() - started) / 1000).toFixed(1) }
})
let failures = 0
for (const { name, found, seconds } of await Promise.all(running)) {
  if (found.ok) console.log(`ok      ${name}${found.note} (${seconds} s)`)
  else console.log(`failed  ${name} (${seconds} s)\n${found.detail.trimEnd()}`)
  if (!found.ok) failures++
}
console.log(failures === 0 ? "check: all hold" : `check: ${failures} of ${steps.length} failed`)
process.exit(failures === 0 ? 0 : 1)

async function tool(program: string, args: readonly string[]): Promise<Found> {
  const command = [join(root, "node_modules", program), ...args]
  try {
    await promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    return { ok: true, note: "" }
  } catch (cause) {
    const { stdout = "", stderr = "", message } = cause as Error & { stdout?: string; stderr?: string }
    return { ok: false, detail: `${stdout}${stderr}`.trim() || message }
  }
}

async function lockFile(): Promise<Found> {
  const problems = lockFileProblems(readFileSync(join(root, "package-lock.json"), "utf8"))
  return problems.length === 0 ? { ok: true, note: "" } : { ok: false, detail: problems.join("\n") }
}

type SizeLimits = {
  readonly [size in "gzip" | "brotli" | "inbox" | "chat" | "worker" | "panel"]: number
}

function sizeLimits(): SizeLimits {
  return JSON.parse(readFileSync(join(root, "scripts", "sizes", "size-limit.json"), "utf8")) as SizeLimits
}

/** The limit rose by 800 bytes (200 with brotli) for secrets behind a name in prose: lists and warnings are made by core, so it must know them; by 100 with brotli for runs that people stop and rename; by 300 for turns and the pace of tellings, which gateway and server share; by 200 for tokens that are revoked and sessions that are stopped; and by 700 (600 with brotli) for warnings of passwords said in prose, of orders to an AI in arguments, and of paths that leave their folder; and by 1300 (1100 with brotli) for the condition on what looks sensitive and for unattended policies, which every decision must know; and by 800 (700 with brotli) for sessions that are autonomous in part, which decisions need, and the record of switches. It rose by 600 (500 with brotli) for conditions on what looks sensitive and on files directly in a folder: every decision may need them; and by 200 (300 with brotli) for credentials that were revoked, which every claim must know. */
async function size(): Promise<Found> {
  const { gzip, brotli } = sizeLimits()
  const actual = await coreSize(root)
  const words = `: gzip ${actual.gzip} of ${gzip} bytes, brotli ${actual.brotli} of ${brotli}, minified ${actual.minified}`
  return actual.gzip <= gzip && actual.brotli <= brotli
    ? { ok: true, note: words }
    : { ok: false, detail: words.slice(2) }
}

async function pageSize(): Promise<Found> {
  const most = sizeLimits()
  const { waiting, chat } = await inboxSize(root)
  const words = `: ${waiting.brotli} of ${most.inbox} bytes of JavaScript, packed, in ${waiting.files} files; the chat's ${chat.brotli} of ${most.chat}`
  const isSmall = waiting.brotli <= most.inbox && chat.brotli <= most.chat
  return isSmall ? { ok: true, note: words } : { ok: false, detail: words.slice(2) }
}

async function sidePanelSize(): Promise<Found> {
  const most = sizeLimits()
  const draft = mkdtempSync(join(tmpdir(), "byleave-panel-size-"))
  try {
    const { worker, panel, all } = panelSize((await buildExtension(root, join(draft, "panel"))).folder)
    const words = `: ${panel} of ${most.panel} bytes of JavaScript, packed, ${all} with what is loaded later; its worker ${worker} of ${most.worker}`
    const isSmall = worker <= most.worker && panel <= most.panel
    return isSmall ? { ok: true, note: words } : { ok: false, detail: words.slice(2) }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
