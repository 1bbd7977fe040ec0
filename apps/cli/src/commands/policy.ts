import type { Command } from "commander"
import type { Done, Io } from "../io.ts"
import { addPolicyCheck } from "./policy-check.ts"
import { addPolicyExplain } from "./policy-explain.ts"
import { addPolicySchema } from "./policy-schema.ts"
import { addPolicyTemplates } from "./policy-templates.ts"

export function addPolicy(program: Command, io: Io, done: Done): void {
  const policy = program.command("policy").description("check a policy and explain its decisions").helpCommand(false)
  addPolicyCheck(policy, io, done)
  addPolicyExplain(policy, io, done)
  addPolicySchema(policy, io, done)
  addPolicyTemplates(policy, io, done)
}
