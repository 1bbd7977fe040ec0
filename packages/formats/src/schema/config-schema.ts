import { limitsSchema } from "./limits-schema.ts"
import { modelSchema } from "./model-schema.ts"
import { policySchema, waitsSchema } from "./policy-schema.ts"
import {
  bool,
  count,
  duration,
  listOf,
  mapOf,
  object,
  orNever,
  type SchemaNode,
  size,
  text,
  words,
} from "./schema-node.ts"
import { serverSchema } from "./server-schema.ts"

const reviewers = object("Who answers, and what they must show to approve.", {
  presence: words(["pin", "none"], "`pin`: approving needs a PIN. `none`: no proof of a person, for demonstrations."),
  groups: mapOf(
    listOf(text("The name of a reviewer."), "The members of this group."),
    "Groups of reviewers, which rules name under `reviewers`.",
  ),
})

const agents = object("How agents reach the service.", {
  anonymous: bool("Agents on this machine may call without a token. For demonstrations."),
  openRequests: count(1, "How many requests of one agent may be open at once."),
  bodyBytes: size("How much of one agent's open requests is read at once. Default: 64MB."),
})

const waitWords =
  "How long a call waits for an answer before it expires, `never` for ever. Default: 8h for agents, 5m in a conversation, `never` in a run."

/**
 * The JSON Schema of `byleave.yaml`, `version: 1`, for editors: completion, help and the first check. `loadConfig` stays the judge: what it
 * takes, this takes, too.
 */
export const configSchema: SchemaNode = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Byleave configuration",
  ...object(
    "The servers behind Byleave, and what agents may do with their tools.",
    {
      version: { const: 1, description: "The form of this file. Write 1." },
      servers: mapOf(serverSchema, "MCP servers by id. Rules name a tool as `id(tool)`."),
      policy: policySchema,
      wait: {
        description: waitWords,
        anyOf: [{ const: "never" }, duration("For agents at the gateway."), waitsSchema],
      },
      models: mapOf(modelSchema, "Language models for agent runs, by name. The first is the default."),
      limits: limitsSchema,
      reviewers,
      agents,
      reputation: object(
        "What others think of servers, from a local signed file. Shown to people; no decision rests on it.",
        {
          file: text("The file, from this file's folder on."),
          key: text("The Ed25519 public key it is signed with: 32 bytes in base64."),
        },
        ["file", "key"],
      ),
      connections: count(16, "How many connections the service accepts at once. Default: 16384."),
      decideInClient: bool(
        "An answer given inside the agent's client counts, once. Nobody can tell that a person gave it.",
      ),
      retention: orNever(duration("How long arguments and results are kept. Records stay. Default: 90d.")),
      hosts: listOf(
        text("A host name, with its port if it has one."),
        "Other names under which the service is reached.",
      ),
      origins: listOf(
        text("Scheme and host, such as https://intranet.example.com."),
        "Other pages that may call the API.",
      ),
    },
    ["version"],
  ),
}
