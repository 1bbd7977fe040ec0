import { z } from "zod"
import {
  addRuleBody,
  changeRulesBody,
  explainBody,
  importRulesBody,
  previewPolicyBody,
  savePolicyBody,
} from "../bodies.ts"
import { defineRoute, json } from "../route.ts"
import { observedView } from "../views/observed-view.ts"
import {
  changedRulesView,
  policyPreviewView,
  policyTextView,
  suggestionsView,
  textWithRule,
} from "../views/policy-text-view.ts"
import { explanationView, policyView } from "../views/policy-view.ts"
import { exportedRulesView, importedRulesView, ruleLanguageView } from "../views/rule-language-view.ts"
import { id, listOf, time } from "./route-parts.ts"

export const policyRoutes = {
  getPolicy: defineRoute({
    method: "GET",
    path: "/api/policy",
    summary: "The rules in effect",
    credential: "reviewer",
    answer: json(policyView),
  }),
  getPolicyText: defineRoute({
    method: "GET",
    path: "/api/policy/text",
    summary: "The configuration file as it is written",
    credential: "reviewer",
    answer: json(policyTextView),
  }),
  previewPolicy: defineRoute({
    method: "POST",
    path: "/api/policy/preview",
    summary:
      "What a text would change: rules, known tools, and the last 1,000 recorded calls or those since a time; changes nothing",
    credential: "reviewer",
    body: previewPolicyBody,
    answer: json(policyPreviewView),
  }),
  addRule: defineRoute({
    method: "POST",
    path: "/api/policy/add-rule",
    summary: "A text with a rule added as the last one, without those that it replaces; changes nothing",
    credential: "reviewer",
    body: addRuleBody,
    answer: json(textWithRule),
  }),
  changeRules: defineRoute({
    method: "POST",
    path: "/api/policy/rules",
    summary: "Add rules to the configuration, remove others, and apply it",
    credential: "reviewer",
    presenceWhen: "it does anything but restrict",
    body: changeRulesBody,
    answer: json(changedRulesView),
  }),
  savePolicy: defineRoute({
    method: "PUT",
    path: "/api/policy/text",
    summary: "Save the configuration and apply it",
    credential: "reviewer",
    presenceWhen: "it does anything but restrict",
    body: savePolicyBody,
    answer: json(policyTextView),
  }),
  listRuleLanguages: defineRoute({
    method: "GET",
    path: "/api/policy/languages",
    summary: "The programs whose rules can be imported and exported",
    credential: "reviewer",
    answer: json(listOf(ruleLanguageView)),
  }),
  importRules: defineRoute({
    method: "POST",
    path: "/api/policy/import",
    summary: "The configuration with another program's rules in it, and what is not carried exactly; changes nothing",
    credential: "reviewer",
    body: importRulesBody,
    answer: json(importedRulesView),
  }),
  exportRules: defineRoute({
    method: "GET",
    path: "/api/policy/export/:id",
    summary: "The rules in effect in another program's language, and what is not carried exactly",
    credential: "reviewer",
    params: id,
    answer: json(exportedRulesView),
  }),
  suggestRules: defineRoute({
    method: "GET",
    path: "/api/policy/suggestions",
    summary: "Rules that would have answered past questions as people did",
    credential: "reviewer",
    answer: json(suggestionsView),
  }),
  observedCalls: defineRoute({
    method: "GET",
    path: "/api/policy/observed",
    summary: "What ran in observe mode and would have needed approval, and the fewest rules that would have halved it",
    credential: "reviewer",
    /** The last seven days unless it says otherwise. */
    query: z.strictObject({ since: time }),
    answer: json(observedView),
  }),
  explainPolicy: defineRoute({
    method: "POST",
    path: "/api/policy/explain",
    summary: "What would happen to a call, and why; records nothing",
    credential: "reviewer",
    body: explainBody,
    answer: json(explanationView),
  }),
} as const
