import type { Breadth, Condition } from "@byleave/core"
import { z } from "zod"
import { jsonValue } from "../json.ts"

export const toolRef = z.strictObject({ server: z.string(), tool: z.string() })
/** A tool; without `tool`, the server itself: its instructions, and everything it has. */
export const pinRef = z.strictObject({ server: z.string(), tool: z.string().exactOptional() })
export const sessionRef = z.strictObject({ principal: z.string(), id: z.string() })
export const access = z.enum(["read", "write"])
/** The source of a tool's access. A name is no more than a label. */
export const accessSource = z.enum(["classify", "annotation", "name", "default"])
export const effect = z.enum(["hide", "deny", "ask", "allow"])
/** `autonomous-…`: for tools that nobody allowed, paths or URLs outside of those that were allowed, alone or two of them. */
export const mode = z.enum([
  ...(["ask", "autonomous", "autonomous-tools", "autonomous-paths", "autonomous-urls"] as const),
  ...(["autonomous-tools-paths", "autonomous-tools-urls", "autonomous-paths-urls"] as const),
  ...(["unattended", "observe"] as const),
])
export const targetKind = z.enum(["tool", "resource", "prompt", "sampling", "elicitation", "roots", "method"])
export const pinState = z.enum(["accepted", "changed", "new", "rejected", "quarantined", "unpinned"])

const key = z.string()
const condition: z.ZodType<Condition, Condition> = z
  .discriminatedUnion("op", [
    z.strictObject({ key, op: z.literal("equals"), value: jsonValue }),
    z.strictObject({ key, op: z.literal("oneOf"), values: z.array(jsonValue) }),
    z.strictObject({ key, op: z.literal("glob"), pattern: z.string() }),
    z.strictObject({ key, op: z.literal("under"), folder: z.string() }),
    z.strictObject({ key, op: z.literal("directlyIn"), folders: z.array(z.string()) }),
    z.strictObject({ key, op: z.literal("file"), path: z.string() }),
    z.strictObject({ key, op: z.literal("host"), patterns: z.array(z.string()) }),
    z.strictObject({ key, op: z.literal("atMost"), value: z.number() }),
    z.strictObject({ key, op: z.literal("atLeast"), value: z.number() }),
    z.strictObject({ key, op: z.literal("sensitive"), value: z.boolean() }),
    z.strictObject({ key, op: z.literal("only"), names: z.array(z.string()) }),
  ])
  .meta({ id: "Condition" })

const server = z.string()
const tool = z.string()
const when = z.array(condition).exactOptional()
export const breadth: z.ZodType<Breadth, Breadth> = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("tool"), server, tool, when }),
    z.strictObject({ kind: z.literal("server"), server, access: z.enum(["read", "write", "all"]) }),
    z.strictObject({ kind: z.literal("reads"), server, tools: z.array(z.string()) }),
    z.strictObject({ kind: z.literal("pattern"), server, tool, when }),
  ])
  .meta({ id: "Breadth" })

/** Where a person gave a verdict. */
export const verdictFace = z.enum(["inbox", "chat", "side-panel", "terminal"])
