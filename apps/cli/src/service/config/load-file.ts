import { dirname } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { type Config, type ConfigProblem, loadConfig, type ModelSettings, readScript } from "@byleave/formats"
import { templateFiles } from "../../config/template-files.ts"
import { readUtf8 } from "../../files/read-utf8.ts"
import type { Io } from "../../io.ts"

export type LoadedFile = {
  /** The texts of the template files that it uses, by path; null: it cannot be read. */
  readonly templates: ReadonlyMap<string, string | null>
} & (
  | { readonly ok: true; readonly config: Config; readonly text: string; readonly warnings: readonly ConfigProblem[] }
  | {
      readonly ok: false
      readonly error: string
      readonly text: string | null
      readonly problems: readonly ConfigProblem[]
    }
)

/** Reads the configuration that servers will be started by. `text`: where it has been read already. */
export function loadFile(path: string, io: Pick<Io, "env" | "home">, text = readUtf8(path)): LoadedFile {
  if (text === null) {
    return {
      ok: false,
      text,
      templates: new Map(),
      error: `Cannot read ${path}. It must be UTF-8 text that you are allowed to read.`,
      problems: [],
    }
  }
  const { env, home } = io
  const { read: readTemplate, seen: templates } = templateFiles()
  const options = {
    name: path,
    folder: dirname(path),
    env,
    hasher: nodeHasher,
    purpose: "start" as const,
    readTemplate,
  }
  const loaded = loadConfig(text, home === undefined ? options : { ...options, home })
  if (!loaded.ok) {
    const error = `${path} is invalid. Fix the problems listed.`
    return { ok: false, text, templates, error, problems: loaded.problems }
  }
  const scripted = loaded.config.models.map((model) => withSteps(model, path))
  return {
    ok: true,
    config: { ...loaded.config, models: scripted.map(({ model }) => model) },
    text,
    templates,
    warnings: [...loaded.warnings, ...scripted.flatMap(({ problem }) => problem ?? [])],
  }
}

type Scripted = { readonly model: ModelSettings; readonly problem?: ConfigProblem }

/** A scripted model with the steps of its file; without a file that can be used the model cannot be either. */
function withSteps(model: ModelSettings, where: string): Scripted {
  const { name, script, config } = model
  if (script === undefined || config?.provider !== "scripted") return { model }
  const text = readUtf8(script)
  const read = text === null ? null : readScript(text, script)
  if (read?.ok === true) return { model: { ...model, config: { ...config, steps: read.steps } } }
  const found = read?.problems[0]
  const why = found === undefined ? "cannot be read" : `is invalid (line ${found.line}: ${found.message})`
  const message = `${script} ${why}, so the model \`${name}\` cannot be used.`
  const place = { where, line: 1, column: 1, path: `models.${name}.script` }
  return { model: { ...model, config: null }, problem: { severity: "warning", code: "bad-value", message, ...place } }
}
