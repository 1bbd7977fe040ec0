import { expect, it } from "vitest"
import type { KnownModel } from "../config/known-models.ts"
import { chosenModel } from "./chosen-model.ts"

const usable: KnownModel = {
  ...{ name: "main", start: "x", words: "" },
  config: { name: "main", provider: "scripted", steps: [{ say: "Hello." }] },
}
const unusable: KnownModel = { name: "paid", start: "", words: "", config: null }

it.each([
  { name: "the first where nobody names one", models: [usable, unusable], asked: undefined, found: "main" },
  { name: "the one that was named", models: [unusable, usable], asked: "main", found: "main" },
  {
    name: "no other where the first cannot be used",
    models: [unusable, usable],
    asked: undefined,
    says: "The model paid cannot be used now",
  },
  {
    name: "none by a name nobody has",
    models: [usable],
    asked: "x",
    says: "There is no model called x. There are: main.",
  },
  { name: "none where there is none", models: [], asked: undefined, says: "No model is configured." },
])("chooses $name", ({ models, asked, found, says }) => {
  const chosen = chosenModel(models, asked)
  if (chosen.ok) expect(chosen.config.name).toBe(found)
  else expect(chosen.why).toContain(says)
})
