import { describe, expect, it } from "vitest"
import { isSecretKey } from "./secret-key.ts"

describe("isSecretKey", () => {
  it.each([
    ["password", "PASSWORD", "dbPassword", "db_password", "userpassword", "passwd", "pwd", "pass", "passphrase"],
    ["token", "access_token", "accessToken", "X-Auth-Token", "GITHUB_TOKEN", "tokens", "refreshTokens", "bearer"],
    ["secret", "clientSecret", "client_secret", "secret_id", "AWS_SECRET_ACCESS_KEY", "secrets"],
    ["api_key", "apiKey", "APIKey", "X-Api-Key", "apikey", "privateKey", "private_key_pem", "ssh-key", "accessKeyId"],
    ["authorization", "Authorization", "Proxy-Authorization", "auth", "basic_auth", "Cookie", "set-cookie"],
    ["credentials", "connectionString", "jwt", "otp", "pin"],
  ])("takes %s and its like for secrets", (...keys) => {
    expect(keys.filter((key) => !isSecretKey(key))).toEqual([])
  })

  it.each([
    ["max_tokens", "inputTokens", "token_count", "tokenLimit", "token_type", "tokenizer"],
    ["pageToken", "next_page_token", "nextToken", "continuationToken"],
    ["passwordPolicy", "password_length", "secret_name", "cookie_policy", "password_changed_at"],
    ["path", "key", "keys", "author", "authority", "compass", "bypass", "spin", "shipping", "monkey", "content"],
    ["", "_", "__proto__", "constructor", "日本語"],
  ])("leaves %s and its like alone", (...keys) => {
    expect(keys.filter(isSecretKey)).toEqual([])
  })

  it("answers a name of a million capitals", () => {
    expect(isSecretKey("A".repeat(1_000_000))).toBe(false)
  })
})
