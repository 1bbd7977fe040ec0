import {
  addReviewer,
  addToken,
  listDevices,
  listReviewers,
  listTokens,
  me,
  mintLink,
  removeReviewer,
  revokeDevice,
  revokeToken,
  setPin,
  signIn,
  signOut,
} from "./access.ts"
import { extendApproval, getApproval, giveVerdict, giveVerdicts, listApprovals, rerunApproval } from "./approvals.ts"
import { exportAudit, listAudit, verifyAudit } from "./audit.ts"
import { events } from "./events.ts"
import { addGrant, clearGrants, listGrants, revokeGrant } from "./grants.ts"
import type { Handlers } from "./handler.ts"
import { explainPolicy, getPolicy } from "./policy.ts"
import { acceptPin, getServer, listPins, listServers, restartServer } from "./servers.ts"
import { healthz, hello, metrics, openapi, readyz } from "./service-state.ts"
import { endSession, liftRefusal, listSessions, nameSession, setMode } from "./sessions.ts"

/** A handler for every route of the table; the compiler misses none. */
export const handlers: Handlers = {
  hello,
  me,
  listApprovals,
  getApproval,
  giveVerdict,
  giveVerdicts,
  extendApproval,
  rerunApproval,
  listGrants,
  addGrant,
  revokeGrant,
  clearGrants,
  listServers,
  getServer,
  restartServer,
  listPins,
  acceptPin,
  listSessions,
  setMode,
  nameSession,
  endSession,
  liftRefusal,
  listTokens,
  addToken,
  revokeToken,
  listReviewers,
  addReviewer,
  removeReviewer,
  setPin,
  listDevices,
  revokeDevice,
  mintLink,
  signIn,
  signOut,
  getPolicy,
  explainPolicy,
  listAudit,
  verifyAudit,
  exportAudit,
  events,
  openapi,
  healthz,
  readyz,
  metrics,
}
