import { describe, expect, it } from "vitest"
import { nameUnits } from "./text-pieces.ts"

/** Units that are never divided in angle brackets; the words of others with bars between them. */
const shown = (name: string): string[] =>
  nameUnits(name).map(({ words, isWhole }) => (isWhole ? `<${words.join("")}>` : words.join("|")))

describe("nameUnits", () => {
  it.each([
    { name: "files(write_file)", units: ["files", "<(write_file)>"] },
    { name: "files(read_multiple_files)", units: ["files", "<(read_multiple_files)>"] },
    { name: "claude-code 1.0.0", units: ["<claude-code>", " ", "<1.0.0>"] },
    { name: "drafts/plan-1.txt", units: ["<drafts/plan-1.txt>"] },
    { name: "createPullRequest", units: ["<createPullRequest>"] },
    { name: "__proto__", units: ["<__proto__>"] },
    { name: "plain", units: ["plain"] },
    { name: "github(create_pull_request_review)", units: ["github", "(create_|pull_|request_|review)"] },
    { name: "@modelcontextprotocol/inspector@0.14.3", units: ["@|modelcontextprotocol/|inspector@|0.14.3"] },
    { name: "/home/ada/site/drafts/plan-1.txt", units: ["/|home/|ada/|site/|drafts/|plan-1.|txt"] },
    { name: "createPullRequestReviewComment", units: ["create|Pull|Request|Review|Comment"] },
    { name: "((odd))", units: ["<((odd))>"] },
    { name: "", units: [""] },
  ])("a line may end between the units of $name, and inside a long one between its words", ({ name, units }) => {
    expect(shown(name)).toEqual(units)
    expect(
      nameUnits(name)
        .flatMap(({ words }) => words)
        .join(""),
    ).toBe(name)
  })

  it("leaves a very long name in one piece", () => {
    expect(nameUnits("a_".repeat(300))).toEqual([{ words: ["a_".repeat(300)], isWhole: false }])
  })
})
