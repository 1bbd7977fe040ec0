/**
 * The configuration file as text that people edit in the inbox.
 *
 * A text is saved only by whoever edited the newest one, only when it can be used, and without somebody there only when all it
 * does is tighten. It never changes how servers are started or models are reached: that is done in the file, and waits for a person as an approval. Secrets
 * in the file are neither shown nor moved to where they would be shown.
 */
import { basename } from "node:path"
import { canonicalJson, comparePolicies, type JsonObject, type PolicyChange, type Rule, ruleText } from "@byleave/core"
import { type Catalogue, lintPolicy, type PolicyProblem } from "@byleave/core/compare"
import { type Config, type ConfigProblem, editRules, ruleLines } from "@byleave/formats"
import type { ConfigPreview, ConfigText, SavedConfig, Saving } from "@byleave/server"
import type { Io } from "../../io.ts"
import { tightenedLimits } from "../gateway/server-limits.ts"
import { shownTextOf, wholeText } from "./accepted-text.ts"
import { cannotMask, inStore } from "./config-words.ts"
import type { ConfigKeeper } from "./keep-config.ts"
import type { LiveRedactor } from "./live-redactor.ts"
import { type LoadedFile, loadFile } from "./load-file.ts"
import { type InForce, limitsIn, startedAsBefore } from "./plan-change.ts"
import { proposedText } from "./proposed-text.ts"
import { replaceFile } from "./replace-file.ts"
import { policyAtGate } from "./reserved-rule.ts"
import { tightenedSettings } from "./settings.ts"
import { type MaskedText, maskText } from "./shown/mask-text.ts"

export type ConfigTextPorts = {
  readonly file: string
  readonly io: Pick<Io, "env" | "home">
  /** Replicas share the store, and the policy lives there. */
  readonly isShared: boolean
  readonly keeper: ConfigKeeper
  readonly redactor: LiveRedactor
  /** Reads the parts of a configuration that are compared. */
  readonly read: (config: Config) => InForce
  /** Why a configuration cannot require a PIN; null: it can, or does not. */
  readonly whyNoPin: (next: InForce) => Promise<string | null>
  /** Names a text; nothing can be guessed from it. */
  readonly versionOf: (text: string) => string
  /** The tools that servers list now. */
  readonly catalogue: () => Catalogue
  /** This is in force: no edit of somebody's. */
  readonly know: (known: LoadedFile) => void
}

type TextProblem = ConfigPreview["problems"][number]

export function openConfigText(ports: ConfigTextPorts): ConfigText {
  const { file, keeper } = ports
  return {
    read: async () => {
      const current = openCurrent(ports)
      const noPin = current.ok ? await pinProblems(ports, ports.read(current.loaded.config)) : []
      return {
        ...{ version: current.version, file: basename(file), problems: [...noPin, ...current.problems] },
        waiting: keeper.waiting()?.approval ?? null,
        inForce: current.inForce,
        ...(current.ok ? { text: current.masked.text, why: null } : { text: null, why: current.why }),
      }
    },
    preview: async (text) => {
      const current = openCurrent(ports)
      if (!current.ok) return nothing([{ ...problem(current.why) }])
      const edited = readEdited(ports, current, text)
      if (edited.next === null) return nothing(edited.problems)
      const { next } = edited
      const problems = [...(await pinProblems(ports, next)), ...edited.problems]
      const ok = problems.every(({ severity }) => severity !== "error")
      const servers = startedAsBefore(keeper.inForce(), next)
      return { problems, ok, ...changesTo(ports, next), policy: policyAtGate({ ...next, servers }) }
    },
    proposed: (approval) => proposedText({ ...ports, redactText: ports.redactor.redactText }, approval),
    save: (saving) => keeper.change((accept) => save(ports, saving, accept)),
    withRules,
    written: writtenText,
  }
}

export function writtenText(rule: Rule): string {
  return ruleLines(rule) ?? ruleText(rule)
}

export const withRules: ConfigText["withRules"] = (text, rules) => {
  const edited = editRules(text, rules)
  return edited.ok ? edited : { ok: false, why: `${edited.refusal.message} The rules were not changed.` }
}

function nothing(problems: readonly TextProblem[]): ConfigPreview {
  return { problems, ok: false, tightens: [], widens: [], other: [], policy: null }
}

function problem(message: string): TextProblem {
  return { severity: "error", message, line: null, column: null }
}

async function pinProblems({ whyNoPin }: ConfigTextPorts, next: InForce): Promise<readonly TextProblem[]> {
  const why = await whyNoPin(next)
  return why === null ? [] : [problem(why)]
}

type Current = {
  readonly version: string
  readonly problems: readonly TextProblem[]
  /** Whether nothing that it says is held back. */
  readonly inForce: boolean
} & (
  | { readonly ok: false; readonly why: string }
  | { readonly ok: true; readonly loaded: Extract<LoadedFile, { ok: true }>; readonly masked: MaskedText }
)

/** The file as it is now. */
function openCurrent(ports: ConfigTextPorts): Current {
  const { file, io, isShared, versionOf } = ports
  if (isShared) return { ok: false, why: inStore, version: "", problems: [], inForce: true }
  const loaded = loadFile(file, io)
  const version = loaded.text === null ? "" : versionOf(wholeText(loaded.text, loaded.templates))
  if (!loaded.ok) {
    const why = `${basename(file)} is invalid. Fix it by hand; the previous configuration stays in effect.`
    return { ok: false, why, version, problems: loaded.problems.map((found) => shown(ports, found)), inForce: true }
  }
  const { text, config, warnings } = loaded
  const own = maskingAlso(ports, config)
  const masked = maskText({ text, config, warnings, redactText: own.redactor.redactText })
  const problems = allWarnings(ports, loaded).map((found) => shown(own, found, masked ?? undefined, masked?.text))
  const inForce = !ports.keeper.holdsBack(ports.read(config))
  return masked === null
    ? { ok: false, why: cannotMask, version, problems, inForce }
    : { ok: true, loaded, masked, version, problems, inForce }
}

/** A file that nobody has accepted is masked by its own secrets, which nothing else is. */
function maskingAlso(ports: ConfigTextPorts, { secrets }: Config): ConfigTextPorts {
  return { ...ports, redactor: { ...ports.redactor, redactText: ports.redactor.besides(secrets) } }
}

type Found = Pick<ConfigProblem, "severity" | "message" | "where" | "line" | "column">

/** The loader's warnings, and those that show only in view of the other rules and the existing tools. */
function allWarnings(
  { catalogue, file }: ConfigTextPorts,
  loaded: Extract<LoadedFile, { ok: true }>,
): readonly Found[] {
  const odd = lintPolicy(loaded.config.policy, catalogue()).filter(({ code }) => code !== "unknown-server")
  return [...loaded.warnings, ...odd.map((each) => asFound(each, file))].toSorted((one, other) => one.line - other.line)
}

function asFound({ sentence, origin }: PolicyProblem, file: string): Found {
  const where = origin?.where ?? file
  return { severity: "warning", message: sentence, where, line: origin?.line ?? 1, column: origin?.column ?? 1 }
}

function shown({ file, redactor }: ConfigTextPorts, found: Found, masked?: MaskedText, text?: string): TextProblem {
  const { severity, line } = found
  const message = redactor.redactText(found.message.replaceAll(file, basename(file)))
  // The editor has no lines of a template file.
  if (found.where !== file) {
    return { severity, message: `${basename(found.where)}:${line}: ${message}`, line: null, column: null }
  }
  const written = text?.split("\n")[line - 1]
  const column = masked === undefined || written === undefined ? found.column : masked.columnIn(written, found.column)
  return { severity, message, line, column }
}

type Edited = { readonly problems: readonly TextProblem[] } & (
  | { readonly next: null }
  | { readonly next: InForce; readonly loaded: Extract<LoadedFile, { ok: true }> }
)

function readEdited(ports: ConfigTextPorts, current: Extract<Current, { ok: true }>, edited: string): Edited {
  const { file, io, keeper } = ports
  const text = current.masked.restore(edited)
  if (text === null) return { problems: [problem(strayMask)], next: null }
  const loaded = loadFile(file, io, text)
  const found = loaded.ok ? allWarnings(ports, loaded) : loaded.problems
  const own = maskingAlso(ports, current.loaded.config)
  const problems = found.map((each) => shown(own, each, current.masked, edited))
  if (!loaded.ok) return { problems: problems.length === 0 ? [problem(loaded.error)] : problems, next: null }
  const next = ports.read(loaded.config)
  const secrets = [...current.loaded.config.secrets, ...current.masked.secrets]
  if (spellsSecret(next, keeper.inForce(), secrets)) return { problems: [problem(spelled)], next: null }
  const isStartedOtherwise = startsOf(next) !== startsOf(ports.read(current.loaded.config))
  return { problems: isStartedOtherwise ? [...problems, problem(startedOtherwise)] : problems, next, loaded }
}

const strayMask =
  "A line with a masked secret was changed or copied. Leave such lines unchanged, or edit the file by hand."
const spelled = "This text moves a secret to where it would be visible. Leave masked secrets where they are."
const startedOtherwise =
  "Servers and models can only be added, removed or changed in the file itself; such changes then need approval here. Restore the sections `servers` and `models`, save the rest, and edit the file."

/** The order of servers says nothing; the first model is the default. */
function startsOf({ servers, models }: InForce): string {
  const started = servers.map(({ id, start }) => [id, start]).sort()
  return JSON.stringify([started, models.map(({ name, start }) => [name, start])])
}

/** Whether rules or settings would hold a secret that they do not hold already. */
function spellsSecret(next: InForce, inForce: InForce, secrets: readonly string[]): boolean {
  const textOf = ({ policy, settings }: InForce) => canonicalJson({ policy, settings } as unknown as JsonObject)
  const [now, before] = [textOf(next), textOf(inForce)]
  const held = secrets.map((secret) => canonicalJson(secret).slice(1, -1)).filter((secret) => secret.length >= 4)
  return held.some((secret) => now.includes(secret) && !before.includes(secret))
}

type Changes = Pick<ConfigPreview, "tightens" | "widens" | "other">

/** Told as they are, like all that somebody accepts: no secret of a server hides a word of them for being the same. */
function changesTo({ keeper }: ConfigTextPorts, next: InForce): Changes {
  const inForce = keeper.inForce()
  const rules = comparePolicies(inForce.policy, next.policy)
  const settings = tightenedSettings(inForce, next)
  const ofPolicy = ({ sentence, rule }: PolicyChange) => told(sentence, rule ?? null)
  const told = (sentence: string, rule: string | null = null) => ({ sentence, rule })
  return {
    tightens: [...rules.tightens.map(ofPolicy), ...settings.tightens.map((sentence) => told(sentence))],
    widens: [...rules.widens.map(ofPolicy), ...settings.widens.map((sentence) => told(sentence))],
    other: serverLimits(inForce, next).map((sentence) => told(sentence)),
  }
}

function serverLimits(before: InForce, after: InForce): readonly string[] {
  return after.servers.flatMap((server) => {
    const old = before.servers.find(({ id }) => id === server.id)
    if (old === undefined) return []
    const { tightens, widens } = tightenedLimits(server.id, limitsIn(old), limitsIn(server))
    return [...tightens, ...widens]
  })
}

async function save(ports: ConfigTextPorts, saving: Saving, accept: Parameters<AcceptWork>[0]): Promise<SavedConfig> {
  const current = openCurrent(ports)
  if (!current.ok) return refused("unavailable", current.why, current.problems)
  if (current.version !== saving.version) return refused("conflict", changedMeanwhile, [])
  const edited = readEdited(ports, current, saving.text)
  const noPin = edited.next === null ? [] : await pinProblems(ports, edited.next)
  const errors = [...noPin, ...edited.problems].filter(({ severity }) => severity === "error")
  if (edited.next === null || errors.length > 0) return refused("bad-request", cannotUse, errors)
  const { widens, other } = changesTo(ports, edited.next)
  if (saving.widening === "waits") return writeFile(ports, current, edited.loaded)
  if (!saving.present && widens.length + other.length > 0) return { ok: false, code: "presence-needed" }
  const written = writeFile(ports, current, edited.loaded)
  if (!written.ok) return written
  // The file first: should the store fail now, the edit is followed as any other, and what it widens waits.
  const shownText = shownTextOf(edited.loaded, ports.redactor.besides(edited.loaded.config.secrets), ports.versionOf)
  await accept(edited.next, ports.file, saving.reviewer.id, shownText)
  ports.know(edited.loaded)
  return { ok: true }
}

/** The file is followed as after any other edit, unless its text becomes known as the one in force. */
function writeFile(
  { file }: ConfigTextPorts,
  { loaded }: Extract<Current, { ok: true }>,
  { text }: Pick<Extract<LoadedFile, { ok: true }>, "text">,
): SavedConfig {
  try {
    const isWritten = text === loaded.text || replaceFile(file, text, loaded.text)
    return isWritten ? { ok: true } : refused("conflict", changedMeanwhile, [])
  } catch (cause) {
    return refused("unavailable", cannotWrite(file, cause), [])
  }
}

type AcceptWork = Parameters<ConfigKeeper["change"]>[0]

const changedMeanwhile = "The file changed since you opened it. Review it again; nothing was saved."
const cannotUse = "The text has errors. Fix the problems listed; nothing was saved."

function cannotWrite(file: string, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : ""
  return `${basename(file)} could not be written${code}. Nothing was changed.`
}

function refused(
  code: Extract<SavedConfig, { readonly detail: string }>["code"],
  detail: string,
  problems: readonly TextProblem[],
): SavedConfig {
  return { ok: false, code, detail, problems }
}
