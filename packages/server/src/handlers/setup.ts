import type { SetupView } from "@byleave/api"
import { refuse } from "../refused.ts"
import type { Handler } from "./handler.ts"

export const getSetup: Handler<"getSetup"> = ({ agentSetup }) => agentSetup?.look() ?? nowhere

export const setUpAgents: Handler<"setUpAgents"> = ({ agentSetup }, { body, who }) =>
  agentSetup?.run(body.version, who.reviewer.id) ?? refuse("unavailable", whyNot)

export const undoSetup: Handler<"undoSetup"> = ({ agentSetup }, { body, who }) =>
  agentSetup?.undo(body.version, who.reviewer.id) ?? refuse("unavailable", whyNot)

const whyNot =
  "Agents are set up from here only where this service listens on its own machine alone. Run `byleave setup` on the machine of the agents."
const nowhere: SetupView = { whyNot, version: "", files: [], undoable: [] }
