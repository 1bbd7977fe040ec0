import { forgetHealth } from "../settings/server-health.ts"
import {
  changeSettings,
  type Headers as HeaderValues,
  originPattern,
  readSettings,
  sealHeaders,
} from "../settings/settings.ts"
import { typeOf } from "../wire/messages.ts"
import { type Engine, notebookServer } from "./engine.ts"
import { seeServer } from "./known-servers.ts"
import { askWorker, listServer } from "./worker-calls.ts"

export type NewServer = { readonly id: string; readonly url: string; readonly headers: string }

/** For the servers of a panel that stands alone. Rejects with words that say what is wrong. */
export type ServerManager = {
  /** Keeps a server that answers, and none that does not. */
  readonly add: (wanted: NewServer) => Promise<void>
  readonly test: (id: string) => Promise<void>
  /** Its permissions and accepted tools go with it, and its calls are cancelled. */
  readonly remove: (id: string) => Promise<void>
}

export function manageServers(engine: Engine): ServerManager {
  return {
    add: (wanted) => addServer(engine, wanted),
    test: (id) => testServer(engine, id),
    remove: (id) => removeServer(engine, id),
  }
}

async function addServer(engine: Engine, wanted: NewServer): Promise<void> {
  const id = wanted.id.trim()
  const url = readAddress(wanted.url.trim())
  const headers = readHeaders(wanted.headers)
  const { servers } = await readSettings()
  if (!/^[A-Za-z0-9][\w.-]{0,39}$/.test(id) || id.includes("__")) {
    throw new Error("A name has 1 to 40 letters, digits, dots, dashes or single underscores.")
  }
  if (id === notebookServer || servers.some((server) => server.id === id))
    throw new Error(`There is a server called ${id} already.`)
  await allowOrigin(url)
  const kept = { id, url, headers: await sealHeaders(id, headers), addedAt: Date.now() }
  const tried = await askWorker({ type: typeOf(id, "tools/list"), payload: { candidate: kept } })
  if (!tried.success) throw new Error(tried.error)
  // Nothing that was allowed for another server of this name holds for this one.
  await engine.forgetRemoved()
  await changeSettings((before) => ({ ...before, servers: [...before.servers, kept] }))
  // It is kept by now, and the page says how it fares.
  await seeListed(engine, id).catch(() => undefined)
}

async function seeListed(engine: Engine, id: string): Promise<void> {
  const reply = await listServer(id)
  if (!reply.success) throw new Error(reply.error)
  await seeServer(engine, id, reply.data)
}

async function testServer(engine: Engine, id: string): Promise<void> {
  const kept = (await readSettings()).servers.find((server) => server.id === id)
  if (kept !== undefined) await allowOrigin(kept.url)
  await askWorker({ type: typeOf(id, "disconnect"), payload: {} })
  await seeListed(engine, id)
}

async function removeServer(engine: Engine, id: string): Promise<void> {
  await changeSettings((before) => ({ ...before, servers: before.servers.filter((server) => server.id !== id) }))
  await askWorker({ type: typeOf(id, "disconnect"), payload: {} })
  await engine.forgetRemoved()
  await forgetHealth(id)
}

/** Asks Chrome for the origin, where it is not there yet; only right after a person's click. */
export async function allowOrigin(url: string): Promise<void> {
  const origins = [originPattern(url)]
  if (await chrome.permissions.contains({ origins })) return
  if (!(await chrome.permissions.request({ origins }))) {
    throw new Error(`Without your permission for ${new URL(url).host}, the panel cannot reach it.`)
  }
}

export function readAddress(text: string): string {
  if (!URL.canParse(text)) throw new Error("This is not an address. It begins with https:// or http://.")
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new Error("The address must begin with https:// or http://.")
  if (url.username !== "" || url.password !== "")
    throw new Error("Put credentials into a header, not into the address.")
  return url.href
}

const headerLine = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.+)$/

export function readHeaders(text: string): HeaderValues {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = headerLine.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new Error("Write each header on its own line, as Name: value.")
      return [name, value]
    }),
  )
}
