import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** A failure in a line that fits a table: the line that names the error, without this machine's paths. */
export function problemOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  const lines = text.split("\n").map((line) => line.trim())
  const said = lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? lines[0] ?? ""
  return said.replaceAll(root, "").replaceAll(/\s+/g, " ").replaceAll("|", "/").slice(0, 200)
}
