import { expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { holdsNamedSecret } from "./named-secret.ts"
import { looksSecret } from "./secret-like.ts"

it.each([
  "please log in with password=hunter2 and try again",
  "password=swordfish",
  "password=secret",
  "Password: swordfish",
  "the token: 8f3a-11 is yours",
  "PGPASSWORD=hunter2 psql -h db",
  "curl -H 'Authorization: Bearer abcdefgh' https://example.com",
  '{"user":"ana","password":"hunter2"}',
  String.raw`{\"password\": \"swordfish\"}`,
  "https://example.com/?user=1&access_token=abcd1234",
  "**Password:** hunter2",
  "mysql --password hunter2 -u root",
  "deploy --api-key=abcd-1234",
  "db:\n  password: correct-horse\n  user: ana",
  "password = swordfish\nuser = ana",
  "pin: 4711",
  "Set-Cookie: sid=abc123; Path=/",
  "send it with bearer a1b2c3d4e5f6 please",
  "Write to root@example.com with the password hunter2-Tr0ub4dor.",
  "the password is Tr0ub4dor&3",
  "the deploy key is k3y-of-the-site",
])("finds the secret in %j", (text) => {
  expect(looksSecret("note", text)).toBe(true)
})

it.each([
  "type Login = { user: string; password: string; token?: string }",
  "function open(password: Password, token: CancellationToken)",
  "const token = await readToken()",
  "const password = input",
  "connect(user=user, password=password, token=authToken)",
  "password: process.env.DB_PASSWORD",
  "password: $" + "{DB_PASSWORD}",
  "password=$DB_PASSWORD",
  "password=<your password>",
  "password=********",
  "password: ‹secret, 7 characters›",
  "if (token === expected) return",
  "auth::login(user)",
  "Password: please choose a longer one",
  "Authorization: required for every request",
  '{"password": "Password", "token": "Enter the token"}',
  "max_tokens: 4096, tokens: 12345",
  "pass: 10/12",
  "token: ./secrets/token.txt",
  "the secretary: hunter2",
  'pin: "accepted", credential: "reviewer"',
  "export API_TOKEN=abc_…",
  "you need a token: “Connect an agent” creates one",
  "const token = message.params?.progressToken",
  "password_policy: strict-2",
  "hash the password sha256 and store it",
  "choose a password that has 12 characters",
  "Password reset in step2 of the guide",
  "the token is read from ./token2.txt",
])("leaves %j alone", (text) => {
  expect(looksSecret("note", text)).toBe(false)
})

it.each([
  ["names and nothing else", "a".repeat(262_144)],
  ["many names of secrets", "password ".repeat(29_000)],
  ["many pairs", Array.from({ length: 40_000 }, (_, at) => `k${at}=v`).join(" ")],
  ["signs", "=:".repeat(131_072)],
  ["dashes", "--a".repeat(87_000)],
  ["passwords that are said", "password is a ".repeat(18_000)],
  ["spaces behind a name", `password${" ".repeat(262_000)}`],
  ["backslashes and quotes", `password\\"=`.repeat(23_000)],
])("takes time in proportion to %s", (_, text) => {
  expect(growthOf(holdsNamedSecret, text)).toBeLessThan(3)
})
