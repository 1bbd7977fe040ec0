import { expect, it } from "vitest"
import { pageKey } from "./page-keys.ts"
import { titleAt } from "./page-links.ts"
import { parseSearch, stringifySearch } from "./search-text.ts"

const plain = { key: "j", ctrl: false, meta: false, alt: false, inField: false, hasDialog: false }

it.each([
  { name: "a plain key is the page's", pressed: plain, key: "j" },
  { name: "a key typed into a field is not", pressed: { ...plain, inField: true }, key: null },
  { name: "but Escape is", pressed: { ...plain, key: "Escape", inField: true }, key: "Escape" },
  { name: "a key with Ctrl is not", pressed: { ...plain, ctrl: true }, key: null },
  { name: "nor one before a dialog", pressed: { ...plain, key: "Escape", hasDialog: true }, key: null },
])("$name", ({ pressed, key }) => {
  expect(pageKey(pressed)).toBe(key)
})

it("keeps words in the address as they are, also those that look like numbers", () => {
  const search = { server: "files", tool: "1e3", empty: "" }
  expect(stringifySearch(search)).toBe("?server=files&tool=1e3")
  expect(parseSearch("?server=files&tool=1e3")).toEqual({ server: "files", tool: "1e3" })
  expect(stringifySearch({})).toBe("")
})

it("names each page", () => {
  expect(titleAt("/")).toBe("Waiting")
  expect(titleAt("/activity/xyz")).toBe("A call")
  expect(titleAt("/elsewhere")).toBe("Page not found")
  expect(titleAt("/connect")).toBe("Connect an agent")
})
