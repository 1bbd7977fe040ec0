import { expect, it } from "vitest"
import { placeWords } from "./place-words.ts"

it.each([
  { where: "/home/ada/byleave.yaml:14", words: "byleave.yaml, line 14" },
  { where: "C:\\site\\byleave.yaml:14:5", words: "byleave.yaml, line 14" },
  { where: "byleave.yaml:3:1", words: "byleave.yaml, line 3" },
  { where: "built in", words: "built in" },
])("says $where as $words", ({ where, words }) => {
  expect(placeWords(where)).toBe(words)
})
