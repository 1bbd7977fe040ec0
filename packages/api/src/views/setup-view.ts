import { z } from "zod"

/** One server of an agent's configuration file, before and after; without secrets, but for those in an address that moves to byleave.yaml. */
const setupServerView = z.object({
  /** The agent program, e.g. `claude-code`. */
  client: z.string(),
  /** The server's name in the agent's file. */
  server: z.string(),
  /** Byleave's name for it. */
  name: z.string(),
  file: z.string(),
  /** `wrapped`: behind `byleave wrap`. `addressed`: by this service's address. `same`: behind Byleave already. `left`: as it is. */
  becomes: z.enum(["wrapped", "addressed", "same", "left"]),
  before: z.string(),
  after: z.string().nullable(),
  /** Names of the variables that the agent's file sets for it; `envFile`: also those of another file. */
  env: z.array(z.string()).readonly(),
  /** Names of the variables of the person's environment that its address, headers or command take. */
  takes: z.array(z.string()).readonly(),
  /** The folder that the agent's file has it started in. */
  folder: z.string().nullable(),
  /** The change of byleave.yaml that comes with it, in the words in which it is asked about. */
  change: z.string().nullable(),
  /** Something about it that needs to be told in plain words before anybody says yes. */
  warning: z.string().nullable(),
  /** Why it is left as it is. */
  why: z.string().nullable(),
})
export type SetupServerView = z.infer<typeof setupServerView>

const setupFileView = z.object({
  client: z.string(),
  title: z.string(),
  file: z.string(),
  servers: z.array(setupServerView).readonly(),
  /** The file in which the agent is told not to ask about some servers, and the rules that are written there. */
  allow: z
    .object({ file: z.string(), servers: z.array(z.string()).readonly(), rules: z.array(z.string()).readonly() })
    .nullable(),
  notes: z.array(z.string()).readonly(),
  /** Why the file is left alone. */
  problem: z.object({ file: z.string(), line: z.int(), message: z.string() }).nullable(),
})
export type SetupFileView = z.infer<typeof setupFileView>

/** The agents on the service's machine, and what setup would change in their files. */
export const setupView = z
  .object({
    /** Null where setup can be done from here; else why not. */
    whyNot: z.string().nullable(),
    /** Names what is shown here: a yes states which one it is for. */
    version: z.string(),
    files: z.array(setupFileView).readonly(),
    /** Files that setup has changed, and can put back. */
    undoable: z.array(z.string()).readonly(),
  })
  .meta({ id: "Setup" })
export type SetupView = z.infer<typeof setupView>

/** `version`: of the difference, and of the files that can be put back, as they were shown. */
export const setUpBody = z.strictObject({ version: z.string() })

/** The outcome for each file. */
export const undoneView = z
  .object({
    files: z
      .array(
        z.object({
          path: z.string(),
          client: z.string(),
          how: z.enum(["restored", "taken-back", "removed", "gone", "unreadable"]),
          /** Parts that people changed since, which stay as they are. */
          kept: z.array(z.string()).readonly(),
        }),
      )
      .readonly(),
    tokens: z.array(z.string()).readonly(),
    servers: z.array(z.string()).readonly(),
  })
  .meta({ id: "UndoneSetup" })
export type UndoneView = z.infer<typeof undoneView>
