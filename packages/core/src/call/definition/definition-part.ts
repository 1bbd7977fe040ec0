import type { JsonValue } from "../json/json.ts"

/**
 * Where in a tool definition a value stands; only that tells a keyword from a name: `title` is words for people in a schema, and an
 * argument like any other under `properties`. `other` is data whose keys we give no meaning, such as `enum` and `default`.
 */
export type DefinitionPart = "definition" | "annotations" | "schema" | "named-schemas" | "other"

const partsOfDefinition: ReadonlyMap<string, DefinitionPart> = new Map([
  ["inputSchema", "schema"],
  ["outputSchema", "schema"],
  ["annotations", "annotations"],
])

const partsOfSchema: ReadonlyMap<string, DefinitionPart> = new Map([
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"].map(
    (key) => [key, "named-schemas"] as const,
  ),
  ...["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"].map((key) => [key, "schema"] as const),
  ...["additionalProperties", "unevaluatedProperties", "propertyNames", "contentSchema"].map(
    (key) => [key, "schema"] as const,
  ),
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else"].map((key) => [key, "schema"] as const),
])

/** The part of the definition that the member `key` of a value at `part` is. */
export function partOfMember(part: DefinitionPart, key: string): DefinitionPart {
  switch (part) {
    case "definition":
      return partsOfDefinition.get(key) ?? "other"
    case "schema":
      return partsOfSchema.get(key) ?? "other"
    case "named-schemas":
      return "schema"
    case "annotations":
    case "other":
      return "other"
    default:
      return part satisfies never
  }
}

/** The part of the definition that the elements of an array at `part` are: `allOf` and similar keywords hold schemas. */
export function partOfElement(part: DefinitionPart): DefinitionPart {
  return part === "schema" ? "schema" : "other"
}

type Words = { readonly texts: readonly string[]; readonly lists: readonly string[] }
const wordsOf: Readonly<Record<DefinitionPart, Words>> = {
  definition: { texts: ["title", "description"], lists: ["icons"] },
  annotations: { texts: ["title"], lists: [] },
  schema: { texts: ["title", "description", "$comment"], lists: ["examples"] },
  "named-schemas": { texts: [], lists: [] },
  other: { texts: [], lists: [] },
}

/** Whether this member only speaks to people. A value of the wrong type is not taken for words, whatever its key. */
export function isWords(part: DefinitionPart, key: string, value: JsonValue): boolean {
  if (typeof value === "string") return wordsOf[part].texts.includes(key)
  return Array.isArray(value) && wordsOf[part].lists.includes(key)
}
