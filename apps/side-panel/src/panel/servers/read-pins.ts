import { asShown, type PinView } from "@byleave/api"
import { answerIn, type PanelClient } from "../panel-client.ts"

/**
 * The definitions that were accepted and those that wait, of one server or of all. Differences and warnings are worked out here from both
 * sides: a program between the panel and a service cannot have a change look harmless.
 */
export async function readPins(client: Pick<PanelClient, "listPins">, server?: string): Promise<readonly PinView[]> {
  const { items } = await answerIn(client.listPins(server === undefined ? undefined : { query: { server } }))
  return items.map(asShown)
}
