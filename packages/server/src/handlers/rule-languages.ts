/** Rules of other programs: in, as an edit that a person then saves, and out. */
import { refuse } from "../refused.ts"
import type { Handler } from "./handler.ts"

export const listRuleLanguages: Handler<"listRuleLanguages"> = (service) => ({
  items: service.ruleLanguages?.list() ?? [],
})

export const importRules: Handler<"importRules"> = (service, { body }) => {
  const { format, source, prefer, folder } = body
  return service.ruleLanguages?.read({ format, source, prefer, folder }) ?? none
}

export const exportRules: Handler<"exportRules"> = async (service, { params }) => {
  if (service.ruleLanguages === undefined) return none
  return service.ruleLanguages.write(params.id, await service.store.decisionState()) ?? unknown
}

const none = refuse("unavailable", "This service knows no rules of other programs.")
const unknown = refuse("not-found", "There is no such format. GET /api/policy/languages lists them.")
