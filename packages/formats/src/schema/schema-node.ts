/** A part of a JSON Schema, draft 7. */
export type SchemaNode = { readonly [key: string]: unknown }

export type SchemaProperties = { readonly [key: string]: SchemaNode }

/** A map with these keys and no others. */
export function object(
  description: string,
  properties: SchemaProperties,
  required: readonly string[] = [],
): SchemaNode {
  return {
    type: "object",
    description,
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

export function keysOf({ properties }: SchemaNode): readonly string[] {
  return Object.keys((properties ?? {}) as SchemaProperties)
}

/** A map whose keys the user chooses. */
export function mapOf(values: SchemaNode, description: string): SchemaNode {
  return { type: "object", description, additionalProperties: values }
}

export function listOf(items: SchemaNode, description: string, least = 0): SchemaNode {
  return { type: "array", description, items, ...(least > 0 ? { minItems: least } : {}) }
}

export function text(description: string): SchemaNode {
  return { type: "string", description, minLength: 1 }
}

export function words(values: readonly string[], description: string): SchemaNode {
  return { description, enum: values }
}

export function bool(description: string): SchemaNode {
  return { type: "boolean", description }
}

export function count(least: number, description: string): SchemaNode {
  return { type: "integer", minimum: least, description }
}

/** A length of time as `parseDuration` reads it. */
export function duration(description: string): SchemaNode {
  return {
    type: "string",
    pattern: String.raw`^[0-9]{1,12}(\.[0-9]{1,3})?(ms|s|m|h|d)$`,
    description: `${description} Written 50s, 30m, 8h or 2d.`,
    examples: ["30m", "8h"],
  }
}

/** The same, or `never`. */
export function orNever({ description, ...time }: SchemaNode): SchemaNode {
  return { description, anyOf: [{ const: "never" }, time] }
}

/** A number of bytes: `32MB`, `500kB`, or a plain number. */
export function size(description: string): SchemaNode {
  return {
    description: `${description} Written 500kB or 32MB.`,
    anyOf: [
      { type: "integer", minimum: 1, maximum: 999_999_999 },
      { type: "string", pattern: String.raw`^[0-9]{1,9}\s*([kKmMgG]?[bB])?$`, examples: ["32MB"] },
    ],
  }
}

/** A tool, or something else of a server, as rules name it. */
export function target(description: string): SchemaNode {
  return { ...text(description), examples: ["files(read_*)", "*(delete_*)"] }
}
