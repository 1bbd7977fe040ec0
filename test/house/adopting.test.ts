import { readFileSync } from "node:fs"
import { nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { expect, it } from "vitest"

const guide = readFileSync(new URL("../../docs/guides/adopting.md", import.meta.url), "utf8")

it("R210, R216: the guide leads to the whole system in steps that work by themselves", () => {
  const steps = [...guide.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number))
  expect(steps).toEqual([1, 2, 3, 4, 5, 6])
  const [, policy = ""] = /```yaml\n(version: 1[\s\S]*?)```/.exec(guide) ?? []
  const loaded = loadConfig(policy, { name: "byleave.yaml", folder: "/home/me", env: new Map(), hasher: nodeHasher })
  expect(loaded.ok && loaded.config.policy.rules.map(({ effect }) => effect)).toEqual(["allow", "allow", "deny"])
})
