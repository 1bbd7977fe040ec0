import type { Approval } from "@byleave/core"
import type { ApiService } from "../../service.ts"
import { toolKnowledge } from "../tool-knowledge.ts"
import { fileOf } from "./file-reading.ts"
import { contentBefore } from "./kept-content.ts"

/** When the file that a call changed was read before; nothing where that is not kept. */
export async function readBefore(service: ApiService, approval: Approval): Promise<{ readonly readBefore?: number }> {
  if (approval.status !== "succeeded") return {}
  const file = fileOf(toolKnowledge(service, await service.store.decisionState()), approval)
  if (file === null) return {}
  const kept = await contentBefore(service, { approval: approval.id, path: file.path }, service.time())
  return kept === undefined ? {} : { readBefore: kept.readAt }
}
