import { expect, it } from "vitest"
import { looksSecret } from "./secret-like.ts"

it.each([
  "password",
  "dbPassword",
  "api_key",
  "X-Api-Key",
  "accessKey",
  "Authorization",
  "github_token",
  "client-secret",
  "privateKey",
  "connection_string",
])("takes what stands under %s for a secret", (key) => {
  expect(looksSecret(key, "x")).toBe(true)
  expect(looksSecret(key, "")).toBe(false)
})

it.each([
  "path",
  "tokens_used",
  "max_tokens",
  "page_token",
  "nextPageToken",
  "token_type",
  "key",
  "monkey",
  "password_policy",
  "secretary",
])("takes what stands under %s for nothing special", (key) => {
  expect(looksSecret(key, "plain")).toBe(false)
})

// Assembled here, so that nothing in this file has the shape itself.
const filler = "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0"
it.each([
  `sk-${filler}`,
  `sk_live_${filler}`,
  `ghp_${filler}`,
  `github_pat_${filler}`,
  `glpat-${filler}`,
  `xoxb-${filler}`,
  `AKIA${"ABCDEFGH12345678"}`,
  `AIza${filler}Xy`,
  `eyJ${filler}.${filler}.${filler}`,
  `-----BEGIN RSA ${"PRIVATE KEY-----"}\nMII`,
  `Bearer ${filler}`,
  "postgres://user:hunter2@db/x",
  `use ${filler}xY9zQ please`,
])("takes %s for a secret by its shape", (value) => {
  expect(looksSecret("note", value)).toBe(true)
})

it.each([
  "a perfectly ordinary sentence that goes on for a while without secrets",
  "/usr/local/share/some/Deep/Path/With/Names/And/Numbers/2024/file.ts",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "123e4567-e89b-12d3-a456-426614174000",
  "https://example.com/path?x=1",
  "get_the_very_long_name_of_this_function_v2",
  "sk-short",
])("takes %s for nothing special", (value) => {
  expect(looksSecret("note", value)).toBe(false)
})

it("finds a secret behind a name in a text", () => {
  expect(looksSecret("content", "# settings\nKEY=sk-live-0123456789abcdef\nMODE=dark\n")).toBe(true)
  expect(looksSecret("content", "KEY=dark\nMODE=light\n")).toBe(false)
})
