import {
  addReviewer,
  addToken,
  approveDevice,
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
import {
  extendApproval,
  getApproval,
  giveVerdict,
  giveVerdicts,
  listApprovals,
  rerunApproval,
  revokeApproval,
} from "./approvals/approvals.ts"
import { currentContent, previewEdit } from "./approvals/current-content.ts"
import { runApprovalNow } from "./approvals/run-now.ts"
import { previewUndo, undoApproval } from "./approvals/undo.ts"
import { events } from "./events.ts"
import { addGrant, clearGrants, exportGrants, importGrants, listGrants, revokeGrant, setGrantLevel } from "./grants.ts"
import type { Handlers } from "./handler.ts"
import { exportAudit, listAudit, verifyAudit } from "./history/audit.ts"
import { getCall, listCalls } from "./history/calls.ts"
import { insight } from "./history/insight.ts"
import { observedCalls } from "./observed.ts"
import { acceptPin, liftPin, listPins, quarantinePin, rejectPin } from "./pins.ts"
import { explainPolicy, getPolicy } from "./policy.ts"
import { addRule, changeRules, getPolicyText, previewPolicy, savePolicy } from "./policy-text.ts"
import { exportRules, importRules, listRuleLanguages } from "./rule-languages.ts"
import { exportRun, importRun, recordRun } from "./runs/carry-runs.ts"
import { continueRun } from "./runs/continue-run.ts"
import {
  cancelRun,
  getRun,
  listModels,
  listRuns,
  removeRun,
  renameRun,
  runPicture,
  runStory,
  stopRun,
} from "./runs/manage-runs.ts"
import { runEvents } from "./runs/run-events.ts"
import { answerAgUi, answerUiChat, reopenUiChat } from "./runs/run-pages.ts"
import { saveThread } from "./runs/save-thread.ts"
import { startRun } from "./runs/start-run.ts"
import { getServer, listServers, restartServer, startServer, stopServer } from "./servers.ts"
import { healthz, hello, metrics, openapi, readyz } from "./service-state.ts"
import { endSession, liftRefusal, listSessions, nameSession, setMode } from "./sessions.ts"
import { getSetup, setUpAgents, undoSetup } from "./setup.ts"
import { suggestRules } from "./suggestions.ts"

/** A handler for every route of the table; the compiler misses none. */
export const handlers: Handlers = {
  hello,
  me,
  listApprovals,
  getApproval,
  giveVerdict,
  giveVerdicts,
  extendApproval,
  revokeApproval,
  rerunApproval,
  runApprovalNow,
  previewUndo,
  undoApproval,
  currentContent,
  previewEdit,
  listGrants,
  addGrant,
  revokeGrant,
  clearGrants,
  setGrantLevel,
  exportGrants,
  importGrants,
  listServers,
  getServer,
  restartServer,
  stopServer,
  startServer,
  listPins,
  acceptPin,
  rejectPin,
  quarantinePin,
  liftPin,
  listSessions,
  setMode,
  nameSession,
  endSession,
  liftRefusal,
  startRun,
  listRuns,
  getRun,
  runStory,
  runEvents,
  continueRun,
  answerAgUi,
  answerUiChat,
  reopenUiChat,
  cancelRun,
  exportRun,
  importRun,
  recordRun,
  saveThread,
  stopRun,
  renameRun,
  runPicture,
  listModels,
  removeRun,
  listTokens,
  addToken,
  revokeToken,
  listReviewers,
  addReviewer,
  removeReviewer,
  setPin,
  listDevices,
  approveDevice,
  revokeDevice,
  mintLink,
  signIn,
  signOut,
  getPolicy,
  getPolicyText,
  addRule,
  previewPolicy,
  listRuleLanguages,
  importRules,
  exportRules,
  changeRules,
  savePolicy,
  suggestRules,
  observedCalls,
  explainPolicy,
  getSetup,
  setUpAgents,
  undoSetup,
  listCalls,
  getCall,
  insight,
  listAudit,
  verifyAudit,
  exportAudit,
  events,
  openapi,
  healthz,
  readyz,
  metrics,
}
