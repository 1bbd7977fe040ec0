import { describe, expect, it } from "vitest"
import { nameWords } from "./text-pieces.ts"

describe("nameWords", () => {
  it.each([
    { name: "files(write_file)", words: ["files(", "write_", "file)"] },
    { name: "drafts/plan-1.txt", words: ["drafts/", "plan-1.", "txt"] },
    { name: "createPullRequest", words: ["create", "Pull", "Request"] },
    { name: "__proto__", words: ["__", "proto__"] },
    { name: "plain", words: ["plain"] },
  ])("a line may end between the words of $name, never inside one", ({ name, words }) => {
    expect(nameWords(name)).toEqual(words)
    expect(words.join("")).toBe(name)
  })

  it("leaves a very long name in one piece", () => {
    expect(nameWords("a_".repeat(300))).toHaveLength(1)
  })
})
