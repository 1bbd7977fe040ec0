import { expect, it } from "vitest"
import { readLink } from "./pairing.ts"

it("takes a sign-in link apart", () => {
  expect(readLink("http://127.0.0.1:7337/sign-in#s3cret")).toEqual({
    origin: "http://127.0.0.1:7337",
    secret: "s3cret",
  })
})

it.each(["", "s3cret", "http://127.0.0.1:7337/sign-in", "file:///sign-in#s3cret"])("takes %j for no link", (link) => {
  expect(() => readLink(link)).toThrow("not a sign-in link")
})
