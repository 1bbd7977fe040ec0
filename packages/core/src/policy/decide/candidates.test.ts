import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../call/json/json.ts"
import { type ConditionContext, compileConditions, type Judgement } from "../conditions/condition.ts"
import { deepestFolder, foldersOf } from "../conditions/deepest-folder.ts"
import { createPathLookup } from "../conditions/path-lookup.ts"
import { anyArgs, anyRules } from "../fixtures/random-policy.ts"
import { boundedCache } from "./bounded-cache.ts"
import { type Conditional, createGrouper, judgeCandidate, pickCandidates } from "./candidates.ts"
import { conditionsOf } from "./plan.ts"

const contexts: readonly ConditionContext[] = [
  {},
  { bases: ["/a"] },
  { bases: ["/a", "/b"] },
  { caseInsensitivePaths: true },
  { realPaths: () => (path) => [path.startsWith("/a/b") ? path.replace("/a/b", "/c") : path] },
]

describe("createGrouper", () => {
  it("I1: what is picked and judged comes to what judging every rule does", () => {
    fc.assert(
      fc.property(
        fc.array(anyRules),
        fc.constantFrom(...contexts),
        fc.array(anyArgs, { minLength: 1 }),
        fc.boolean(),
        (lists, context, several, hasRoots) => {
          const lookup = () => createPathLookup(context, hasRoots)
          const all = lists
            .flat()
            .flatMap((rule, order): readonly Conditional[] =>
              rule.effect === "hide" || conditionsOf(rule).length === 0
                ? []
                : [{ effect: rule.effect, when: conditionsOf(rule), order }],
            )
          const groups = createGrouper()(all, context)
          for (const args of several) {
            const picked = groups.flatMap((group) => Object.values(pickCandidates(group, args)).flat())
            const answers = new Map(
              picked.map((candidate) => [candidate.of, judgeCandidate(candidate, args, lookup())]),
            )
            for (const one of all) {
              expect(kindOf(answers.get(one) ?? "fails")).toBe(
                kindOf(compileConditions(one.when, one.effect, context)(args, lookup())),
              )
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it("leaves nothing out before there are arguments", () => {
    const all = [{ effect: "deny", when: [{ key: "a", op: "equals", value: "x" }], order: 0 }] as const
    const picked = createGrouper()(all, {}).flatMap((group) => pickCandidates(group, undefined).deny)
    expect(picked.map((candidate) => kindOf(judgeCandidate(candidate, undefined)))).toEqual(["unjudged"])
  })

  it("does not read what arguments inherit, nor a number's source text", () => {
    const deny = (key: string, value: string) =>
      ({ effect: "deny", when: [{ key, op: "equals", value }], order: 0 }) as const
    const judged = (conditional: Conditional, args: JsonObject) =>
      createGrouper()([conditional], {}).flatMap((group) =>
        pickCandidates(group, args).deny.map((one) => kindOf(judgeCandidate(one, args))),
      )
    expect(judged(deny("constructor", "x"), {})).toEqual(["unjudged"])
    expect(judged(deny("n.rawJSON", "x"), { n: JSON.parse('{"n":1e400}', rawNumbers).n })).toEqual(["unjudged"])
  })
})

/** As the reader of calls does. */
function rawNumbers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const json = JSON as unknown as { rawJSON: (text: string) => unknown }
  return typeof value === "number" ? json.rawJSON(context?.source ?? "") : value
}

function kindOf(judgement: Judgement): string {
  return typeof judgement === "string" ? judgement : "unjudged"
}

describe("deepestFolder", () => {
  const names = fc.array(fc.constantFrom("a", "b", "a-b", "ab"), { maxLength: 3 }).map((parts) => `/${parts.join("/")}`)
  it("finds what looking at every folder finds", () => {
    fc.assert(
      fc.property(fc.array(names), names, (folders, path) => {
        const inside = folders.filter(
          (folder) => path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`),
        )
        const deepest = inside.toSorted((a, b) => b.length - a.length)[0] ?? "none"
        return deepestFolder(foldersOf(new Map(folders.map((folder) => [folder, folder])), "none"), path) === deepest
      }),
    )
  })
})

describe("boundedCache", () => {
  it("keeps no more than it may, and nothing too long", () => {
    const cache = boundedCache<number>(3, 10)
    for (let at = 0; at < 4; at += 1) cache.put("p", "s", `n${at}`, at)
    expect([0, 1, 2, 3].map((at) => cache.get("p", "s", `n${at}`))).toEqual([undefined, undefined, undefined, 3])
    cache.put("p", "s", "n".repeat(11), 1)
    expect(cache.get("p", "s", "n".repeat(11))).toBeUndefined()
  })
})
