import type { Client } from "@byleave/api"
import { dataFolder } from "../files/data-folder.ts"
import type { Io } from "../io.ts"
import { connect } from "../reach/connect.ts"
import { exitCodeOf, findService } from "../reach/find-service.ts"
import { RefusedByService, type ReviewerClient } from "./reviewer-client.ts"

/** The service of the data folder, and the reviewer's two ways to speak with it. */
export async function openReviewerClient(
  io: Io,
  flags: { readonly data?: string; readonly url?: string },
): Promise<ReviewerClient> {
  const found = await findService({ data: dataFolder(flags.data, io), url: flags.url })
  if ("missing" in found) throw new RefusedByService(exitCodeOf(found), found.missing)
  const open = async (as: "looking" | "present"): Promise<Client> => {
    const connected = await connect(found, as, io)
    if ("problem" in connected) throw new RefusedByService(1, connected.problem)
    return connected.client
  }
  let present: Promise<Client> | undefined
  return {
    url: found.url,
    client: await open("looking"),
    present: () => {
      // A wrong PIN is asked for again the next time; a right one never.
      present ??= open("present").catch((cause: unknown) => {
        present = undefined
        throw cause
      })
      return present
    },
  }
}
