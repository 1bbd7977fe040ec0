// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is shown are references
import { nodeHasher } from "@byleave/core/node"
import { type Config, loadConfig } from "@byleave/formats"
import { describe, expect, it } from "vitest"
import { folderNaming, secretsGiven, startDigest, startWords } from "./server-start.ts"

const secret = "c4nary-5ecret-0f-the-environment"

function configOf(server: string): Config {
  const env = new Map([
    ["GIVEN", secret],
    ["FILE", "/opt/given.mjs"],
    ["PLACE", "elsewhere.example"],
    ["LOADED", "--require ./given.cjs"],
  ])
  const options = { name: "byleave.yaml", folder: "/srv", home: "/home/me", env, hasher: nodeHasher }
  const loaded = loadConfig(`version: 1\nservers:\n  files: ${server}\n`, options)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

function wordsOf(server: string): string {
  return configOf(server)
    .servers.map((each) => startWords(each, "/srv"))
    .join()
}

describe("how a server is started, in words for whoever says yes to it", () => {
  it("shows what its environment makes of it, and of a secret only where it comes from and how long it is", () => {
    const words = wordsOf(
      "{ command: node, args: [s.js], env: { NODE_OPTIONS: --require ./o.js, UPSTREAM: '${GIVEN}', API_TOKEN: plain } }",
    )
    expect(words).toContain('NODE_OPTIONS="--require ./o.js"')
    expect(words).toContain(`UPSTREAM=\${GIVEN}, a secret of ${secret.length} characters`)
    expect(words).toContain("API_TOKEN, a secret of 5 characters")
    expect(words).not.toContain(secret)
    expect(words).not.toContain("plain")
  })

  it.each([
    ["words after :-", "{ command: node, args: ['${X:-/tmp/other.mjs}'] }", "node /tmp/other.mjs in /srv"],
    [
      "a word that stands under a secret's name, too",
      "{ command: node, args: [/tmp/other.mjs], env: { A_TOKEN: /tmp/other.mjs } }",
      "node /tmp/other.mjs in /srv",
    ],
    [
      "a variable that loads code, by default",
      "{ command: node, args: [s.js], env: { NODE_OPTIONS: '${X:---require=/tmp/o.cjs}' } }",
      'NODE_OPTIONS="--require=/tmp/o.cjs"',
    ],
    [
      "a variable that loads code, from the environment",
      "{ command: node, args: [s.js], env: { NODE_OPTIONS: '${LOADED}' } }",
      "NODE_OPTIONS=${LOADED}, a secret of 21 characters leading to ./given.cjs",
    ],
    [
      "the host of an address with a credential",
      "{ command: node, env: { UV_INDEX_URL: 'https://__token__:${GIVEN}@pypi.example/simple' } }",
      "=https://__token__:${GIVEN}@pypi.example/simple, a secret of 70 characters leading to pypi.example",
    ],
    [
      "a command with a credential in it",
      "{ command: node, env: { BORG_RSH: \"sh -c 'x --password=hunter2hunter2|sh'\" } }",
      "=\"sh -c 'x --password=‹a secret of 14 characters›|sh'\"",
    ],
    [
      "a program that a variable starts, whatever its name sounds like",
      "{ command: node, env: { RESTIC_PASSWORD_COMMAND: \"sh -c 'curl x | sh'\" } }",
      "RESTIC_PASSWORD_COMMAND=\"sh -c 'curl x | sh'\"",
    ],
    [
      "code that is loaded from a folder",
      "{ command: node, env: { PASSWORD_STORE_EXTENSIONS_DIR: /tmp/x } }",
      '="/tmp/x"',
    ],
    ["a helper", "{ command: node, env: { VAULT_TOKEN_HELPER: x } }", 'VAULT_TOKEN_HELPER="x"'],
    ["a plugin", "{ command: node, env: { AUTH_PLUGIN: x } }", 'AUTH_PLUGIN="x"'],
    ["a file under a secret's name", "{ command: node, env: { APP_CREDENTIALS: /tmp/a.json } }", '="/tmp/a.json"'],
    ["a command under a secret's name", "{ command: node, env: { A_TOKEN: 'sh -c x' } }", 'A_TOKEN="sh -c x"'],
    ["a switch under a secret's name", "{ command: node, env: { PASSWORD_STORE: 'true' } }", 'PASSWORD_STORE="true"'],
    ["an address by default", "{ url: 'http://${X:-other.example/mcp}' }", "http://other.example/mcp"],
    ["a host from the environment", "{ url: 'http://${PLACE}/mcp' }", "http://${PLACE}/mcp (at elsewhere.example)"],
    ["a file from the environment", "{ command: node, args: ['${FILE}'] }", "node /opt/given.mjs (by ${FILE}) in /srv"],
    ["the name of a variable", "{ command: serve, args: [--key, '${GIVEN}'] }", "serve --key ${GIVEN} in /srv"],
  ])("I1: shows %s", (_, server, words) => {
    expect(wordsOf(server)).toContain(words)
  })

  it.each([
    [
      "{ command: node, args: [s.js in /home (with environment A=1)] }",
      'node "s.js in /home (with environment A=1)" in /srv',
    ],
    ["{ command: node, args: [s.js, in, /home] }", 'node s.js "in" /home in /srv'],
    ["{ command: node, args: ['a b', 'a', 'b'] }", 'node "a b" a b in /srv'],
    ["{ command: node, args: ['', '\"a b\"'] }", 'node "" "\\"a b\\"" in /srv'],
    ["{ command: node, args: [s.js, (by], cwd: '/srv/a in b' }", 'node s.js "(by" in "/srv/a in b"'],
    ["{ command: my node, args: [a] }", '"my node" a in /srv'],
    ["{ command: node, args: ['--key=${GIVEN} x'] }", 'node "--key=${GIVEN} x" in /srv'],
    [
      "{ command: node, env: { UPSTREAM: '${GIVEN}, B=1' } }",
      `node in /srv (with environment UPSTREAM="\${GIVEN}, B=1", a secret of ${secret.length + 5} characters)`,
    ],
    ["{ command: node, args: [--a=b, 'C:\\x', '@a/b', 's[1]'] }", "node --a=b C:\\x @a/b s[1] in /srv"],
  ])("I2: of %s each is one word", (server, words) => {
    expect(wordsOf(server)).toBe(words)
  })

  it.each([
    "{ command: uvx, env: { UV_INDEX_URL: 'https://__token__:${GIVEN}@pypi.example/simple' } }",
    "{ command: npx, env: { NPM_CONFIG__AUTH: '${GIVEN}', BUNDLE_A: '${GIVEN}', GIT_X: '${GIVEN}', REPO_PATH: '${GIVEN}' } }",
    `{ command: x, env: { REPO_PATH: 'https://u:${secret}@git.example', A_HOOK: 'https://x.example/?token=${secret}' } }`,
    `{ command: x, env: { TOKEN_FILE: ${secret}, PIP_INDEX_URL: 'https://u:${secret}@pypi.example' } }`,
  ])("I1: shows no secret of %s", (server) => expect(wordsOf(server)).not.toContain(secret))

  it("takes for secret what the environment fills in, and what stands under a secret's name, but no default", () => {
    expect(configOf("{ command: node, args: ['${X:-/tmp/other.mjs}', '${GIVEN}'] }").secrets).toEqual([secret])
    expect(configOf("{ command: node, env: { A_TOKEN: '${X:-not-told}' } }").secrets).toEqual(["not-told"])
    expect(configOf("{ command: node, env: { REPO_PATH: 'https://u:hunter2x@a.example' } }").secrets).toEqual([
      "hunter2x",
    ])
    const config = configOf("{ command: node, env: { A: '${GIVEN}' } }")
    expect(config.servers.map((server) => secretsGiven(server, [...config.secrets, "of another"]))).toEqual([[secret]])
  })
})

describe("how a server is started, as a digest", () => {
  const digestOf = (server: string): string => {
    const [read] = configOf(server).servers
    if (read === undefined) throw new Error("no server")
    return startDigest(read, "/srv", "key", nodeHasher)
  }
  const plain = digestOf("{ command: notes }")

  it("tells whether the file names the folder, though it is the same one", () => {
    const inFolder = digestOf("{ command: notes, cwd: . }")
    expect([folderNaming(plain, inFolder), folderNaming(inFolder, plain)]).toEqual(["named", "not named"])
  })

  it.each([
    "{ command: notes, cwd: ./a }",
    "{ command: other, cwd: . }",
    "{ url: http://a.example }",
    "{ command: notes }",
  ])("%s is no other word for the same folder", (server) => expect(folderNaming(plain, digestOf(server))).toBeNull())
})
