export { createGateway } from "./create-gateway.ts"
export { namesTwoHosts } from "./downstream/check-request.ts"
export type { Gateway, GatewayOptions, GatewayServer, GatewayTimes, Identity, UpstreamTransport } from "./gateway.ts"
export { defaultToolListLimits } from "./relay/tools/read-tools.ts"
export type {
  ConversationRecord,
  ConversationRecords,
  HeldRequest,
  HeldRequests,
  Sealer,
  TaskRecord,
  TaskRecords,
} from "./wire/ports.ts"
