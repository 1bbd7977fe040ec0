import type { JsonObject, JsonValue } from "@byleave/core"
import { Validator } from "@cfworker/json-schema"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "./openapi-document.ts"
import { problemCodes } from "./problem.ts"
import type { Route } from "./route.ts"
import { routes } from "./routes.ts"

const document = JSON.parse(JSON.stringify(openApiDocument("1.2.3")))

function everyObject(value: JsonValue): readonly JsonObject[] {
  if (typeof value !== "object" || value === null) return []
  const inner = Object.values(value).flatMap(everyObject)
  return Array.isArray(value) ? inner : [value as JsonObject, ...inner]
}

function waysIn(credential: Route["credential"]): number {
  if (credential === "none") return 0
  return credential === "reviewer or runner" ? 2 : 1
}

describe("openApiDocument", () => {
  it("describes every route of the table, by its name, with its credential", () => {
    for (const [name, route] of Object.entries<Route>(routes)) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, "{$1}")][route.method.toLowerCase()]
      expect(operation.operationId).toBe(name)
      expect(operation.security.length).toBe(waysIn(route.credential))
      expect(operation.requestBody === undefined).toBe(route.body === undefined)
      expect(Object.keys(operation.responses)).toContain("default")
    }
  })

  it("declares every parameter its paths name", () => {
    for (const [path, operations] of Object.entries<Record<string, { parameters?: { name: string; in: string }[] }>>(
      document.paths,
    )) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(operations)) {
        expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(named)
      }
    }
  })

  it("has no reference that leads nowhere", () => {
    const refs = everyObject(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []))
    expect(refs.length).toBeGreaterThan(20)
    for (const ref of new Set(refs)) {
      expect(Object.keys(document.components.schemas)).toContain(ref.replace("#/components/schemas/", ""))
    }
  })

  it("its schemas are what the code validates with: a verdict that names a reviewer fits neither", () => {
    const operation = document.paths["/api/approvals/{id}/verdict"].post
    const { schema } = operation.requestBody.content["application/json"]
    const validator = new Validator({ ...schema, components: document.components }, "2020-12")
    const verdict = { kind: "approve", digest: "x" }
    for (const body of [verdict, { ...verdict, reviewer: "ben" }, { kind: "maybe", digest: "x" }, {}]) {
      expect(validator.validate(body).valid).toBe(routes.giveVerdict.body.safeParse(body).success)
    }
  })
})

it("the codes of problems are these: programs tell errors apart by them", () => {
  expect(problemCodes.join(" ")).toBe(
    "bad-request bad-json too-large wrong-content-type not-found wrong-method foreign-host foreign-origin not-signed-in wrong-credential bad-proof presence-needed self-approval link-spent wrong-pin too-many-tries device-waits already-settled conflict digest-mismatch not-in-group past-expiry not-due not-approved has-caller not-the-caller not-the-owner not-pending edit-after-vote invalid-verdict grant-lapsed never-remember breadth-mismatch invalid-arguments forbidden-by-policy invalid-mode not-rerunnable cannot-run-now not-undoable cannot-undo arguments-removed not-proposed name-taken last-reviewer run-not-owned run-under-way run-ended run-has-nothing-to-do run-has-no-requirement run-changed state-used state-not-exported state-malformed state-tampered state-foreign state-too-old state-too-new state-too-large state-bomb run-waits run-too-large too-many-runs too-many-streams too-many-reads no-model decision-needs-reviewer decision-needs-digest store-unavailable unavailable failed",
  )
})
