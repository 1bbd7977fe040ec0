import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePrincipal, goesByAgentAlone, principalCovers } from "./principal-glob.ts"

describe("the agents of a rule", () => {
  it.each([
    { glob: "ci", principal: "ci", strict: true, allow: true },
    { glob: "ci", principal: "ci:x", strict: true, allow: false },
    { glob: "ci*", principal: "ci:x", strict: true, allow: true },
    { glob: "c?", principal: "ci:x", strict: true, allow: false },
    { glob: "*", principal: "ci:x", strict: true, allow: true },
    { glob: "*reporting", principal: "ci:reporting", strict: true, allow: false },
    { glob: "*reporting", principal: "my-reporting", strict: true, allow: true },
    { glob: "reporting", principal: "ci:reporting", strict: false, allow: false },
    { glob: "ci?x", principal: "ci:x", strict: true, allow: false },
    { glob: "ci[:]x", principal: "ci:x", strict: true, allow: false },
    { glob: "ci:x", principal: "ci:x", strict: true, allow: true },
    { glob: "ci:*", principal: "ci:x", strict: true, allow: true },
    { glob: "ci:*", principal: "ci", strict: false, allow: false },
    { glob: "*:x", principal: "ci:x", strict: true, allow: true },
    { glob: "*a:b", principal: "ci:xa:b", strict: true, allow: false },
    { glob: "ci:a:b", principal: "ci:a:b", strict: true, allow: true },
    { glob: "*:ops:*", principal: "ci:ops:1", strict: true, allow: true },
    { glob: "[c:]i:x", principal: "ci:x", strict: true, allow: true },
    { glob: "[ci:x", principal: "[ci:x", strict: true, allow: true },
  ])("I1, I2: $glob and $principal: strict $strict, allow $allow", ({ glob, principal, strict, allow }) => {
    for (const effect of ["hide", "deny", "ask"] as const)
      expect(compilePrincipal(glob, effect)(principal), effect).toBe(strict)
    expect(compilePrincipal(glob, "allow")(principal)).toBe(allow)
  })

  const text = (letters: readonly string[]) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((all) => all.join(""))
  const globs = text(["a", "b", ":", "*", "?", "[a:]", "["])
  const effects = fc.constantFrom("deny" as const, "allow" as const)

  it("I2: an allow that is for an agent is for it by its token, whatever the program calls it", () => {
    fc.assert(
      fc.property(
        text(["a", "b", ":", "*", "?", "[a:]"]),
        text(["a", "b"]),
        text(["a", "b", ":"]),
        (glob, token, agent) => {
          if (!compilePrincipal(glob, "allow")(`${token}:${agent}`)) return true
          const before = glob.replaceAll(/\[a:\]/g, "[a]").split(":", 1)[0] ?? ""
          return compilePrincipal(before, "allow")(token)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it("I3: covers only what it is for", () => {
    fc.assert(
      fc.property(globs, globs, effects, effects, text(["a", "b", ":"]), (wide, narrow, outer, inner, principal) => {
        const covers = principalCovers({ effect: outer, principal: wide }, { effect: inner, principal: narrow })
        if (!covers || !compilePrincipal(narrow, inner)(principal)) return true
        return compilePrincipal(wide, outer)(principal)
      }),
      { numRuns: 20_000 },
    )
  })

  it("goes by the agent's name alone where any token will do", () => {
    for (const principal of ["*:x", "*:*x", "**:x?"])
      expect(goesByAgentAlone({ effect: "allow", principal })).toBe(true)
    for (const principal of ["*", "ci:x", "*x", "*:*", "c*:x"])
      expect(goesByAgentAlone({ effect: "allow", principal })).toBe(false)
    expect(goesByAgentAlone({ effect: "deny", principal: "*:x" })).toBe(false)
  })
})
