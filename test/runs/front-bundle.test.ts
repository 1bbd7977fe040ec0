import { build } from "esbuild"
import { expect, it } from "vitest"

it("the front ends of runs bundle for a browser, without Node", async () => {
  const contents = `export { answerAgUi, answerUiChat, decisionsIn, uiMessageStream, uiMessagesOf } from "@byleave/runs"`
  const { metafile, errors } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    external: ["@ai-sdk/anthropic", "@ai-sdk/google", "@ai-sdk/openai", "@ai-sdk/openai-compatible"],
  })
  expect(errors).toEqual([])
  const external = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter((each) => each.external))
  expect(external.filter(({ path }) => !path.startsWith("@ai-sdk/")).map(({ path }) => path)).toEqual([])
})
