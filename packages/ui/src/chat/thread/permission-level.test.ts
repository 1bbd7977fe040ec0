import { expect, it } from "vitest"
import { permissionLevel } from "./permission-level.ts"

it.each([
  { breadth: { kind: "server", server: "files", access: "all" }, level: "all" },
  { breadth: { kind: "server", server: "files", access: "read" }, level: "read" },
  { breadth: { kind: "reads", server: "files", tools: ["list"] }, level: "read" },
  { breadth: { kind: "tool", server: "files", tool: "list" }, level: "read" },
  { breadth: { kind: "tool", server: "files", tool: "write" }, level: "write" },
  { breadth: { kind: "pattern", server: "files", tool: "*" }, level: "all" },
] as const)("R135: a permission for $breadth is of the level $level", ({ breadth, level }) => {
  expect(permissionLevel({ breadth }, ["list"])).toBe(level)
})
