import { type JsonObject, objectAt, textAt, without } from "@byleave/core"
import type { Link } from "../../upstream/link.ts"
import type { Caller } from "../../wire/caller.ts"
import { serverInfoKey } from "../../wire/envelope.ts"
import type { ServerHello } from "../../wire/exchange.ts"
import { tasksExtension } from "../era.ts"

/** A server's hello, in the words of the caller's era. `canTask`: a held call may become a task. */
export function helloFrom(link: Link, caller: Caller, canTask: boolean): ServerHello {
  const { hello } = link
  const instructions = textAt(hello, "instructions")
  return {
    capabilities: capabilitiesFor(objectAt(hello, "capabilities") ?? {}, caller, canTask),
    serverInfo: serverInfoOf(link) ?? { name: "unknown", version: "0" },
    ...(instructions === undefined ? {} : { instructions }),
    version: link.era === "legacy" && caller.era === "legacy" ? link.version : caller.version,
    more: metaOf(hello),
  }
}

/** Of the other members of a server's hello only this one is passed on: the rest are words that nobody accepted. */
function metaOf(hello: JsonObject): JsonObject {
  const meta = objectAt(hello, "_meta")
  return meta === undefined ? {} : { _meta: meta }
}

/** Whether clients are told that this list can change: tools always, since policy may hide one at any time; others if the server says so. */
export function declaresChanges({ hello }: Pick<Link, "hello">, list: string): boolean {
  const declared = objectAt(objectAt(hello, "capabilities"), list)
  return declared !== undefined && (list === "tools" || declared.listChanged === true)
}

export function serverInfoOf({ hello }: Pick<Link, "hello">): JsonObject | undefined {
  return objectAt(hello, "serverInfo") ?? objectAt(objectAt(hello, "_meta"), serverInfoKey)
}

/** Policy may hide or show tools at any time, so a list of tools is always one that can change. */
function capabilitiesFor(said: JsonObject, caller: Caller, canTask: boolean): JsonObject {
  const tools = objectAt(said, "tools")
  const base = tools === undefined ? said : { ...said, tools: { ...tools, listChanged: true } }
  if (caller.era === "legacy") {
    const extensions = objectAt(base, "extensions")
    return extensions === undefined ? base : { ...base, extensions: without(extensions, [tasksExtension]) }
  }
  const modern = without(base, ["tasks"])
  return canTask ? { ...modern, extensions: { ...objectAt(modern, "extensions"), [tasksExtension]: {} } } : modern
}
