import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { createToldListings, mostListings, type ToldListing } from "./told-listings.ts"

function open() {
  const listings = createToldListings("here", {
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
  })
  const told: ToldListing[] = []
  const tell = (credential: string, server: string, description: string): ToldListing => {
    const listing = listings.add(server, credential, listings.describe([{ name: "t", description }]))
    told.push(listing)
    return listing
  }
  const kept = (): readonly ToldListing[] => told.filter(({ server, id }) => listings.find(server, [id]) !== undefined)
  return { listings, tell, kept }
}

it("I1: of one server that a credential tells of in other words each time, the newest few are kept; another's stay", () => {
  const { listings, tell, kept } = open()
  const other = tell("other", "one", "other's")
  for (let at = 0; at < 300; at++) tell("prog", "one", `words ${at}`)
  expect(kept()).toHaveLength(mostListings.ofServer + 1)
  expect(kept()).toContain(other)
  expect(listings.elsewhere("one", listings.describe([]))).toHaveLength(mostListings.ofServer + 1)
})

it("I1: a credential's listings take up no more than they may, in number and in memory", () => {
  const { tell, kept } = open()
  const other = tell("other", "s", "other's")
  for (let at = 0; at < 30; at++) tell("prog", `s${at}`, "d".repeat(4_000_000))
  expect(kept()).toHaveLength(16)
  expect(kept()).toContain(other)
  for (let at = 0; at < 300; at++) tell("prog", `t${at}`, "short")
  expect(kept()).toHaveLength(mostListings.ofCredential + 1)
  expect(kept()).toContain(other)
})

it("I2: the listings of all credentials together take up no more than they may", () => {
  const { tell, kept } = open()
  for (let at = 0; at < 100; at++) tell(`prog${at % 10}`, `s${at}`, "d".repeat(5_000_000))
  expect(kept()).toHaveLength(51)
})

it("tiny values count by the memory they take up", () => {
  const { listings } = open()
  const tiny = { name: "t", inputSchema: { default: Array.from({ length: 50_000 }, () => []) } }
  expect(listings.describe([tiny]).bytes).toBeGreaterThan(2_500_000)
})

it("tools that are not in the words of the last telling count as changed; at first none does", () => {
  const { listings } = open()
  const tools = (word: string) => ["a", "b", "c"].map((name) => ({ name, description: name === "a" ? "same" : word }))
  const told = listings.describe(tools("one"))
  expect(listings.changes("one", told)).toBe(0)
  listings.add("one", "prog", told)
  expect(listings.changes("one", listings.describe(tools("one")))).toBe(0)
  expect(listings.changes("one", listings.describe([...tools("two"), { name: "d" }]))).toBe(3)
  expect(listings.changes("two", told)).toBe(0)
})
