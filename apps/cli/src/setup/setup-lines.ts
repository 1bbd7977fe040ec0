import { givenWords, type SetupFileView, type SetupServerView } from "@byleave/api"
import { shownName, showText } from "@byleave/core"
import type { Paint } from "../terminal/paint.ts"
import type { UndoLook, UndoStep } from "./plan-undo.ts"
import type { Undone } from "./undo-setup.ts"

/** The difference that setup makes, file by file. `home` is shown as `~`. */
export function setupLines(files: readonly SetupFileView[], home: string | undefined, paint: Paint): string {
  return files.map((file) => fileLines(file, (path) => shortPath(path, home), paint)).join("")
}

type Short = (path: string) => string

function fileLines(file: SetupFileView, short: Short, paint: Paint): string {
  const head = `${paint("bold", file.title)}  ${short(file.file)}\n`
  const servers = file.servers.map((server) => serverLines(server, paint)).join("")
  const allow =
    file.allow === null
      ? ""
      : `${paint("green", "  +")} ${short(file.allow.file)}: ${file.title} no longer asks about ${file.allow.servers.map((one) => shownName(one)).join(", ")} (${file.allow.rules.map((one) => shownName(one)).join(", ")}); Byleave does\n`
  const notes = file.notes.map((note) => `    ${note}\n`).join("")
  const problem =
    file.problem === null
      ? ""
      : `${paint("red", "  !")} ${short(file.problem.file)}:${file.problem.line}: ${showText(file.problem.message)} Left as it is.\n`
  const none = servers === "" && problem === "" ? "    no MCP servers\n" : ""
  return `${head}${servers}${none}${allow}${notes}${problem}`
}

function serverLines(view: SetupServerView, paint: Paint): string {
  const { becomes, before, after, why, change, warning } = view
  const name = shownName(view.server)
  const given = showText(givenWords(view))
  if (becomes === "same") return `    ${name}: behind Byleave already${given}\n`
  if (becomes === "left") return `${paint("yellow", "  !")} ${name}${given}: left as it is: ${showText(why ?? "")}\n`
  const moves = change === null ? ", which is in byleave.yaml already" : ", which moves to byleave.yaml"
  const from = `${showText(before)}${given}${becomes === "addressed" ? moves : ""}`
  return [
    `${paint("red", "  -")} ${name}: ${from}\n`,
    `${paint("green", "  +")} ${name}: ${showText(after ?? "")}\n`,
    ...(change === null ? [] : [`    Your yes to setup is also one to this: ${showText(change)}\n`]),
    ...(warning === null ? [] : [`${paint("yellow", "  !")} ${name}: ${showText(warning)}\n`]),
  ].join("")
}

const undoneWords = {
  restored: "restored",
  "taken-back": "taken back; your later edits stay",
  removed: "removed",
  gone: "is gone; nothing to undo",
  unreadable: "cannot be read; fix it, or restore it by hand",
} as const satisfies Record<UndoStep["how"], string>

/** Tells the person who says yes to it what undo is about to do. */
export function undoLines(steps: readonly UndoStep[], { record }: UndoLook, home: string | undefined): string {
  const { tokens, servers } = record
  const names = [...new Set(servers.map(({ name }) => shownName(name)))]
  const lines = [
    ...(steps.length === 0 ? [] : ["Puts back:", ...steps.flatMap((step) => stepLines(step, home))]),
    ...(names.length === 0 ? [] : [`Removes from byleave.yaml, unless another agent uses them: ${names.join(", ")}`]),
    ...(tokens.length === 0 ? [] : [`Revokes tokens: ${tokens.map(({ id }) => shownName(id)).join(", ")}`]),
  ]
  return lines.map((line) => `${line}\n`).join("")
}

const stepWords = {
  restored: "",
  "taken-back": " (edited since: your edits stay)",
  removed: " (which setup made: it is removed)",
  gone: " (is gone: nothing to undo)",
  unreadable: " (cannot be read: it stays as it is)",
} as const satisfies Record<UndoStep["how"], string>

function stepLines({ path, how, kept }: UndoStep, home: string | undefined): readonly string[] {
  const parts = kept.map((part) => `    ${showText(part)} was changed by hand since, and stays as it is`)
  return [`  ${shortPath(path, home)}${stepWords[how]}`, ...parts]
}

export function undoneLines({ files, tokens, servers }: Undone, home: string | undefined): string {
  const lines = files.flatMap(({ path, how, kept }) => [
    `${shortPath(path, home)}: ${undoneWords[how]}`,
    ...kept.map((part) => `  ${showText(part)} was changed by hand since, and stays as it is`),
  ])
  const removed =
    servers.length === 0 ? [] : [`Removed from byleave.yaml: ${servers.map((one) => shownName(one)).join(", ")}`]
  const revoked = tokens.length === 0 ? [] : [`Revoked tokens: ${tokens.map((one) => shownName(one)).join(", ")}`]
  return [...lines, ...removed, ...revoked].map((line) => `${line}\n`).join("")
}

function shortPath(path: string, home: string | undefined): string {
  return showText(home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
}
