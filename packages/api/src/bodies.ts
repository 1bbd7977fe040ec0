import { isRunPrincipal } from "@byleave/core"
import { z } from "zod"
import { epochMs, jsonObject, plainName } from "./json.ts"
import { breadth, mode, pinRef, sessionRef, targetKind, toolRef, verdictFace } from "./views/shared-schemas.ts"

// Strict throughout: a body that names a reviewer, or anything else we do not know, is refused rather than half understood.

const text = z.string().max(2_000)

const remember = z.strictObject({
  scope: z.enum(["session", "agent", "always"]),
  breadth,
  until: epochMs.exactOptional(),
  uses: z.int().min(1).exactOptional(),
  /** Calls already waiting that this answer also settles, each with its `shownDigest`. */
  alsoSettles: z
    .array(z.strictObject({ approval: z.string(), digest: z.string() }))
    .max(500)
    .exactOptional(),
})

export const verdictBody = z.strictObject({
  kind: z.enum(["approve", "deny"]),
  /** By `bindVerdict`, from what was shown and what is answered: the service computes the same from what it holds. */
  digest: z.string(),
  args: jsonObject.exactOptional(),
  reason: text.exactOptional(),
  /** Where the person is, for whoever reads the decision later. */
  face: verdictFace.exactOptional(),
  remember: remember.exactOptional(),
})
export type VerdictBody = z.infer<typeof verdictBody>

export const verdictsBody = z.strictObject({
  verdicts: z
    .array(verdictBody.extend({ approval: z.string() }))
    .min(1)
    .max(500),
})

/** Arguments that a reviewer has changed and not sent yet. */
export const editBody = z.strictObject({ args: jsonObject })
export const extendBody = z.strictObject({ until: epochMs.nullable() })
/** `digest`: by `shownDigest`, from what was shown. */
export const rerunBody = z.strictObject({ digest: z.string() })
/** `digest` as of `rerunBody`. */
export const runNowBody = z.strictObject({ digest: z.string() })
/** `digest`: by `undoDigest`, from what was shown. */
export const undoBody = z.strictObject({ digest: z.string() })

export const grantBody = z
  .strictObject({
    effect: z.enum(["allow", "deny"]),
    breadth,
    /** The one session it serves; absent: every session. */
    session: sessionRef.exactOptional(),
    /** The one agent it serves, in every session of it; absent: every agent. */
    agent: z.string().exactOptional(),
    /** With the agent `run` or `chat`: the one starter whose runs it serves, `runner NAME` or `reviewer NAME`; absent: all runs. */
    starter: z.string().exactOptional(),
    until: epochMs.exactOptional(),
    uses: z.int().min(1).exactOptional(),
    reason: text.exactOptional(),
  })
  .refine(({ agent, starter }) => starter === undefined || (agent !== undefined && isRunPrincipal(agent)), {
    message: "starter goes with the agent run or chat",
  })

/** By `grantsDigest`, from the remembered answers that were shown: the service computes the same from what it holds. */
const grantsDigest = z.string()

/** A grant's level as people see it; `Ask` forgets the grant. */
const grantLevel = z.enum(["Ask", "AllowOnce", "AllowSession", "AllowAlways", "DenyAlways"])
export const grantLevelBody = z.strictObject({
  level: grantLevel,
  /** `version` of the grant as it was shown. */
  version: z.int(),
  digest: grantsDigest,
})
export const forgetBody = z.strictObject({ digest: grantsDigest })

/** Grants as a file, to carry them elsewhere. Sessions do not travel: only what holds for every session is in it. */
export const grantsFile = z.strictObject({
  version: z.literal(1),
  grants: z
    .array(
      z.strictObject({
        effect: z.enum(["allow", "deny"]),
        breadth,
        until: epochMs.exactOptional(),
        uses: z.int().min(1).exactOptional(),
        reason: text.exactOptional(),
      }),
    )
    .max(5_000),
})
export type GrantsFile = z.infer<typeof grantsFile>

/** A configuration's text is at most this long. */
const configText = z.string().max(1_000_000)
/** `since`: all recorded calls from then on, instead of the last 1,000. */
export const previewPolicyBody = z.strictObject({ text: configText, since: epochMs.exactOptional() })
const ruleEntry = z.string().min(1).max(20_000)
export const addRuleBody = z.strictObject({
  text: configText,
  rule: ruleEntry,
  /** Rules that it makes redundant; each is removed where it stands in the text as it is written here. */
  replaces: z.array(ruleEntry).max(100).exactOptional(),
})
/** What is displayed of the change is all there is of it: the rules themselves, as entries of the file. */
export const changeRulesBody = z.strictObject({
  add: z.array(ruleEntry).max(100),
  /** Each is removed where the file has it with the same keys and values. */
  remove: z.array(ruleEntry).max(100),
  /** `version` of the file that it is for; absent: as it is now. */
  version: z.string().exactOptional(),
})
export const savePolicyBody = z.strictObject({
  text: configText,
  /** `version` of the text that was edited. */
  version: z.string(),
  /** As if the file had been edited: what restricts applies at once, and what allows more waits for approval. */
  widening: z.literal("waits").exactOptional(),
})
/** Another program's rules are at most this long: they are read while others wait. */
const foreignRules = z.string().max(200_000)
export const importRulesBody = z.strictObject({
  /** The id of a rule language; absent: the one that the text looks like. */
  format: z.string().max(100).exactOptional(),
  source: foreignRules,
  /** Which rule stays where two contradict each other. */
  prefer: z.enum(["stricter", "imported", "current"]),
  /** The folder whose saved permissions are meant, where a program keeps them by folder. */
  folder: z.string().max(4_000).exactOptional(),
})

export const clearGrantsBody = z.union([
  z.strictObject({ server: z.string(), digest: grantsDigest }),
  z.strictObject({ session: sessionRef, digest: grantsDigest }),
])

/** `fingerprint`: of the definition as it was shown to the person who answers. */
export const definitionBody = pinRef.extend({ fingerprint: z.string() })
/** `digest`: by `definitionsDigest`, from both sides of the difference that was shown. */
export const acceptDefinitionBody = definitionBody.extend({ digest: z.string() })
/** By `sessionDigest`, from the session as it was shown. */
const shownSession = sessionRef.extend({ digest: z.string() })
export const modeBody = shownSession.extend({ mode, until: epochMs.exactOptional() })
export const endSessionBody = shownSession
export const labelBody = sessionRef.extend({ label: z.string().max(120).nullable() })
export const liftBody = shownSession.extend({ tool: toolRef })

export const tokenBody = z.strictObject({
  id: plainName,
  kind: z.enum(["agent", "gate", "runner"]),
  /** The reviewer it belongs to: that person does not approve what is called under it. */
  owner: plainName.exactOptional(),
  namesSessions: z.boolean().default(false),
  /** Of runners only. */
  conveysDecisions: z.boolean().default(false),
})

const pin = z.string().min(6, "Choose a PIN of at least six characters.").max(256)

export const reviewerBody = z.strictObject({
  id: plainName,
  name: z.string().min(1).max(120),
  groups: z.array(plainName).max(50).default([]),
  /** Needed unless presence is none. */
  pin: pin.exactOptional(),
})

export const pinBody = z.strictObject({ current: z.string().max(256).exactOptional(), pin })

/** Of the reviewer who asks, unless it says whose. */
export const linkBody = z.strictObject({ reviewer: plainName.exactOptional() })

const coordinate = z.string().regex(/^[\w-]{43}$/, "Expected 32 bytes as base64url.")
export const publicJwk = z.strictObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: coordinate,
  y: coordinate,
})
export type PublicJwk = z.infer<typeof publicJwk>

export const signInBody = z.strictObject({
  link: z.string().max(200),
  /** Needed unless presence is none. */
  pin: z.string().max(256).exactOptional(),
  jwk: publicJwk,
  name: z.string().min(1).max(120),
})

export const explainBody = z.strictObject({
  kind: targetKind.default("tool"),
  tool: toolRef,
  args: jsonObject.exactOptional(),
  principal: z.string().default("anyone"),
  session: z.string().exactOptional(),
  /** Judged as in this mode; absent: as in the one the session is in. */
  mode: mode.exactOptional(),
})
