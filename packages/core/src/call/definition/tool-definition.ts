import type { JsonObject } from "../json/json.ts"

/** A server's definition of a tool, kept whole: `name`, `description`, `inputSchema`, `annotations` and all other members it sent. */
export type ToolDefinition = JsonObject & { readonly name: string }

/** How much of a definition a pin covers: everything, everything but words for people, or nothing. */
export type PinDepth = "full" | "schema" | "off"

/** JSON-Schema validation as a port (no `eval` in a browser). Gives the problems, none when the value fits. */
export type SchemaValidator = (schema: JsonObject) => (value: JsonObject) => readonly string[]
