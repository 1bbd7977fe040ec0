import { count, duration, listOf, object, size, target } from "./schema-node.ts"

const coolDown = object(
  "After a sensitive call, everything of that agent needs approval for a while.",
  {
    after: listOf(target("A sensitive tool."), "The sensitive tools.", 1),
    for: duration("How long approval is needed."),
  },
  ["after", "for"],
)

const bulk = object(
  "More writes than this within the time need approval, even when a rule allows them.",
  { writes: count(1, "How many writes run without asking."), within: duration("The time they are counted over.") },
  ["writes", "within"],
)

const denials = object(
  "So many denials of a tool within the time refuse that tool until a person lifts it. Default: 3 within 10m.",
  { count: count(1, "How many denials."), within: duration("The time they are counted over.") },
  ["count", "within"],
)

export const limitsSchema = object("How much an agent may do without approval, and how many of its calls may wait.", {
  autoAllowedPerSession: count(0, "Calls of one session that run without asking."),
  autoAllowedPerDay: count(0, "Calls of one agent that run without asking within 24 hours, over all its sessions."),
  autoAllowedPerMinute: count(0, "Calls of one agent that run without asking within a minute."),
  coolDown,
  bulk,
  waitingPerSession: count(1, "Waiting calls of one session. Default: 50."),
  waitingPerPrincipal: count(1, "Waiting calls of one agent. Default: 500."),
  waitingInAll: count(1, "Waiting calls of all agents. Default: 10000."),
  heldBytesPerPrincipal: size("Arguments of one agent's waiting calls. Default: 32MB."),
  heldBytesInAll: size("Arguments of all waiting calls. Default: 256MB."),
  denials,
})
