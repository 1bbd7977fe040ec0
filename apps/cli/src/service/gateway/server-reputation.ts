/**
 * The reputation of servers, from a local file that is signed with the key in the configuration (R144). For people to read: no rule,
 * grant or mode knows of it.
 *
 * I1. Nothing of a file is given on whose signature is not by that key.
 */
import { createPublicKey, verify } from "node:crypto"
import { asObject, readJson, textAt } from "@byleave/core"
import type { ServiceSettings, Transport } from "@byleave/formats"
import type { ServerFacts } from "@byleave/server"
import { readUtf8 } from "../../files/read-utf8.ts"

type Reputation = NonNullable<ServerFacts["reputation"]>

const longestFile = 1_000_000
const ed25519Prefix = Buffer.from("302a300506032b6570032100", "hex")

/** Null: the configuration names no file, or the file says nothing of this server. */
export function reputationOf(settings: ServiceSettings["reputation"], transport: Transport): Reputation | null {
  if (settings === null) return null
  const opened = openSigned(settings)
  if ("why" in opened) return { state: "unusable", why: opened.why }
  const signed = asObject(opened.value)
  const about = Object.entries(asObject(signed?.servers) ?? {}).find(([name]) => isAbout(name, transport))
  const says = textAt(asObject(about?.[1]), "says")
  return says === undefined ? null : { state: "signed", by: textAt(signed, "by") ?? "unknown", says }
}

function openSigned({ file, key }: NonNullable<ServiceSettings["reputation"]>) {
  const text = readUtf8(file)
  if (text === null || text.length > longestFile) return { why: `${file} cannot be read, or has more than 1 MB.` }
  const root = readJson(text)
  const envelope = root.ok ? asObject(root.value) : undefined
  const [signed, signature] = [textAt(envelope, "signed"), textAt(envelope, "signature")]
  if (signed === undefined || signature === undefined) return { why: `${file} is not a signed file.` }
  if (!isSigned(signed, signature, key)) return { why: `${file} is not signed with the key in the configuration.` }
  const read = readJson(signed)
  return read.ok && textAt(asObject(read.value), "by") !== undefined
    ? { value: read.value }
    : { why: `${file} is signed, but its content cannot be read.` }
}

function isSigned(signed: string, signature: string, key: string): boolean {
  try {
    const publicKey = createPublicKey({
      key: Buffer.concat([ed25519Prefix, Buffer.from(key, "base64")]),
      format: "der",
      type: "spki",
    })
    return verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, "base64"))
  } catch {
    return false
  }
}

/** By its package among the arguments, with or without a version, or by its address. */
function isAbout(name: string, transport: Transport): boolean {
  if (transport.kind !== "stdio") return transport.url === name
  return [transport.command, ...transport.args].some((word) => word === name || word.startsWith(`${name}@`))
}
