/**
 * Headers that repeat what the body says, so that others can route by them. They must agree; policy reads the body alone.
 *
 * I1. A header that names another method than the body is refused.
 * I2. A header that names another tool, resource or prompt than the body, or leaves out its name, is refused.
 * I3. The revision in the header is that of the body.
 * I4. A task is named by its header as by its body.
 */
import { type JsonObject, textAt } from "@byleave/core"
import type { Envelope } from "../envelope.ts"
import { errorCode, rpcError } from "../errors.ts"
import type { Ask, RpcError } from "../message.ts"
import { isLegacyVersion, isModernVersion, legacyVersions, modernVersions } from "../versions.ts"
import { decodeHeaderValue } from "./header-value.ts"
import { trimBlanks } from "./trim-blanks.ts"

/** The headers of a request that matter here, as HTTP gave them. */
export type WireHeaders = {
  readonly version: string | undefined
  readonly method: string | undefined
  readonly name: string | undefined
}

export function wireHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): WireHeaders {
  return {
    version: one(headers["mcp-protocol-version"]),
    method: one(headers["mcp-method"]),
    name: one(headers["mcp-name"]),
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? trimBlanks(value) : undefined
}

/** Which member of params `Mcp-Name` repeats. */
const nameMember: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
])

/** The error in a modern request's headers; undefined if they agree with the body. */
export function checkModernHeaders(ask: Ask, envelope: Envelope, headers: WireHeaders): RpcError | undefined {
  if (headers.version === undefined) return mismatch("MCP-Protocol-Version", "is missing")
  if (headers.version !== envelope.version) {
    return mismatch("MCP-Protocol-Version", "names another revision than the _meta of the body")
  }
  if (!isModernVersion(envelope.version)) return unsupported(envelope.version)
  if (headers.method === undefined) return mismatch("Mcp-Method", "is missing")
  if (headers.method !== ask.method) return mismatch("Mcp-Method", "names another method than the body")
  return checkName(ask, headers.name)
}

function checkName(ask: Ask, header: string | undefined): RpcError | undefined {
  const member = nameMember.get(ask.method)
  if (member === undefined) return undefined
  const name = textAt(ask.params, member)
  if (header === undefined) return name === undefined ? undefined : mismatch("Mcp-Name", "is missing")
  const decoded = decodeHeaderValue(header)
  if (decoded === undefined) return mismatch("Mcp-Name", "is not base64 of UTF-8 between its marks")
  return name === undefined || decoded === name ? undefined : mismatch("Mcp-Name", `differs from params.${member}`)
}

/** The error in the version that a legacy request names; undefined if it names none, or a known one. */
export function checkLegacyVersion(version: string | undefined): RpcError | undefined {
  if (version === undefined || isLegacyVersion(version)) return undefined
  const known = legacyVersions.join(", ")
  return rpcError(
    errorCode.transport,
    `MCP-Protocol-Version names a revision that is not known here. Known are ${known}.`,
  )
}

export function unsupported(requested: string): RpcError {
  const data: JsonObject = { supported: [...modernVersions], requested }
  return rpcError(
    errorCode.unsupportedVersion,
    `This revision is not spoken here. Use ${modernVersions.join(", ")}.`,
    data,
  )
}

function mismatch(header: string, problem: string): RpcError {
  return rpcError(errorCode.headerMismatch, `The header ${header} ${problem}.`, { mismatch: { header } })
}
