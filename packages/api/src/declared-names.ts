/** The names of arguments that a tool's input schema declares, at the top and within the elements of lists. */
import { asObject, type JsonObject, type JsonValue, memberAt } from "@byleave/core"

export type DeclaredNames = {
  /** True for every name where the schema declares none at this place. */
  readonly has: (name: string) => boolean
  readonly elementsOf: (list: string) => DeclaredNames
}

/** `schema`: null where it is not known. */
export function declaredNames(schema: JsonObject | null): DeclaredNames {
  return namesIn(schema === null ? [] : branchesOf([schema], schema), schema ?? {})
}

function namesIn(branches: readonly JsonObject[], root: JsonObject): DeclaredNames {
  const properties = branches.map((branch) => asObject(branch.properties) ?? {})
  const names = new Set(properties.flatMap((each) => Object.keys(each)))
  return {
    has: (name) => names.size === 0 || names.has(name),
    elementsOf: (list) => {
      const declared = properties.flatMap((each) => (Object.hasOwn(each, list) ? [each[list]] : []))
      const items = branchesOf(declared, root).map((branch) => branch.items)
      return namesIn(branchesOf(items, root), root)
    },
  }
}

/** Schemas with everything they refer to and choose from. References may lead in circles: each is taken once. */
function branchesOf(schemas: readonly (JsonValue | undefined)[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const left = [...schemas]
  while (left.length > 0) {
    const schema = asObject(left.pop())
    if (schema === undefined || found.has(schema)) continue
    found.add(schema)
    const { $ref } = schema
    if (typeof $ref === "string") left.push(valueAt(root, $ref))
    for (const choices of [schema.anyOf, schema.oneOf, schema.allOf])
      if (Array.isArray(choices)) for (const choice of choices) left.push(choice)
  }
  return [...found]
}

/** Within the schema itself, as `#/$defs/Edit`. */
function valueAt(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith("#/")) return undefined
  const parts = reference.slice(2).split("/")
  return parts.reduce<JsonValue | undefined>((at, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~")
    return memberAt(asObject(at), name)
  }, root)
}
