import { type Answered, bindVerdict, type Client, type ServiceReply, type UnboundVerdict } from "@byleave/api"

/** Reads the call and answers it as it was read, as people's programs do. */
export async function answerCall(client: Client, id: string, verdict: UnboundVerdict): Promise<ServiceReply<Answered>> {
  const read = await client.getApproval({ params: { id } })
  if (!read.ok) return read
  return client.giveVerdict({ params: { id }, body: await bindVerdict(read.value, verdict) })
}
