import type { PinView } from "@byleave/api"
import { type JsonValue, programPin, quoted, showText, textAmongValues } from "@byleave/core"
import { type Paint, safeLines } from "../terminal/paint.ts"
import { wrapLine } from "./wrap-line.ts"

/** `server(tool)`, or the server alone where it is about the server itself. */
export function pinName({ server, tool, of }: Pick<PinView, "server" | "tool" | "of">): string {
  return of === "server" ? server : `${server}(${tool})`
}

const states = {
  accepted: "accepted",
  changed: "changed, needs review",
  new: "new, needs review",
  rejected: "rejected, calls are denied",
  quarantined: "quarantined, hidden and denied",
  unpinned: "changes not tracked",
} as const satisfies Record<PinView["state"], string>

/** Everything a person needs to answer: what to check first, then what differs, or all of it where nothing was accepted before. */
export function definitionLines(pin: PinView, paint: Paint, columns: number | undefined): string {
  const title = pin.of === "server" ? `${showText(pin.server)}, server instructions` : showText(pinName(pin))
  const lines = [`${paint("bold", title)}  ${states[pin.state]}`]
  for (const { kind, found, path } of pin.flags) {
    const where = path === "" ? "" : ` in ${showText(path)}`
    lines.push(paint("yellow", `  ! ${flagWords[kind]}${found === "" ? "" : ` ${quoted(found)}`}${where}`))
  }
  const say = (sign: "+" | "-", value: JsonValue): void => {
    for (const line of sideLines(sign, value, paint)) lines.push(line)
  }
  if (pin.proposed !== null && pin.accepted === null) say("+", pin.proposed.whole)
  // It is what a no withdraws.
  if (pin.proposed === null && pin.accepted !== null && pin.tool === programPin) say("-", pin.accepted.whole)
  for (const { path, before, after } of pin.differences) {
    lines.push(`  ${showText(path)}`)
    if (before !== undefined) say("-", before)
    if (after !== undefined) say("+", after)
  }
  const rows = columns ? lines.flatMap((line) => wrapLine(line, columns)) : lines
  return `${rows.join("\n")}\n`
}

const flagWords = {
  instruction: "may instruct the model:",
  credential: "mentions a secret or where one is stored:",
  "hidden-characters": "contains invisible characters",
  "not-looked-at": "too long to check completely: read it to the end",
} as const satisfies Record<PinView["flags"][number]["kind"], string>

function sideLines(sign: "+" | "-", value: JsonValue, paint: Paint): readonly string[] {
  const text = typeof value === "string" ? textAmongValues(value) : JSON.stringify(value, null, 2)
  const style = sign === "+" ? "green" : "red"
  return safeLines(text)
    .split("\n")
    .map((line) => paint(style, `    ${sign} ${line}`))
}
