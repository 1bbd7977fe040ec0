export { createGateway } from "./create-gateway.ts"
export { namesTwoHosts } from "./downstream/check-request.ts"
export type {
  Gateway,
  GatewayOptions,
  GatewayServer,
  GatewayTimes,
  Identity,
  SeenCaller,
  StdioStreams,
  UpstreamTransport,
} from "./gateway.ts"
export { defaultToolListLimits } from "./relay/tools/read-tools.ts"
export type { Health } from "./upstream/link.ts"
export type { ClientInfo } from "./wire/caller.ts"
export type { ConversationRecord, ConversationRecords, Sealer, TaskRecord, TaskRecords } from "./wire/ports.ts"
