import type { Condition, Effect } from "@byleave/core"
import { builtInTemplates, templateId } from "../templates/built-in.ts"
import {
  bool,
  count,
  duration,
  listOf,
  mapOf,
  object,
  orNever,
  type SchemaNode,
  type SchemaProperties,
  target,
  text,
  words,
} from "./schema-node.ts"

const number: SchemaNode = { type: "number" }

const operators = {
  equals: { description: "The argument is exactly this value." },
  oneOf: listOf({}, "The argument is one of these values.", 1),
  glob: text("The argument, as text, fits this glob: `*` any characters, `?` one, `[abc]` one of a set."),
  under: text("The argument is a path in this folder or below it, links followed."),
  directlyIn: {
    description: "The argument is a path in this folder, or in one of these, and in no folder below it.",
    anyOf: [text("A folder."), listOf(text("A folder."), "Folders.", 1)],
    examples: ["./docs"],
  },
  file: text("The argument is a path of this file, however it is written, links followed."),
  host: {
    description: "The argument is a URL with this host, or one of these. Globs are allowed.",
    anyOf: [text("A host."), listOf(text("A host."), "Hosts.", 1)],
    examples: ["*.example.com"],
  },
  atMost: { ...number, description: "The argument is this number or less." },
  atLeast: { ...number, description: "The argument is this number or more." },
  sensitive: bool(
    "Whether the argument looks like a secret or leads to one: keys, credentials, dot files, other people's folders. The name `*` means all arguments.",
  ),
  only: listOf(
    text("An argument, by dotted name."),
    "The argument has no other members than these. The name `*` means all arguments: no others are given.",
  ),
} as const satisfies Record<Condition["op"], SchemaNode>

const when: SchemaNode = {
  ...mapOf(
    { ...object("How this argument is compared; all must hold.", operators), minProperties: 1 },
    "Conditions on arguments, by dotted name; all must hold. A condition that cannot be judged allows nothing.",
  ),
  minProperties: 1,
}

const matching: SchemaProperties = {
  access: words(["read", "write", "all"], "Only tools that read, only tools that write, or all."),
  principal: text(
    "Only this agent; a glob over token names. Agents that a program names itself are `token:agent`: a rule that hides, denies or asks is for them by the token's name alone, an allow only where the part before the colon matches the token.",
  ),
  reason: text("Why, in a sentence. The agent and reviewers read it."),
}

const asking: SchemaProperties = {
  approvals: count(1, "How many reviewers must approve."),
  remember: words(["never"], "`never`: asked each time. No answer is remembered."),
  reviewers: {
    description: "The groups that may answer.",
    anyOf: [text("A group."), listOf(text("A group."), "Groups.", 1)],
  },
  wait: orNever(duration("How long such a call waits.")),
}

const rules = {
  hide: object("", { hide: target("Agents do not see these tools, and calls are refused."), ...matching }, ["hide"]),
  deny: object("", { deny: target("Agents see these tools; calls are refused."), when, ...matching }, ["deny"]),
  ask: object("", { ask: target("Calls wait for a reviewer."), when, ...matching, ...asking }, ["ask"]),
  allow: object("", { allow: target("Calls run without asking."), when, ...matching }, ["allow"]),
} as const satisfies Record<Effect, SchemaNode>

const rule: SchemaNode = {
  description: "A rule: `hide`, `deny`, `ask` or `allow`, and what it is about as `server(tool)`.",
  anyOf: Object.values(rules).map(({ description: _, ...form }) => form),
}

const classify: SchemaNode = {
  description: "Says of a tool that it reads or writes, whatever its server says.",
  anyOf: [
    { ...object("", { read: target("These tools only read.") }, ["read"]), description: "Tools that only read." },
    { ...object("", { write: target("These tools write.") }, ["write"]), description: "Tools that write." },
  ],
}

export const waitsSchema = object("How long a call waits, by where it is made.", {
  gateway: orNever(duration("Calls of agents that come to the gateway. Default: 8h.")),
  chat: orNever(duration("Calls of a conversation. Default: 5m.")),
  run: orNever(duration("Calls of an agent run. Default: `never`.")),
})

const general = builtInTemplates.filter((template) => template.for === "everything")
const forServers = builtInTemplates.filter((template) => template.for === "server")

const boundServers: SchemaNode = {
  description: "The server it is about, or several.",
  anyOf: [text("A server's id."), listOf(text("A server's id."), "Servers' ids.", 1)],
}

const useSchema = listOf(
  {
    description: "A template: one that comes with Byleave, or a file of yours such as `./team.yaml`.",
    anyOf: [
      words(
        general.flatMap((template) => [template.name, templateId(template)]),
        general.map(({ name, summary }) => `\`${name}\`: ${summary}`).join(" "),
      ),
      text("A template file of yours, from this file's folder on, such as `./team.yaml`."),
      {
        ...mapOf(boundServers, "A template for one server, and the server: `{ filesystem: files }`."),
        properties: Object.fromEntries(
          forServers.map((template) => [template.name, { ...boundServers, description: template.summary }]),
        ),
        minProperties: 1,
      },
    ],
  },
  "Templates whose rules apply besides these. The strictest answer wins, wherever it stands.",
)

const shared = {
  default: words(["ask", "deny", "allow"], "For calls that no rule matches. Default: `ask`."),
  rules: listOf(rule, "The rules. Their order does not matter: hide beats deny, deny beats ask, ask beats allow."),
  classify: listOf(classify, "Which tools read and which write."),
  modes: object("Modes of sessions.", {
    forbid: listOf(words(["ask", "autonomous", "unattended", "observe"], "A mode."), "Modes nobody may set."),
  }),
  unattended: bool("Nobody is there to answer: what would ask is refused at once, in every session."),
}

/** The policy of a template file. */
export const templatePolicySchema = object("What a template decides.", shared)

export const policySchema = object("What agents may do: rules, and what holds where no rule matches.", {
  use: useSchema,
  ...shared,
  observe: words(["default", "all"], "In mode `observe`, `all` runs explicit asks as well. Default: `default`."),
  selfApproval: bool("The owner of a token may approve calls made with it."),
  methods: listOf(
    text("A server and a method, such as `tracker(vendor/search)`."),
    "Requests beyond MCP that may pass.",
  ),
  unknownParams: words(
    ["refuse", "drop"],
    "Requests with members MCP does not have: `refuse` them, or `drop` the members and show it. Default: `refuse`.",
  ),
})
