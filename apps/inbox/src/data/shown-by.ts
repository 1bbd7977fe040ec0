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
  getSetup: "access+policy",
  listRuleLanguages: "never",
  exportRules: "policy",
  suggestRules: "approval+policy",
  observedCalls: "mode+policy",
  listCalls: "approval+run",
  getCall: "approval+run",
  insight: "approval",
  listAudit: "approval",
  listModels: "policy",
  listRuns: "agent-run",
  getRun: "agent-run",
  runStory: "agent-run",
  verifyAudit: "never",
} as const satisfies Partial<Record<RouteName, string>>

/** The families of events that each act changes. The person who acted sees the change at once; everybody else sees it when the event comes. */
export const changedBy = {
  giveVerdict: "approval+grant",
  giveVerdicts: "approval+grant",
  extendApproval: "approval",
  revokeApproval: "approval",
  rerunApproval: "approval",
  runApprovalNow: "approval",
  previewUndo: "nothing",
  undoApproval: "approval",
  previewEdit: "nothing",
  addGrant: "grant",
  revokeGrant: "grant",
  clearGrants: "grant",
  setGrantLevel: "grant",
  importGrants: "grant",
  restartServer: "server",
  stopServer: "server",
  startServer: "server",
  acceptPin: "definition+approval",
  rejectPin: "definition+approval",
  quarantinePin: "definition+approval",
  liftPin: "definition+approval",
  setMode: "mode",
  nameSession: "session",
  endSession: "session+mode+grant+approval",
  liftRefusal: "session",
  addToken: "access",
  revokeToken: "access",
  addReviewer: "access",
  removeReviewer: "access",
  setPin: "access",
  approveDevice: "access",
  revokeDevice: "access",
  mintLink: "access",
  startRun: "agent-run",
  stopRun: "agent-run+approval",
  renameRun: "agent-run",
  continueRun: "agent-run",
  cancelRun: "agent-run+approval",
  removeRun: "agent-run+grant+approval",
  setUpAgents: "access+policy+document",
  undoSetup: "access+policy+document",
  addRule: "nothing",
  changeRules: "policy+document",
  savePolicy: "policy+document",
  explainPolicy: "nothing",
  exportGrants: "nothing",
} as const satisfies Partial<Record<RouteName, string>>

export type ActName = keyof typeof changedBy

/** Whether what was read under these families is out of date after the act. */
export function isChangedBy(families: string, act: ActName): boolean {
  const changed = changedBy[act].split("+")
  return families.split("+").some((family) => changed.includes(family))
}

/** Whether what was read under this key is out of date after an event of this type. */
export function isShownBy(families: string, eventType: string): boolean {
  return families.split("+").includes(eventType.split(".", 1)[0] ?? "")
}

type Asked = (input: object) => Promise<ServiceReply<unknown>>

export function askedOf(client: Client, name: ReadName): Asked {
  return client[name] as Asked
}
