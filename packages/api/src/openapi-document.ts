import type { JsonObject } from "@byleave/core"
import { z } from "zod"
import { problem } from "./problem.ts"
import type { Credential, Route } from "./route.ts"
import { routes } from "./routes.ts"

/** The OpenAPI 3.1 description of the API, from the schemas it is validated with. */
export function openApiDocument(version: string): JsonObject {
  const paths = new Map<string, Record<string, JsonObject>>()
  const sharedSchemas: SharedSchemas = new Map()
  schemaOf(problem, sharedSchemas)
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, "{$1}")
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation(name, route, sharedSchemas) })
  }
  return {
    openapi: "3.1.0",
    info: { title: "Byleave", version, summary: "Nothing an agent proposes runs without someone's leave." },
    paths: Object.fromEntries(paths),
    components: { securitySchemes, schemas: Object.fromEntries(sharedSchemas) },
  }
}

const securitySchemes = {
  reviewer: {
    type: "apiKey",
    in: "header",
    name: "DPoP",
    description:
      "A DPoP proof (RFC 9449) by a registered ES256 key, with `bsh`: the base64url SHA-256 of the body. Good once, for 60 seconds.",
  },
  gate: { type: "http", scheme: "bearer", description: "byl_gate_…" },
  runner: { type: "http", scheme: "bearer", description: "byl_runner_…" },
  agent: { type: "http", scheme: "bearer", description: "byl_agent_…" },
} as const

function securityOf(credential: Credential): readonly JsonObject[] {
  if (credential === "none") return []
  if (credential === "reviewer or runner") return [{ reviewer: [] }, { runner: [] }]
  return [{ [credential === "reviewer with presence" ? "reviewer" : credential]: [] }]
}

function operation(name: string, route: Route, shared: SharedSchemas): JsonObject {
  const parameters = [...parametersOf("path", route.params, shared), ...parametersOf("query", route.query, shared)]
  return {
    operationId: name,
    summary: route.summary,
    ...presenceWords(route),
    security: securityOf(route.credential),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaOf(route.body, shared, "input") } },
          },
        }),
    responses: {
      ...successOf(route, shared),
      default: {
        description: "A problem, with a stable code",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  }
}

function presenceWords(route: Route): JsonObject {
  if (route.credential === "reviewer with presence") return { description: "Needs presence." }
  return route.presenceWhen === undefined ? {} : { description: `Needs presence when ${route.presenceWhen}.` }
}

function parametersOf(
  place: "path" | "query",
  schema: z.ZodObject | undefined,
  shared: SharedSchemas,
): readonly JsonObject[] {
  if (schema === undefined) return []
  return Object.entries(schema.shape).map(([name, of]) => ({
    name,
    in: place,
    required: place === "path",
    schema: schemaOf(of as z.ZodType, shared, "input"),
  }))
}

function successOf({ answer }: Route, shared: SharedSchemas): JsonObject {
  switch (answer.kind) {
    case "nothing":
      return { 204: { description: "Done" } }
    case "text": {
      const types = answer.or === undefined ? [answer.type] : [answer.type, answer.or]
      const content = Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }]))
      return { 200: { description: answer.what, content } }
    }
    case "json":
      return {
        200: { description: "Done", content: { "application/json": { schema: schemaOf(answer.schema, shared) } } },
      }
  }
}

type SharedSchemas = Map<string, JsonObject>

/** A schema with the named ones in it as references; those are put among the shared. */
function schemaOf(schema: z.ZodType, shared: SharedSchemas, io: "input" | "output" = "output"): JsonObject {
  const made = z.toJSONSchema(schema, { io, unrepresentable: "any" })
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _, $defs = {}, id, ...rest } = JSON.parse(text) as JsonObject & { readonly $defs?: JsonObject }
  for (const [name, definition] of Object.entries($defs)) shared.set(name, withoutId(definition as JsonObject))
  if (typeof id !== "string") return rest
  shared.set(id, rest)
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId({ id: _, ...rest }: JsonObject): JsonObject {
  return rest
}
