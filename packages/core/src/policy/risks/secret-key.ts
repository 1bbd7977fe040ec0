/** Long enough to mean a secret wherever they stand in a name, also run together: `dbpassword`, `X-Api-Key`. */
const telling =
  /password|passwd|passphrase|passcode|secret(?!ar)|credential|authorization|cookie|apikey|accesskey|privatekey|signingkey|encryptionkey|masterkey|sharedkey|accountkey|sshkey|accesstoken|authtoken|refreshtoken|connectionstring|bearer/

/** Only as a word of their own: `pass` is a secret, `compass` is not. */
const tellingWords: ReadonlySet<string> = new Set([
  "pass",
  "pwd",
  "auth",
  "jwt",
  "otp",
  "pin",
  "cvv",
  "cvc",
  "ssn",
  "pat",
])

/** The last words of names that describe a secret and do not hold one: `token_type`, `passwordPolicy`. */
const about: ReadonlySet<string> = new Set(
  "name type policy length count required enabled expiry expires ttl limit budget strength at".split(" "),
)

/** Tokens that only say where a listing goes on. */
const listing: ReadonlySet<string> = new Set(["page", "next", "continuation", "sync", "cursor"])

// Lookarounds instead of groups: every place is looked at once, also in a megabyte of capitals.
const wordBreaks = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

/** Whether the value under this name is taken for a secret. Errs towards yes. */
export function isSecretKey(key: string): boolean {
  const words = key
    .split(wordBreaks)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())
  const last = words.at(-1)
  if (last === undefined || (words.length > 1 && about.has(last))) return false
  if (telling.test(words.join("")) || words.some((word) => tellingWords.has(word))) return true
  // Many tokens with something before them are a number of them: `max_tokens`.
  if (last === "tokens") return words.length === 1
  return last.endsWith("token") && !words.some((word) => listing.has(word))
}
