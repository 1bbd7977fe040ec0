import type { Client, RouteName, ServiceReply } from "@byleave/api"

/** Routes that only read. */
export type ReadName = keyof typeof shownBy

/**
 * Which events make what a route answers out of date: the first part of their type, several joined by `+`. A query's key begins with it, and
 * whoever follows the events invalidates by it.
 */
export const shownBy = {
  me: "access",
  listApprovals: "approval",
  getApproval: "approval",
  currentContent: "approval",
  listGrants: "grant",
  listServers: "definition+grant+policy+server",
  getServer: "definition+grant+policy+server",
  listPins: "definition",
  listSessions: "session+mode+grant+approval+tool",
  listTokens: "access",
  listReviewers: "access",
  listDevices: "access",
  getPolicy: "policy",
  getPolicyText: "policy+document+approval",
  suggestRules: "approval",
  listCalls: "approval+run",
  getCall: "approval+run",
  insight: "approval",
  listAudit: "approval",
  verifyAudit: "never",
} as const satisfies Partial<Record<RouteName, string>>

/** Whether what was read under this key is out of date after an event of this type. */
export function isShownBy(families: string, eventType: string): boolean {
  return families.split("+").includes(eventType.split(".", 1)[0] ?? "")
}

type Asked = (input: object) => Promise<ServiceReply<unknown>>

export function askedOf(client: Client, name: ReadName): Asked {
  return client[name] as Asked
}
