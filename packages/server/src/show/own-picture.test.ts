import { expect, it } from "vitest"
import { ownPicture } from "./own-picture.ts"

const png = "data:image/png;base64,iVBORw0KGgo="

it.each([
  { name: "a picture sent along", icons: [{ src: png }], shown: png },
  { name: "the first that is one", icons: [{ src: "https://x.example/a.png" }, { src: png }], shown: png },
  { name: "an address", icons: [{ src: "https://x.example/a.png" }], shown: null },
  { name: "a page", icons: [{ src: "data:text/html;base64,PGI+" }], shown: null },
  { name: "a picture not in base64", icons: [{ src: "data:image/svg+xml,<svg/>" }], shown: null },
  { name: "a picture as large as a download", icons: [{ src: `${png}${"A".repeat(70_000)}` }], shown: null },
  { name: "no list", icons: { src: png }, shown: null },
  { name: "nothing", icons: undefined, shown: null },
])("R106: of icons, $name", ({ icons, shown }) => {
  expect(ownPicture(icons)).toBe(shown)
})
