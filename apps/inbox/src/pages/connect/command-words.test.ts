import { expect, it } from "vitest"
import { commandWords } from "./command-words.ts"

it.each([
  { line: "  npx -y  server /home/me ", words: ["npx", "-y", "server", "/home/me"] },
  { line: `node "my server.js" 'it is' a\\ b`, words: ["node", "my server.js", "it is", "a b"] },
  { line: `x --url="http://h/?a=1" "say \\"hi\\""`, words: ["x", "--url=http://h/?a=1", `say "hi"`] },
  { line: `x "not closed`, words: ["x", "not closed"] },
  { line: `x ""`, words: ["x", ""] },
  { line: "   ", words: [] },
])("parts $line as a shell does", ({ line, words }) => {
  expect(commandWords(line)).toEqual(words)
})
