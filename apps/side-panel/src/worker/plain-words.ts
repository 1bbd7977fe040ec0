import { quoted } from "@byleave/core"
import { shortWords } from "../wire/short-words.ts"

/** Why a server cannot be used, in words that say what to do. */
export function connectionWords(error: unknown, url: string): string {
  const { host } = new URL(url)
  const status = statusIn(error)
  if (status !== null) return statusWords(status, host)
  const text = shortWords(error instanceof Error ? error.message : String(error))
  if (/failed to fetch|network|load failed/i.test(text)) {
    return `Nothing answers at ${host}. Check that the server runs and that the address is right.`
  }
  if (/time.?out/i.test(text)) return `${host} did not answer in time. Check that the server runs.`
  if (/json|unexpected token|content type/i.test(text)) {
    return `What ${host} answers is not MCP. Check the path; many servers use /mcp.`
  }
  return `The server at ${host} could not be used. It says: ${quoted(text, text.length)}`
}

function statusIn(error: unknown): number | null {
  if (typeof error !== "object" || error === null) return null
  for (const name of ["code", "status"]) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === "number" && value >= 300 && value < 600) return value
  }
  const data: unknown = Reflect.get(error, "data")
  if (typeof data === "object" && data !== null) return statusIn(data)
  const [, status] = /\bHTTP (\d{3})\b/.exec(error instanceof Error ? shortWords(error.message) : "") ?? []
  return status === undefined ? null : Number(status)
}

function statusWords(status: number, host: string): string {
  if (status === 401) return `${host} asks for credentials (401). Add the header it needs, such as Authorization.`
  if (status === 403)
    return `${host} does not let this browser in (403). Check the headers, and what the server allows.`
  if (status === 404 || status === 405) {
    return `There is no MCP server at this path of ${host} (${status}). Check the path; many servers use /mcp.`
  }
  if (status === 429) return `${host} is asked too often (429). Try again later.`
  if (status >= 500) return `The server at ${host} is failing (${status}). Its log says why.`
  return `${host} answered with status ${status}.`
}
