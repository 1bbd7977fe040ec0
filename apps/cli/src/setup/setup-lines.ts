import type { SetupFileView, SetupServerView } from "@byleave/api"
import { shownName, showText } from "@byleave/core"
import type { Paint } from "../terminal/paint.ts"
import type { SetupRecord } from "./setup-record.ts"
import type { Undone, UndoneFile } from "./undo-setup.ts"

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

function serverLines({ server, becomes, before, after, env, why }: SetupServerView, paint: Paint): string {
  const name = shownName(server)
  const sets = env.length === 0 ? "" : ` (sets ${env.map((one) => shownName(one)).join(", ")})`
  if (becomes === "same") return `    ${name}: behind Byleave already${sets}\n`
  if (becomes === "left") return `${paint("yellow", "  !")} ${name}${sets}: left as it is: ${showText(why ?? "")}\n`
  const from = becomes === "addressed" ? `${showText(before)}, which moves to byleave.yaml` : showText(before)
  return `${paint("red", "  -")} ${name}: ${from}\n${paint("green", "  +")} ${name}: ${showText(after ?? "")}\n`
}

const undoneWords = {
  restored: "restored",
  "taken-back": "taken back; your later edits stay",
  removed: "removed",
  gone: "is gone; nothing to undo",
  unreadable: "cannot be read; fix it, or restore it by hand",
} as const satisfies Record<UndoneFile["how"], string>

/** Tells the person who says yes to it what undo is about to do. */
export function undoLines({ files, tokens, servers }: SetupRecord, home: string | undefined): string {
  const names = [...new Set(servers.map(({ name }) => shownName(name)))]
  const lines = [
    ...(files.length === 0 ? [] : ["Puts back:", ...files.map(({ path }) => `  ${shortPath(path, home)}`)]),
    ...(names.length === 0 ? [] : [`Removes from byleave.yaml, unless another agent uses them: ${names.join(", ")}`]),
    ...(tokens.length === 0 ? [] : [`Revokes tokens: ${tokens.map(({ id }) => shownName(id)).join(", ")}`]),
  ]
  return lines.map((line) => `${line}\n`).join("")
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
