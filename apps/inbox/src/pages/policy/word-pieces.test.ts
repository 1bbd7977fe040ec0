import { expect, it } from "vitest"
import { wordPieces } from "./word-pieces.ts"

it.each([
  {
    name: "what stands between backticks is exact",
    message: "Write `presence: pin` here.",
    pieces: [
      { text: "Write ", exact: false },
      { text: "presence: pin", exact: true },
      { text: " here.", exact: false },
    ],
  },
  { name: "a lonely backtick stays", message: "a ` b", pieces: [{ text: "a ` b", exact: false }] },
  { name: "two of them with nothing between stay", message: "``", pieces: [{ text: "``", exact: false }] },
])("$name", ({ message, pieces }) => {
  expect(wordPieces(message)).toEqual(pieces)
})
