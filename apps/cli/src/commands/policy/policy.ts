import type { Command } from "commander"
import type { Done, Io } from "../../io.ts"
import { addPolicyCheck } from "./policy-check.ts"
import { addPolicyExplain } from "./policy-explain.ts"
import { addPolicyObserved } from "./policy-observed.ts"
import { addPolicyReplay } from "./policy-replay.ts"
import { addPolicySchema } from "./policy-schema.ts"
import { addPolicySuggest } from "./policy-suggest.ts"
import { addPolicyTemplates } from "./policy-templates.ts"

export function addPolicy(program: Command, io: Io, done: Done): void {
  const policy = program
    .command("policy")
    .description("check a policy, explain its decisions, and improve it")
    .helpCommand(false)
  addPolicyCheck(policy, io, done)
  addPolicyExplain(policy, io, done)
  addPolicySuggest(policy, io, done)
  addPolicyObserved(policy, io, done)
  addPolicyReplay(policy, io, done)
  addPolicySchema(policy, io, done)
  addPolicyTemplates(policy, io, done)
}
