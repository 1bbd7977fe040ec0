import type { ToolRef } from "../../call/call.ts"
import type { SchemaValidator, ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { asObject } from "../../call/json/members.ts"
import { unambiguousJson } from "../../call/text/quoted.ts"
import type { PinState, ToolFacts } from "../decide/decision.ts"
import { declaredKeys } from "./declared-keys.ts"
import type { ClassifyRule, ServerPolicy } from "./rule.ts"
import { toolAccess } from "./tool-access.ts"

export type ToolFactsInput = {
  readonly tool: ToolRef
  readonly definition: ToolDefinition | null
  readonly server: ServerPolicy | undefined
  readonly classify: readonly ClassifyRule[]
  readonly pin: PinState
  readonly fingerprint: string
  readonly validator?: SchemaValidator
}

/** Computes the facts about a tool that policy needs, once per definition. */
export function toolFacts(input: ToolFactsInput): ToolFacts {
  const { access, from, counts } = toolAccess(input.definition, input.tool, input.server, input.classify)
  const schema = input.definition?.inputSchema
  return {
    definition: input.definition,
    fingerprint: input.fingerprint,
    pin: input.pin,
    access,
    accessFrom: from,
    accessCounts: counts,
    ...(schema === undefined ? {} : { check: argumentCheck(schema, input.validator) }),
  }
}

/** Problems of arguments against a schema, undeclared top-level keys among them. A schema nobody can use fits nothing. */
function argumentCheck(
  schema: JsonValue,
  validator: SchemaValidator | undefined,
): (args: JsonObject) => readonly string[] {
  const known = asObject(schema)
  if (known === undefined) return () => ["the tool's schema is not an object"]
  const isDeclared = declaredKeys(known)
  let fits: ReturnType<SchemaValidator> | null = null
  return (args) => {
    try {
      fits ??= validator?.(known) ?? (() => [])
      return [...fits(args), ...undeclared(args, isDeclared)]
    } catch (cause) {
      return [`the tool's schema cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`]
    }
  }
}

function undeclared(args: JsonObject, isDeclared: ((key: string) => boolean) | null): readonly string[] {
  if (isDeclared === null) return []
  return Object.keys(args)
    .filter((key) => !isDeclared(key))
    .map((key) => `${unambiguousJson(key)} is not an argument the tool declares`)
}
