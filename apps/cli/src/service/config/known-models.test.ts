// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file has references
import { nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { describe, expect, it } from "vitest"
import { knownModel } from "./known-models.ts"

const key = "sk-not-to-be-seen"
function known(written: string, env: readonly (readonly [string, string])[] = [["KEY", key]]) {
  const text = `version: 1\nmodels:\n  main: { ${written} }\n`
  const loaded = loadConfig(text, { name: "byleave.yaml", folder: "/etc", env: new Map(env), hasher: nodeHasher })
  const [model] = loaded.ok ? loaded.config.models : []
  if (model === undefined) throw new Error("not loaded")
  return knownModel(model, "digest key", nodeHasher)
}

describe("knownModel", () => {
  it.each([
    {
      written: "provider: anthropic, model: opus, key: '${KEY}', headers: { X-Team: notes }",
      words: `opus of anthropic at its own address (with key=\${KEY}, a secret of 17 characters, X-Team="notes")`,
    },
    {
      written: "provider: openai-compatible, url: 'http://127.0.0.1:11434/v1', model: qwen3",
      words: "qwen3 of openai-compatible at http://127.0.0.1:11434/v1",
    },
    {
      written: `provider: openai, url: 'https://proxy.example/v1', key: ${key}`,
      words: "main of openai at https://proxy.example/v1 (with key, a secret of 17 characters)",
    },
    {
      written: "provider: openai-compatible, url: 'http://127.0.0.1:9/v1', model: '${KEY}'",
      words: "${KEY} of openai-compatible at http://127.0.0.1:9/v1",
    },
    { written: "provider: scripted, script: [{ say: a }]", words: "scripted, by steps in the file (1)" },
    { written: "provider: scripted, script: tidy.yaml", words: "scripted, by /etc/tidy.yaml" },
  ])("says how a model is reached: $words", ({ written, words }) => {
    const model = known(written)
    expect(model.words).toBe(words)
    expect(JSON.stringify([model.words, model.start])).not.toContain(key)
  })

  it("another provider, address, model, key or header is another digest", () => {
    const same = "provider: openai, url: 'https://a.example/v1', model: m, key: '${KEY}', headers: { A: b }"
    const starts = [
      same,
      same.replace("openai", "anthropic"),
      same.replace("a.example", "b.example"),
      same.replace("model: m", "model: n"),
      same.replace("A: b", "A: c"),
    ].map((written) => known(written).start)
    expect(new Set([...starts, known(same, [["KEY", "another-key"]]).start]).size).toBe(6)
    expect(known(same).start).toBe(starts[0])
  })
})
