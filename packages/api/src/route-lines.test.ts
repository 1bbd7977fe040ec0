import { expect, it } from "vitest"
import { routeLines } from "./route-lines.ts"
import { routes } from "./routes.ts"

it("the table of routes for pages says what the table of routes says", () => {
  const lines = Object.entries(routes).map(([name, { method, path, answer }]) => {
    const kind = answer.kind === "text" ? `text ${answer.type}` : answer.kind
    return [name, `${method} ${path} ${kind}`]
  })
  expect(routeLines).toEqual(Object.fromEntries(lines))
})
