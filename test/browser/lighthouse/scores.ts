/** What Lighthouse says of every page of the inbox, signed in, before the real service, in the Chromium that the set-up finds. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type BrowserContext, chromium } from "@playwright/test"
import { freePort } from "../../../bench/gateway/child.ts"
import { findChromium, howToGetChromium } from "../../../scripts/chromium.mjs"
import { installOnDemand } from "../../../scripts/install-on-demand.ts"
import { type FormFactor, formFactors, lighthouseVersion, type PageScore } from "../../../scripts/lighthouse-table.ts"
import type { World } from "../fixtures/world.ts"

const lighthouse = { name: "lighthouse", version: lighthouseVersion, file: "core/index.js" }

/** The parts of its answer that are looked at. */
type Report = {
  readonly lhr: {
    readonly finalDisplayedUrl: string
    readonly runtimeError?: { readonly message: string }
    readonly categories: { readonly [id: string]: Category | undefined }
    readonly audits: { readonly [id: string]: Audit | undefined }
  }
}
type Category = {
  readonly score: number | null
  readonly auditRefs: ReadonlyArray<{ readonly id: string; readonly weight: number }>
}
type Audit = {
  readonly title: string
  readonly score: number | null
  readonly details?: { readonly items?: ReadonlyArray<Readonly<Record<string, unknown>>> }
}
type Lighthouse = {
  readonly default: (url: string, flags: object, config?: object) => Promise<Report | undefined>
  readonly desktopConfig: object
}

/** One page after another; `tell` hears of each as it is done. */
export async function lighthouseScores(
  tell: (score: PageScore) => void = () => undefined,
  wants: (page: string) => boolean = () => true,
): Promise<readonly PageScore[]> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(howToGetChromium)
  const program: Lighthouse = await import(pathToFileURL(installOnDemand(lighthouse)).href)
  const { openWorld, pastPolicy } = await fixtures()
  const profile = mkdtempSync(join(tmpdir(), "byleave-lighthouse-"))
  const port = await freePort()
  const world = await openWorld({ policy: pastPolicy })
  // The session's key lies in the profile, where the pages that Lighthouse opens find it.
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking", `--remote-debugging-port=${port}`],
  })
  try {
    const scores: PageScore[] = []
    for await (const { page, url, shows } of pagesOf(world, browser)) {
      if (!wants(page)) continue
      for (const formFactor of formFactors) {
        const [report] = await Promise.all([look(program, url, port, formFactor), untilShown(browser, shows)])
        const score = scoreOf(page, formFactor, report)
        scores.push(score)
        tell(score)
      }
    }
    return scores
  } finally {
    await browser.close()
    await world.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** What people run is looked at: the bundle. The fixtures read this when they are loaded. */
async function fixtures() {
  process.env.BYLEAVE_TEST_PROGRAM = fileURLToPath(new URL("../../../apps/cli/dist/byleave.js", import.meta.url))
  const { openWorld } = await import("../fixtures/world.ts")
  const { pastPolicy } = await import("../fixtures/past-calls.ts")
  return { openWorld, pastPolicy }
}

type LookedAt = {
  readonly page: string
  readonly url: string
  /** Lighthouse is content with any page; its tab must show this button or heading of the first rank. */
  readonly shows: RegExp
}

const otherPages = ["permissions", "policy", "servers", "sessions", "runs", "activity", "audit", "insight", "settings"]

/** Each with something on it; the first two before anybody signs in. */
async function* pagesOf(world: World, browser: BrowserContext): AsyncGenerator<LookedAt> {
  yield { page: "sign-in", url: `${world.url()}/`, shows: /^sign in this browser/i }
  const link = await world.people.mintLink({ body: {} })
  if (!link.ok) throw new Error(link.problem.detail)
  yield { page: "sign-in by link", url: link.value.url, shows: /^sign in/i }
  const id = await fill(world)
  await world.signIn(await browser.newPage())
  yield { page: "waiting", url: `${world.url()}/`, shows: /^waiting/i }
  yield { page: "open card", url: `${world.url()}/?open=${id}`, shows: /^allow once/i }
  for (const page of otherPages) yield { page, url: `${world.url()}/${page}`, shows: new RegExp(page, "i") }
  yield { page: "story", url: `${world.url()}/activity/${id}`, shows: /write_file/ }
}

/** Calls of every kind in the past, and one that waits; gives that one's id. */
async function fill(world: World): Promise<string> {
  const { makePastCalls, waitingCall } = await import("../fixtures/past-calls.ts")
  await makePastCalls(world)
  const agent = await world.agent("files", "claude-code")
  const left = agent.call("write_file", { path: "notes.txt", content: "Buy milk.\nCall Grace.\n" })
  left.catch(() => undefined)
  const { id } = await waitingCall(world)
  // The call waits on when its caller goes.
  await agent.close()
  return id
}

async function untilShown(browser: BrowserContext, shows: RegExp): Promise<void> {
  const tab = await browser.waitForEvent("page", { timeout: 60_000 })
  const heading = tab.getByRole("heading", { level: 1, name: shows })
  await heading
    .or(tab.getByRole("button", { name: shows }))
    .first()
    .waitFor({ timeout: 60_000 })
}

async function look(program: Lighthouse, url: string, port: number, formFactor: FormFactor): Promise<Report> {
  const flags = {
    port,
    logLevel: "error",
    onlyCategories: ["accessibility", "best-practices"],
    disableStorageReset: true,
    throttlingMethod: "provided",
    // The stream of events never ends, so the network is never wholly quiet.
    maxWaitForLoad: 15_000,
  }
  const report = await program.default(url, flags, formFactor === "desktop" ? program.desktopConfig : undefined)
  if (report === undefined) throw new Error(`Lighthouse said nothing of ${url}.`)
  if (report.lhr.runtimeError !== undefined) throw new Error(report.lhr.runtimeError.message)
  return report
}

function scoreOf(page: string, formFactor: FormFactor, { lhr }: Report): PageScore {
  const { accessibility, "best-practices": bestPractices } = lhr.categories
  const refs = [accessibility, bestPractices].flatMap((category) => category?.auditRefs ?? [])
  const found = refs.flatMap(({ id, weight }) => {
    const audit = lhr.audits[id]
    return weight === 0 || audit === undefined || audit.score === null || audit.score === 1 ? [] : [said(id, audit)]
  })
  return { page, formFactor, accessibility: points(accessibility), bestPractices: points(bestPractices), found }
}

/** A page that could not be judged has no points. */
function points(category: Category | undefined): number {
  return Math.round((category?.score ?? 0) * 100)
}

function said(id: string, { title, details }: Audit): string {
  const places = (details?.items ?? []).map((item) => {
    const node = item.node as { readonly selector?: string; readonly snippet?: string } | undefined
    return node === undefined ? JSON.stringify(item) : `${node.selector} ${node.snippet}`
  })
  return [`${id}: ${title}`, ...places.map((place) => `  ${place.slice(0, 300)}`)].join("\n")
}
