/** Byleave's own name among servers: calls under it are Byleave's own questions, so no server may bear it or pass for it. */
import { normalizeText } from "./normalize-text.ts"
import { showText } from "./show-text.ts"

/** `same`: nobody could tell it from `byleave`. `similar`: it can be told apart, by those who look. */
export type OwnNameLikeness = "same" | "similar"

/** How a server's name resembles Byleave's own; null where it does not. */
export function ownNameLikeness(name: string): OwnNameLikeness | null {
  const letters = normalizeText(name, "NFKD").replaceAll(unseen, "").trim()
  if (whole.test(letters)) return "same"
  return within.test(letters.replaceAll(/[^\p{L}\p{N}|@]/gu, "")) ? "similar" : null
}

/** A warning about a server that is not Byleave but has a similar name; null if there is none. */
export function ownNameWarning(server: string): string | null {
  if (ownNameLikeness(server) === null) return null
  return `The server's name, ${showText(server)}, resembles Byleave's own. It is another program: what it says is not said by Byleave.`
}

/** Marks on letters, and what is drawn as nothing. Compatibility forms, such as full-width letters, are usual ones by then. */
const unseen = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu

/** Signs that are drawn like a letter of the name, in small or in capital letters: Latin, Greek, Cyrillic, Cherokee, Lisu, digits. */
const drawnLike = [
  "bʙɓƀƃƅьъвβ6ᏴᏏꓐ",
  "yʏɏƴɣуүұγυϒᎩꓬ",
  "lʟłɫɭƚi1|ɩɪıǀӏіιꓡꓲᏞ",
  "eᴇɇɛəеєҽэεϵ3℮Ꭼꓰ",
  "aᴀɑʌаαλ4@ᎪꓮꓥΛ",
  "vᴠʋνѵυ∨ᏙꓦⅤ",
  "eᴇɇɛəеєҽэεϵ3℮Ꭼꓰ",
]
const pattern = drawnLike.map((signs) => `[${signs}]`).join("")
const whole = new RegExp(`^${pattern}$`, "iu")
const within = new RegExp(pattern, "iu")
