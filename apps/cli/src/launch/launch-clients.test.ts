import { askingPrograms, callersBehind, callersWords } from "@byleave/core"
import { expect, it } from "vitest"
import { launchClients } from "./launch-clients.ts"

it("the programs that can be started are those whose own questions Byleave answers", () => {
  expect(launchClients.map(({ id }) => id).toSorted()).toEqual(askingPrograms.toSorted())
})

it.each(launchClients.map(({ id }) => id))("a permission for %s names the program's own questions", (id) => {
  expect(callersWords(callersBehind(`wrap:${id}`))).toContain(`every "${id}" whose own questions Byleave answers`)
})
