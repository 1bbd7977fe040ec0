import { ownNameLikeness, ownNameWarning } from "@byleave/core"
import type { Report, TextPosition } from "../../problem.ts"

/** Whether a key may be a server's id: it becomes part of addresses, of rules and of `<server>__<tool>`. */
export function checkServerId(id: string, place: TextPosition, report: Report): boolean {
  const message = problemOf(id)
  if (message !== undefined) {
    report.error(place, "bad-server-id", message)
    return false
  }
  const warning = ownNameWarning(id)
  if (warning !== null) report.warn(place, "like-byleave", warning)
  return true
}

function problemOf(id: string): string | undefined {
  if (id === "") return "A server needs a name. Write one before the `:`."
  if (ownNameLikeness(id) === "same") {
    return "`byleave` is the name of Byleave's own tools, and this reads the same. Give this server another id."
  }
  if (id.includes("__")) {
    const instead = id.replaceAll(/_{2,}/g, "_")
    return `A server id may not contain \`__\`, which joins server and tool. Write \`${instead}\` instead of \`${id}\`.`
  }
  if (id.length > 100) return "This server id is longer than 100 characters. Shorten it."
  if (/^[\p{L}\p{N}@](?:[\p{L}\p{N} ._@/:-]*[\p{L}\p{N}_-])?$/u.test(id)) return undefined
  return `${JSON.stringify(id)} cannot be a server id. Use letters, digits, \`.\`, \`_\`, \`-\`, \`/\` and spaces; begin with a letter, a digit or \`@\`.`
}
