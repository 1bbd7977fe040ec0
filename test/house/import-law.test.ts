import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const imports = "noRestrictedImports"
const globals = "noRestrictedGlobals"

/** Lines as they might be written in a folder, and the rule that must object to them; null: none may. */
const lines: ReadonlyArray<readonly [folder: string, line: string, objects: string | null]> = [
  ["core/src/call", 'export { a } from "./json.ts"', null],
  ["core/src/call", 'export { sha256 } from "@noble/hashes/sha2.js"', null],
  ["core/src/call", 'export { a } from "../policy/rule.ts"', imports],
  ["core/src/call", 'export type { A } from "../gate/gate.ts"', imports],
  ["core/src/call", 'export const a = import("../policy/rule.ts")', imports],
  ["core/src/call", 'export { a } from "node:crypto"', imports],
  ["core/src/call", 'export { a } from "../node/hasher.ts"', imports],
  ["core/src/policy", 'export { a } from "../call/call.ts"', null],
  ["core/src/policy", 'export { a } from "../approval/approval.ts"', imports],
  ["core/src/policy", 'export { a } from "../index.ts"', imports],
  ["core/src/policy/decide", 'export { a } from "../rules/rule.ts"', null],
  ["core/src/policy/decide", 'export { a } from "../../call/call.ts"', null],
  ["core/src/policy/decide", 'export { a } from "../../approval/approval.ts"', imports],
  ["core/src/policy/decide", 'export { a } from "../../index.ts"', imports],
  ["core/src/gate/callers", 'export { a } from "../store.ts"', null],
  ["core/src/gate/callers", 'export { a } from "../../audit/record.ts"', null],
  ["core/src/gate/callers", 'export { a } from "../../../../store/src/index.ts"', imports],
  ["core/src/approval", 'export { a } from "../policy/rule.ts"', null],
  ["core/src/approval", 'export { a } from "../audit/record.ts"', imports],
  ["core/src/audit", 'export { a } from "../approval/approval.ts"', null],
  ["core/src/audit", 'export { a } from "../gate/store.ts"', imports],
  ["core/src/run", 'export { a } from "../call/call.ts"', null],
  ["core/src/run", 'export { a } from "../approval/approval.ts"', imports],
  ["core/src/gate/runs", 'export { a } from "../../run/agent-run.ts"', null],
  ["core/src/schema", 'export { a } from "../policy/same-json.ts"', null],
  ["core/src/schema", 'export { a } from "../gate/gate.ts"', imports],
  ["core/src/schema", 'export { a } from "node:util"', imports],
  ["core/src/told", 'export type { A } from "../gate/gate.ts"', null],
  ["core/src/told", 'export { a } from "../policy/rules/rule.ts"', imports],
  ["core/src/gate", 'export { a } from "../audit/record.ts"', null],
  ["core/src/gate", 'export { a } from "@byleave/store"', imports],
  ["core/src/gate", 'export { a } from "../../../store/src/index.ts"', imports],
  ["core/src/gate", "export const a = Date.now()", globals],
  ["core/src/gate", "export const a = setTimeout(() => {}, 1)", globals],
  ["core/src/gate", 'export const a = fetch("/")', globals],
  ["core/src/gate", "export const a = (clock: () => number) => clock()", null],
  ["core/src", 'export { a } from "./gate/gate.ts"', null],
  ["core/src", 'export { a } from "./node/hasher.ts"', imports],
  ["core/src/node", 'export { a } from "node:crypto"', null],
  ["core/src/node", 'export { a } from "@byleave/store"', imports],
  ["store/src/sqlite", 'export { a } from "@byleave/core"', null],
  ["store/src/sqlite", 'export { a } from "node:sqlite"', null],
  ["store/src/sqlite", 'export { a } from "../migrations/steps.ts"', null],
  ["store/src/sqlite", 'export { a } from "@byleave/formats"', imports],
  ["store/src/sqlite", 'export { a } from "../../../formats/src/index.ts"', imports],
  ["formats/src", 'export { a } from "@byleave/core"', null],
  ["formats/src", 'export { a } from "@byleave/store"', imports],
  ["formats/src", 'export { a } from "node:fs"', imports],
  ["gateway/src/fast-path", 'export type { A } from "../upstream/http/http-answer.ts"', null],
  ["gateway/src/fast-path", 'export { a } from "node:net"', null],
  ["gateway/src/fast-path", 'export { a } from "../wire/headers/trim-blanks.ts"', null],
  ["gateway/src/fast-path", 'export { a } from "../wire/errors.ts"', imports],
  ["gateway/src/fast-path", 'export { a } from "../relay/place.ts"', imports],
  ["gateway/src/fast-path", 'export { a } from "@byleave/core"', imports],
  ["gateway/src/relay", 'export { a } from "../fast-path/read-post.ts"', null],
  ["runs/src/models", 'export { a } from "@byleave/core"', null],
  ["runs/src/models", 'export { a } from "ai"', null],
  ["runs/src/models", 'export const a = import("@ai-sdk/openai")', null],
  ["runs/src/models", 'export { a } from "@byleave/store"', imports],
  ["runs/src/models", 'export { a } from "node:fs"', imports],
  ["runs/src/state", 'export { a } from "node:zlib"', null],
  ["runs/src/state", 'export { a } from "@byleave/store"', imports],
  ["runs/src/models", 'export { a } from "../../../server/src/index.ts"', imports],
  ["adapters/src/ai-sdk", 'export { a } from "@byleave/core"', null],
  ["adapters/src/ai-sdk", 'export { a } from "../call/submit-call.ts"', null],
  ["adapters/src/ai-sdk", 'export type { A } from "ai"', imports],
  ["adapters/src/ai-sdk", 'export { a } from "@byleave/api"', imports],
  ["adapters/src/ai-sdk", 'export { a } from "../../../api/src/index.ts"', imports],
  ["responses/src", 'export { a } from "@byleave/core"', null],
  ["responses/src", 'export { a } from "@byleave/runs"', null],
  ["responses/src", 'export { a } from "@byleave/store"', imports],
  ["responses/src", 'export { a } from "@byleave/server"', imports],
  ["responses/src", 'export { a } from "node:fs"', imports],
  ["ui/src/card", 'export { a } from "@byleave/core"', null],
  ["ui/src/card", 'export { a } from "../parts/button.tsx"', null],
  ["ui/src/card", 'export { a } from "@byleave/server"', imports],
  ["ui/src/card", 'export { a } from "@tanstack/react-query"', imports],
  ["ui/src/card", 'export { a } from "../../../server/src/index.ts"', imports],
  ["ui/src/card/head", 'export { a } from "../../parts/button.tsx"', null],
  ["ui/src/card/head", 'export { a } from "../../../../server/src/index.ts"', imports],
]

describe("the import law of the house", () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-law-"))
  const objections = new Map<string, string>()
  const place = (at: number) => join("packages", lines[at]?.[0] ?? "", `line-${at}.ts`)

  beforeAll(() => {
    copyFileSync(join(root, "biome.json"), join(folder, "biome.json"))
    for (const [at, [, line]] of lines.entries()) {
      mkdirSync(dirname(join(folder, place(at))), { recursive: true })
      writeFileSync(join(folder, place(at)), `${line}\n`)
    }
    for (const { category, location } of lint(folder)) {
      const rule = category.split("/").at(-1) ?? ""
      if (rule === imports || rule === globals) objections.set(location.path, rule)
    }
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(lines.map(([where, line, objects], at) => ({ where, line, objects, at })))(
    "in $where: $line → $objects",
    ({ at, objects }) => {
      expect(objections.get(place(at)) ?? null).toBe(objects)
    },
  )
})

type Diagnostic = { readonly category: string; readonly location: { readonly path: string } }

function lint(folder: string): readonly Diagnostic[] {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  const options = ["--vcs-enabled=false", "--max-diagnostics=none", "--reporter=json"]
  const done = spawnSync(process.execPath, [biome, "lint", ...options, "."], { cwd: folder, encoding: "utf8" })
  const report: { diagnostics: readonly Diagnostic[] } = JSON.parse(done.stdout)
  return report.diagnostics
}
