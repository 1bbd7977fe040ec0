/** Where a gate credential may go; everything else answers that it is not its door. */
export const gatePaths = {
  submit: "/api/gate/submit",
  resume: "/api/gate/resume",
  judge: "/api/gate/judge",
  mayStillRun: "/api/gate/may-still-run",
  tools: "/api/gate/tools",
  offered: "/api/gate/offered",
  instructions: "/api/gate/instructions",
  cancel: "/api/gate/cancel",
  end: "/api/gate/end",
  seen: "/api/gate/seen",
  attend: "/api/gate/attend",
  answer: "/api/gate/answer",
  events: "/api/gate/events",
  /** A connection that stands, for everything that is sent. */
  line: "/api/gate/line",
  settle: (run: string) => `/api/gate/runs/${encodeURIComponent(run)}`,
  leave: (submission: string) => `/api/gate/submissions/${encodeURIComponent(submission)}/leave`,
  /** Asked by a program that runs a call by this approval. */
  mayStillSend: (approval: string) => `/api/gate/approvals/${encodeURIComponent(approval)}/may-still-run`,
  approval: (id: string) => `/api/gate/approvals/${encodeURIComponent(id)}`,
} as const

/** The protocol that a lasting connection is upgraded to. */
export const gateProtocol = "byleave-gate/1"

/**
 * The name that the service gives a connection that stands. A program that names it with requests of their own has their turns and room where it has
 * those of its connection.
 */
export const lineNameHeader = "byleave-line"
