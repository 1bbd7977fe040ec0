import { defineRoute, json } from "../route.ts"
import { setUpBody, setupView, undoneView } from "../views/setup-view.ts"

/** Agents on the machine that the service runs on. */
export const setupRoutes = {
  getSetup: defineRoute({
    method: "GET",
    path: "/api/setup",
    summary: "Agents on the service's machine, and what setup would change; changes nothing",
    credential: "reviewer",
    answer: json(setupView),
  }),
  setUpAgents: defineRoute({
    method: "POST",
    path: "/api/setup",
    summary: "Put Byleave in front of the servers of these agents, as was shown",
    credential: "reviewer with presence",
    body: setUpBody,
    answer: json(setupView),
  }),
  undoSetup: defineRoute({
    method: "POST",
    path: "/api/setup/undo",
    summary: "Put the agents' files back as they were; later edits by hand stay",
    credential: "reviewer with presence",
    body: setUpBody,
    answer: json(undoneView),
  }),
} as const
