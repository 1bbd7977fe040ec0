import { expect, it } from "vitest"
import { readAddress, searchOf } from "./permission-address.ts"

const whole = { viewed: "said", filter: { server: "", text: "", effect: "" } } as const

it.each([
  { name: "nothing is the whole", address: whole, search: {} },
  {
    name: "everything is written down",
    address: { viewed: "tools", filter: { server: "files", text: "write", effect: "deny" } } as const,
    search: { view: "tools", server: "files", find: "write", effect: "deny" },
  },
])("$name, and read back the same", ({ address, search }) => {
  expect(searchOf(address)).toEqual(search)
  expect(readAddress(search)).toEqual(address)
})

it("leaves out what nobody could have meant", () => {
  expect(readAddress({ view: "x", effect: "constructor", server: ["files"], find: null })).toEqual(whole)
})
