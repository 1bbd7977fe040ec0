import { defaultBodyLimits } from "@byleave/core"
import type { ReviewerSettings, ServiceSettings } from "../config.ts"
import type { Report } from "../problem.ts"
import type { YamlNode } from "../text/tree.ts"
import {
  type Fields,
  optional,
  readBoolean,
  readCount,
  readFields,
  readList,
  readMap,
  readSize,
  readText,
  readTexts,
  readWait,
  readWord,
  requireKey,
} from "./fields.ts"
import { type Reading, readPath } from "./reading.ts"

/** The settings where a file says nothing. */
export const defaultService: ServiceSettings = {
  agents: { anonymous: false, openRequests: null, bodyBytes: defaultBodyLimits.perPrincipal },
  connections: 16_384,
  decideInClient: false,
  retention: 90 * 24 * 60 * 60_000,
  hosts: [],
  origins: [],
  reviewers: { presence: "pin", groups: new Map() },
  reputation: null,
}

/** `get` gives what stands under a key of the file. */
export function readService(get: Fields["get"], reading: Reading): ServiceSettings {
  const { report } = reading
  const retention = optional(get("retention"), (node) => readWait(node, "`retention`", report))
  return {
    agents: optional(get("agents"), (node) => readAgents(node, report)) ?? defaultService.agents,
    connections:
      optional(get("connections"), (node) => readCount(node, "`connections`", 16, report)) ??
      defaultService.connections,
    decideInClient: readRisk(get("decideInClient"), "decideInClient", decidedInClient, report),
    retention: retention === undefined ? defaultService.retention : retention,
    hosts: readNames(get("hosts"), "hosts", readHost, report),
    origins: readNames(get("origins"), "origins", readOrigin, report),
    reviewers: optional(get("reviewers"), (node) => readReviewers(node, report)) ?? defaultService.reviewers,
    reputation: optional(get("reputation"), (node) => readReputation(node, reading)) ?? null,
  }
}

const publicKey = /^[A-Za-z0-9+/]{43}=$/

/** The key is written here, so that whoever replaces the file cannot replace the key with it. */
function readReputation(node: YamlNode, reading: Reading): ServiceSettings["reputation"] | undefined {
  const { report } = reading
  const fields = readFields(node, { what: "`reputation`", keys: ["file", "key"] }, report)
  if (fields === undefined) return undefined
  for (const key of ["file", "key"])
    if (fields.get(key) === undefined) requireKey(fields.node, key, "`reputation`", report)
  const file = optional(fields.get("file"), (written) => readPath(written, "`file`", reading))
  const key = optional(fields.get("key"), (written) => readText(written, "`key`", report))
  if (key !== undefined && !publicKey.test(key)) {
    report.error(node, "bad-value", "`key` must be an Ed25519 public key: 32 bytes in base64, 44 characters.")
    return undefined
  }
  return file === undefined || key === undefined ? undefined : { file, key }
}

type Risk = { readonly code: "anonymous-agents" | "decide-in-client"; readonly message: string }

const anonymousAgents: Risk = {
  code: "anonymous-agents",
  message:
    "Any program that can reach this service can make calls without a token. Remove `anonymous: true` unless this is a demo.",
}
const decidedInClient: Risk = {
  code: "decide-in-client",
  message:
    "An answer given inside the agent's client counts, though nobody can tell that a person gave it. Remove `decideInClient: true` to have calls answered in Byleave only.",
}

function readAgents(node: YamlNode, report: Report): ServiceSettings["agents"] {
  const fields = readFields(node, { what: "`agents`", keys: ["anonymous", "openRequests", "bodyBytes"] }, report)
  const openRequests = optional(fields?.get("openRequests"), (value) => readCount(value, "`openRequests`", 1, report))
  return {
    anonymous: readRisk(fields?.get("anonymous"), "anonymous", anonymousAgents, report),
    openRequests: openRequests ?? null,
    bodyBytes:
      optional(fields?.get("bodyBytes"), (value) => readSize(value, "`bodyBytes`", report)) ??
      defaultService.agents.bodyBytes,
  }
}

/** Something that is off, and worth a word where it is on. */
function readRisk(node: YamlNode | undefined, key: string, risk: Risk, report: Report): boolean {
  if (node === undefined) return false
  const isOn = readBoolean(node, `\`${key}\``, report) ?? false
  if (isOn) report.warn(node, risk.code, risk.message)
  return isOn
}

function readNames(
  node: YamlNode | undefined,
  key: string,
  read: (node: YamlNode, report: Report) => string | undefined,
  report: Report,
): readonly string[] {
  const list = optional(node, (written) => readList(written, `\`${key}\``, report))
  return [...new Set((list?.items ?? []).flatMap((item) => read(item, report) ?? []))]
}

const host = String.raw`(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?`
const hostForm = new RegExp(`^${host}$`)
const originForm = new RegExp(`^[a-z][a-z0-9+.-]*://${host}$`)

const usualPort = /^(?:http:.*:80|https:.*:443)$/

function readHost(node: YamlNode, report: Report): string | undefined {
  const name = readText(node, "each entry of `hosts`", report)?.toLowerCase()
  if (name === undefined || hostForm.test(name)) return name
  const message =
    "This is no name of a host. Write it as it stands in an address, such as byleave.example.com or byleave.example.com:8443, without https:// and path."
  report.error(node, "bad-value", message)
  return undefined
}

/** As browsers send it: without the port that the scheme has anyway. */
function readOrigin(node: YamlNode, report: Report): string | undefined {
  const origin = readText(node, "each entry of `origins`", report)?.toLowerCase()
  if (origin === undefined) return undefined
  if (originForm.test(origin)) return usualPort.test(origin) ? origin.replace(/:[0-9]+$/, "") : origin
  const message = "This is no origin. Write scheme and host, such as https://intranet.example.com, with nothing after."
  report.error(node, "bad-value", message)
  return undefined
}

function readReviewers(node: YamlNode, report: Report): ReviewerSettings {
  const fields = readFields(node, { what: "`reviewers`", keys: ["presence", "groups"] }, report)
  const presence = optional(fields?.get("presence"), (written) => readPresence(written, report))
  const groups = optional(fields?.get("groups"), (written) => readGroups(written, report))
  return { presence: presence ?? "pin", groups: groups ?? new Map() }
}

function readPresence(node: YamlNode, report: Report): ReviewerSettings["presence"] | undefined {
  const presence = readWord(node, "`presence`", ["pin", "none"] as const, report)
  if (presence === "none") {
    const message =
      "Anyone with a reviewer's credential can approve, including an agent that runs as the same user. Set `presence: pin` unless this is a demo."
    report.warn(node, "presence-none", message)
  }
  return presence
}

function readGroups(node: YamlNode, report: Report): ReviewerSettings["groups"] {
  const map = readMap(node, "`groups`", report)
  return new Map(map?.entries.map(({ key, value }) => [key, readMembers(key, value, report)]))
}

function readMembers(group: string, node: YamlNode, report: Report): readonly string[] {
  const names = readTexts(node, `the group \`${group}\``, report)
  if (names?.length === 0) {
    const message = `The group \`${group}\` is empty, so nobody could answer for it. Name its reviewers, or remove it.`
    report.error(node, "bad-value", message)
  }
  return [...new Set(names)]
}
